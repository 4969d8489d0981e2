/** `safer_shell`: asks a person about every shell command, of every client, that is not known to do nothing but read. */
import type { HookOutput } from "../../contract/output.ts";
import { listCommandTexts, runsCommands } from "../../contract/tool-kinds.ts";
import type { Builtin } from "./kind.ts";
import { classifyCommand, type ShellVerdict } from "./shell/classify.ts";

/** Verdicts that run unasked, by safety policy in docker-agent's words; `safe-auto` is no laxer here than `strict`. */
const UNASKED = {
  strict: ["read"],
  "safe-auto": ["read"],
  safer: ["read", "unknown"],
  unsafe: ["read", "unknown", "destructive"],
} as const satisfies Record<string, readonly ShellVerdict["kind"][]>;

export const saferShell: Builtin = {
  name: "safer_shell",
  run({ event, input, args }) {
    if (event !== "pre_tool_use" || !runsCommands(input.tool_name ?? "")) return null;
    const texts = listCommandTexts(input.tool_input ?? {});
    const unasked: readonly string[] = UNASKED[policyOf(args[0]) ?? policyOf(input.safety_policy) ?? "strict"];
    // A client runs one of its arguments, and another may hold a harmless text.
    const verdicts: readonly Judged[] = texts.length === 0 ? [{ kind: "unknown" }] : texts.map(judged);
    const asked = verdicts.find(({ kind }) => !unasked.includes(kind));
    return asked ? question(asked) : null;
  },
};

type Judged = ShellVerdict | { readonly kind: "broken"; readonly detail: string };

function judged(command: string): Judged {
  try {
    return classifyCommand(command);
  } catch (error) {
    return { kind: "broken", detail: error instanceof Error ? error.message : String(error) };
  }
}

function policyOf(word: string | null | undefined): keyof typeof UNASKED | undefined {
  // Holds: an own key of the table is one of its names.
  return word && Object.hasOwn(UNASKED, word) ? (word as keyof typeof UNASKED) : undefined;
}

function question(verdict: Judged): HookOutput {
  const reason = reasonFor(verdict);
  const radius =
    verdict.kind === "destructive"
      ? { blast_radius: verdict.row.radius, category: verdict.row.category }
      : { blast_radius: "unknown" };
  return {
    hook_specific_output: {
      hook_event_name: "pre_tool_use",
      permission_decision: "ask",
      permission_decision_reason: reason,
      metadata: { ...radius, reason },
    },
  };
}

function reasonFor(verdict: Judged): string {
  switch (verdict.kind) {
    case "destructive":
      return `Command matches destructive operation: ${verdict.row.pattern}`;
    case "broken":
      return `Safety pattern load failed: ${verdict.detail}`;
    default:
      return "Shell command requires safer-mode confirmation.";
  }
}
