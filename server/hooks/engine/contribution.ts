/** The contribution of one hook to a Result. */
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
  /** True if this hook made the Result not allowed. */
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

/** The strongest contribution of a hook that made several. */
export function pickStrongestWord(said: ReadonlySet<Said>): Said {
  return WEIGHTIEST_FIRST.find((word) => said.has(word)) ?? "nothing";
}
