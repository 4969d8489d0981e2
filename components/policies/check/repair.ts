/** A finding's repair as a change of the text that affects only the bytes of its subject. */

import type { Repair } from "@quarterdeck/hooks/contract/text/text-problems";
import type { Edit } from "@/components/policies/document/change";
import { addItem, removeItem, setItem, setKey, unsetKey } from "@/components/policies/document/edits";
import { yamlTree } from "@/components/policies/document/yaml-tree";

/** New keys go where an author would write them: before the hooks of an entry, before the command of a hook. */
const ORDER = ["name", "matcher", "preempt_yolo", "type", "run_on", "network", "timeout", "on_error"];

/** Errors: `ok: false` with why, when the place is not in the text any more, or is written in a way only a person can change. */
export function repaired(text: string, repair: Repair): Edit {
  const path = placeOf(text, repair);
  const last = path.at(-1);
  const parent = path.slice(0, -1);
  if (last === undefined) return { ok: false, why: "No changes needed." };
  if (repair.kind === "add") return addItem(text, path, repair.value);
  if (repair.kind === "remove") return typeof last === "number" ? removeItem(text, path) : unsetKey(text, parent, last);
  return typeof last === "number" ? setItem(text, path, repair.value) : setKey(text, parent, last, repair.value, ORDER);
}

/** A finding's place begins with `hooks`, which a block alone does not have on top. */
function placeOf(text: string, { segments }: Repair): readonly (string | number)[] {
  const { value } = yamlTree(text);
  return typeof value === "object" && value !== null && "hooks" in value ? segments : segments.slice(1);
}
