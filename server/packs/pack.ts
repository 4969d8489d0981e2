/** A pack: a ready-made policy, with its promise and its limits. */

export interface Pack {
  readonly id: string;
  readonly title: string;
  /** Counts up from 1 whenever `source` changes. */
  readonly version: number;
  /** The benefit once it is in force, in one sentence. */
  readonly promise: string;
  /** The denied calls, in words; empty if it never denies. */
  readonly denies: string;
  readonly asks: string;
  /** The changes to calls, messages and answers that it neither denies nor asks about. */
  readonly changes: string;
  readonly passes: string;
  /** The calls that get by it, or are stopped for nothing. */
  readonly limits: string;
  /** The policy's YAML, comments included. */
  readonly source: string;
}

/** `text` with every line moved to `column`, for a block in YAML. The first line stays where the template puts it. */
export function indentBlock(column: number, text: string): string {
  const margin = " ".repeat(column);
  return text
    .trimEnd()
    .split("\n")
    .map((line, index) => (index === 0 || line === "" ? line : margin + line))
    .join("\n");
}
