/** The outputs that a hook seems to return, read from its text. The content of an external script is unknown. */
import type { EventContract } from "../events.ts";
import type { HookDefinition } from "../hook.ts";
import type { Rule } from "../rules/schema.ts";
import type { Script } from "./shell/script.ts";

/** The fields of the hook output, and the blocking exit code. */
export type Output =
  | "exit 2"
  | "block"
  | "permission_decision"
  | "updated_input"
  | "updated_messages"
  | "updated_tool_response"
  | "additional_context"
  | "summary"
  | "metadata";

// Matches a key in JSON, in a jq object or with escaped quotes: a name, a colon.
const key = (name: string) => new RegExp(`(?<![\\w.])${name}\\\\?["']?\\s*:`);
const BLOCKS = /(?<![\w.])decision\\?["']?\s*:\s*\\?["']?block\b|(?<![\w.])continue\\?["']?\s*:\s*false\b/;
const KEYS: readonly (readonly [Output, RegExp])[] = [
  ["permission_decision", key("permission_decision")],
  ["updated_input", key("updated_input")],
  ["updated_messages", key("updated_messages")],
  ["updated_tool_response", key("updated_tool_response")],
  ["additional_context", key("additional_context")],
  ["summary", key("summary")],
  ["metadata", key("metadata")],
];

/** The outputs that a hook's text names. Another rule covers builtins. */
export function outputsOf(hook: HookDefinition, script: Script | null): ReadonlySet<Output> {
  const outputs = new Set<Output>();
  if (hook.type === "model") outputs.add(hook.schema ? "permission_decision" : "additional_context");
  if (hook.type === "rules" && hook.rules?.some(hasVerdict)) outputs.add("permission_decision");
  if (!script) return outputs;
  if (script.exits.has(2)) outputs.add("exit 2");
  const said = withoutComments(script.text);
  if (BLOCKS.test(said)) outputs.add("block");
  for (const [output, pattern] of KEYS) if (pattern.test(said)) outputs.add(output);
  return outputs;
}

const hasVerdict = ({ deny, ask, allow }: Rule): boolean => (deny ?? ask ?? allow) !== undefined;

/** True if an event uses an output. */
export function isOutputUsed(output: Output, contract: EventContract): boolean {
  const heard: Record<Output, boolean> = {
    "exit 2": contract.canBlock,
    block: contract.canBlock,
    permission_decision: contract.decides || contract.approves,
    updated_input: contract.rewrites === "tool_input",
    updated_messages: contract.rewrites === "messages",
    updated_tool_response: contract.rewrites === "tool_response",
    additional_context: contract.addsContext,
    summary: contract.suppliesSummary,
    metadata: contract.addsMetadata,
  };
  return heard[output];
}

interface Returning {
  readonly hook: HookDefinition;
  readonly outputs: ReadonlySet<Output>;
  readonly script: Script | null;
}

/** True if a hook's text shows that it can block. */
export function canHookStop({ hook, outputs, script }: Returning): boolean {
  if (outputs.has("exit 2") || outputs.has("block")) return true;
  if (hook.type === "model") return outputs.has("permission_decision");
  if (hook.type === "rules") return hook.rules?.some(({ deny, ask }) => (deny ?? ask) !== undefined) === true;
  return outputs.has("permission_decision") && /\b(?:deny|ask)\b/.test(script?.text ?? "");
}

/** A script without its comment lines. */
export function withoutComments(text: string): string {
  return text.replace(/^\s*#.*$/gm, "");
}
