/**
 * `safer_shell`: asks a person about every shell command, of every client, that is not known to only read. From 2026-11 on, it
 * only labels the command, and the agent's own safety mode decides.
 */

import { classifyCommand, type ShellVerdict } from "../../calls/safety/classify.ts";
import { TAXONOMY, TAXONOMY_2026_11, type Taxonomy } from "../../calls/safety/taxonomy/versions.ts";
import type { HookOutput } from "../../contract/output.ts";
import { listCommandTexts, runsCommands } from "../../contract/tool-kinds.ts";
import type { Builtin } from "./kind.ts";

/** The verdicts that run without a question, by docker-agent's safety policy. `safe-auto` is as strict as `strict` here. */
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
    // A client runs one of its arguments, and another may contain a harmless text.
    const verdicts: readonly Judged[] =
      texts.length === 0 ? [{ kind: "unknown" }] : texts.map((text) => judged(text, TAXONOMY));
    const asked = verdicts.find(({ kind }) => !unasked.includes(kind));
    return asked ? question(asked) : null;
  },
  changes: {
    "2026-11": ({ event, input }) => {
      if (event !== "pre_tool_use" || !runsCommands(input.tool_name ?? "")) return null;
      const texts = listCommandTexts(input.tool_input ?? {});
      const verdicts = texts.map((text) => judged(text, TAXONOMY_2026_11));
      const metadata = worstLabel(verdicts.map(labelOf));
      return { hook_specific_output: { hook_event_name: "pre_tool_use", metadata } };
    },
  },
};

type Judged = ShellVerdict | { readonly kind: "broken"; readonly detail: string };

function judged(command: string, taxonomy: Taxonomy): Judged {
  try {
    return classifyCommand(command, taxonomy);
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

/** A label as metadata. */
type Label = Readonly<Record<string, string>> & { readonly blast_radius: string };

function labelOf(verdict: Judged): Label {
  switch (verdict.kind) {
    case "destructive": {
      const { radius, category } = verdict.row;
      return { safety_label: "destructive", blast_radius: radius, category, reason: reasonFor(verdict) };
    }
    case "read": {
      const { pattern, category } = verdict.row;
      const reason = `Command matches safe read-only pattern: ${pattern}`;
      return { safety_label: "safe", blast_radius: "safe", category, reason };
    }
    default:
      return UNKNOWN;
  }
}

const UNKNOWN: Label = { safety_label: "unknown", blast_radius: "unknown" };
const WORST_FIRST = ["high", "unknown", "medium", "low", "safe"];

/** The worst label, because a client runs one of several texts. */
function worstLabel(labels: readonly Label[]): Label {
  const byRadius = [...labels].sort((one, other) => {
    return WORST_FIRST.indexOf(one.blast_radius) - WORST_FIRST.indexOf(other.blast_radius);
  });
  return byRadius[0] ?? UNKNOWN;
}
