/** The differences between two policies' texts, in sentences; pure. */
import { type Change, diffHooksBlocks, type Meant } from "@quarterdeck/hooks/contract/semantic-diff/semantic-diff";
import { readPolicyText } from "@quarterdeck/hooks/contract/text/policy-text";

export type Meaning =
  | { readonly kind: "told"; readonly changes: readonly Change[] }
  /** One of the texts cannot be read: which, and where first. */
  | { readonly kind: "unreadable"; readonly side: "before" | "after"; readonly line: number; readonly why: string };

/** The places where a policy may run do not affect its meaning. */
const ANYWHERE = { builtins: [], models: true, evaluators: true };
const NOTHING: Meant = { hooks: {}, profile: "2026-07" };

/** `before` may be empty: then everything is new. */
export function meaningOf(before: string, after: string, tools: readonly string[]): Meaning {
  const [was, is] = [read(before), read(after)];
  if ("why" in was) return { kind: "unreadable", side: "before", ...was };
  if ("why" in is) return { kind: "unreadable", side: "after", ...is };
  return {
    kind: "told",
    changes: diffHooksBlocks(before === "" ? { ...NOTHING, profile: is.profile } : was, is, tools),
  };
}

function read(source: string): Meant | { readonly line: number; readonly why: string } {
  if (source === "") return NOTHING;
  const { hooks, profile, problems } = readPolicyText(source, ANYWHERE);
  if (hooks) return { hooks, profile };
  const [first] = problems;
  return { line: first?.line ?? 1, why: first?.message ?? "it cannot be read" };
}
