/** The words for the ends of turns and for switches between agents, as agents spell them and as people read them. */
import { z } from "zod";

/** The kinds of `on_agent_switch`. */
export const SWITCH_KINDS = {
  transfer_task: "a task is transferred",
  transfer_task_return: "a transferred task is done",
  handoff: "the conversation is handed off",
  force_handoff: "handed off as configured",
  route: "routed by a hook",
} as const satisfies Record<string, string>;

/** The reasons of `turn_end`. */
export const TURN_ENDS = {
  normal: "finished",
  continue: "continues with the next turn",
  steered: "continues with a person's message",
  error: "ended by an error",
  canceled: "canceled",
  hook_blocked: "stopped by a hook",
  loop_detected: "stopped: one call was repeated",
  budget_exceeded: "stopped at its budget",
  force_handoff: "handed off as configured",
} as const satisfies Record<string, string>;

/** A word in a table of words; one that is not in it as the agent spelled it. */
export function wordIn(table: Readonly<Record<string, string>>, word: string): string {
  return (Object.hasOwn(table, word) ? table[word] : undefined) ?? word;
}

export const WIRE_WORD_MAX = 100;
export const WIRE_WORDS_MAX = 20;
/** Words to search for. A newer agent may send words that the tables do not contain. */
export const wireWords = z.array(z.string().min(1).max(WIRE_WORD_MAX)).max(WIRE_WORDS_MAX).default([]);
