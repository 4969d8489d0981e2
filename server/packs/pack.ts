/** A pack: a policy that is ready to be taken, with what it promises and what it does not see. */

export interface Pack {
  readonly id: string;
  readonly title: string;
  /** Counts up from 1 whenever `source` changes. */
  readonly version: number;
  /** One sentence: what is better once it is in force. */
  readonly promise: string;
  /** In words; empty when it never does. */
  readonly denies: string;
  readonly asks: string;
  /** In the calls, messages and answers that it neither denies nor asks about. */
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
