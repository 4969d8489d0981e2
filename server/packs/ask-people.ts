/** A pack's text whose questions go to people in the console. Pure. */
import { isCollection, isMap, isSeq, parseDocument } from "yaml";

/** The gates for which `ask_a_person` is made. */
const GATES = ["pre_tool_use", "tool_guard"];
const HOOK = `- {name: ask on the Approvals page, type: builtin, command: ask_a_person, args: ["", "when asked"]}`;

/**
 * The text with one `ask_a_person` hook in each entry of its gates: the hook says nothing itself, and takes what the
 * other hooks ask to the Approvals page. The rest of the text keeps every byte. Entries whose hooks are written in one
 * line stay as they are.
 */
export function askOnApprovals(source: string): string {
  const text = parseDocument(source);
  const ends = GATES.flatMap((gate) => {
    const entries = text.getIn(["hooks", gate], true);
    return isSeq(entries) ? entries.items.flatMap((entry) => endOf(source, entry)) : [];
  });
  // From the end, so that the earlier places stay where they are.
  return ends.toReversed().reduce((all, { at, indent }) => insert(all, at, indent), source);
}

interface HooksEnd {
  /** The end of the list of hooks. */
  readonly at: number;
  /** The spaces before its items. */
  readonly indent: string;
}

function endOf(source: string, entry: unknown): HooksEnd[] {
  const hooks: unknown = isMap(entry) ? entry.get("hooks", true) : undefined;
  if (!isSeq(hooks) || hooks.flow || !hooks.range) return [];
  const [first] = hooks.items;
  if (!isCollection(first) || !first.range) return [];
  const line = source.slice(source.lastIndexOf("\n", first.range[0]) + 1);
  return [{ at: hooks.range[1], indent: /^ */.exec(line)?.[0] ?? "" }];
}

function insert(source: string, at: number, indent: string): string {
  const before = source.slice(0, at).replace(/\s*$/, "\n");
  const after = source.slice(at).replace(/^\s*\n/, "");
  return `${before}${indent}${HOOK}\n${after}`;
}
