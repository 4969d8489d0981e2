/** The part that one hook had in a Result. */
export type Said =
  | "deny"
  | "block"
  | "ask"
  | "allow"
  | "route"
  | "rewrite"
  | "summary"
  | "context"
  | "metadata"
  | "message"
  | "failed"
  | "nothing";

export interface Contribution {
  readonly said: Said;
  /** This hook made the Result not allowed. */
  readonly blocked: boolean;
}

const WEIGHTIEST_FIRST: readonly Said[] = [
  "deny",
  "block",
  "ask",
  "allow",
  "route",
  "rewrite",
  "summary",
  "context",
  "metadata",
  "message",
];

/** The one word for a hook that said several things. */
export function pickStrongestWord(said: ReadonlySet<Said>): Said {
  return WEIGHTIEST_FIRST.find((word) => said.has(word)) ?? "nothing";
}
