/** A new entry of an event, also in a text without hooks. Pure. */
import { EVENTS, type EventName } from "@quarterdeck/hooks/contract/events";
import type { Edit } from "@/components/policies/document/change";
import { addItem, setKey } from "@/components/policies/document/edits";
import type { Value } from "@/components/policies/document/write";
import { type Path, yamlTree } from "@/components/policies/document/yaml-tree";

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The block of hooks and its path; a text may consist of that block alone. */
export function blockOf(text: string): { readonly base: Path; readonly block: Fields } {
  const { locked, value } = yamlTree(text);
  if (locked !== null || !isFields(value)) return { base: ["hooks"], block: {} };
  if (!("hooks" in value) && Object.keys(value).some((key) => key in EVENTS)) return { base: [], block: value };
  return { base: ["hooks"], block: isFields(value.hooks) ? value.hooks : {} };
}

/** Adds an entry behind the others of the event: a hook, or a matcher with its hooks. */
export function addEntry(text: string, event: EventName, item: Value): Edit {
  const { base } = blockOf(text);
  const edit = addItem(text, [...base, event], item);
  // A text without a `hooks:` yet.
  return !edit.ok && base.length > 0 ? setKey(text, [], "hooks", { [event]: [item] }) : edit;
}
