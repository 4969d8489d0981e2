/** A pack's text whose questions go to people in the console. Pure. */
import { isMap, isSeq, parseDocument } from "yaml";

/** The gates for which `ask_a_person` is made. */
const GATES = ["pre_tool_use", "tool_guard"];

/**
 * The text with one `ask_a_person` entry for each lane of its gates: the hook says nothing itself, and takes what other
 * hooks of its lane ask to the Approvals page. The rest of the text keeps every byte.
 */
export function askOnApprovals(source: string): string {
  const text = parseDocument(source);
  const ends = GATES.flatMap((gate) => {
    const entries = text.getIn(["hooks", gate], true);
    if (!isSeq(entries) || !entries.range) return [];
    const lanes = new Set(entries.items.map((entry) => isMap(entry) && entry.get("preempt_yolo") === true));
    return [{ at: entries.range[1], added: [...lanes].map(entryOf).join("") }];
  });
  // From the end, so that the earlier places stay where they are.
  return ends.toReversed().reduce((all, { at, added }) => insert(all, at, added), source);
}

const entryOf = (isEarly: boolean): string => `    - matcher: "*"
${isEarly ? "      preempt_yolo: true\n" : ""}      hooks:
        - {name: ask on the Approvals page, type: builtin, command: ask_a_person, args: ["", "when asked"]}
`;

function insert(source: string, at: number, added: string): string {
  const before = source.slice(0, at).replace(/\s*$/, "\n");
  const after = source.slice(at).replace(/^\s*\n/, "");
  return `${before}${added}${after}`;
}
