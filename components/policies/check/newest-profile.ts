/** A policy's text with the newest profile, where each failure of a gate denies. */
import { NEWEST_PROFILE } from "@quarterdeck/hooks/contract/profiles";
import type { Edit } from "@/components/policies/document/change";
import { setKey } from "@/components/policies/document/edits";
import { yamlTree } from "@/components/policies/document/yaml-tree";

/** Errors: `ok: false` with why, for a block without `hooks:`, which has no place for a profile. */
export function withNewestProfile(text: string): Edit {
  const { value } = yamlTree(text);
  const isWhole = typeof value === "object" && value !== null && "hooks" in value;
  if (!isWhole) return { ok: false, why: `Add profile: "${NEWEST_PROFILE}" and hooks: above the events.` };
  return setKey(text, [], "profile", NEWEST_PROFILE, ["profile", "hooks"]);
}
