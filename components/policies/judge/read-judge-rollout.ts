/** A new revision of a judge prompt in the policies that use it: the choice, and the text that it makes. Pure. */
import type { Edit } from "@/components/policies/document/change";
import { type JudgeRevision, judgedHooks, taken } from "@/components/policies/judge/judged-hooks";
import { readCanary } from "@/components/policies/rollout/read-canary";
import { limitsChoice, readLimits } from "@/components/policies/rollout/read-limits";
import type { Rollout } from "@/server/policies/schema";

export interface JudgeRolloutChoice {
  /** `keep`: the policies keep the revision that they name. */
  readonly kind: "keep" | Rollout["kind"];
  /** Percent of the agents, as typed. */
  readonly share: string;
  /** The ids of policies that keep their revision all the same. */
  readonly skipped: readonly string[];
}

export const KEEP: JudgeRolloutChoice = { kind: "keep", share: "10", skipped: [] };

/** The rollout for each policy, with the default limits of a canary; null to keep, a sentence for an invalid choice. */
export function rolloutOfChoice({ kind, share }: JudgeRolloutChoice): Rollout | null | string {
  if (kind === "keep") return null;
  if (kind === "everyone") return { kind };
  const canary = readCanary({ share, groupId: null });
  const limits = readLimits(limitsChoice());
  if (typeof canary === "string") return canary;
  return typeof limits === "string" ? limits : { kind, ...canary, limits };
}

/** The text with the revision in every hook that names an older one. Without such a hook, the edit changes nothing. */
export function withRevision(source: string, revision: JudgeRevision): Edit {
  const { name, revision: number } = revision.label;
  let edit: Edit = { ok: true, changes: [], text: source };
  // An edit keeps the paths of all hooks.
  for (const { label, path } of judgedHooks(source)) {
    if (label?.name !== name || label.revision >= number) continue;
    const next = taken(edit.text, path, revision);
    if (!next.ok) return next;
    edit = { ok: true, changes: [...edit.changes, ...next.changes], text: next.text };
  }
  return edit;
}
