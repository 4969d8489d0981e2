/** Matches the reason of each hook with the texts sent to the agent. */
import { z } from "zod";
import type { DetailHook } from "@/components/decisions/why";
import { type DecisionDetail, reasonParts } from "@/server/decisions/schema";

const text = z.string().nullish().catch(null);
const printed = z.looseObject({
  stop_reason: text,
  reason: text,
  decision: text,
  hook_specific_output: z.looseObject({ permission_decision_reason: text }).nullish().catch(null),
});
const judged = z.looseObject({ reason: text });

/** The words with which a hook gave its verdict, as it printed them; null when it gave none, or they are not stored. */
export function hookReason({ exitCode, stdout, stderr, judge }: DetailHook): string | null {
  if (exitCode === 2) return filled(stderr);
  const reply = judge?.reply;
  if (reply !== undefined) {
    const object = reply.slice(Math.max(reply.indexOf("{"), 0), reply.lastIndexOf("}") + 1);
    return filled(judged.safeParse(parsed(object)).data?.reason);
  }
  const output = printed.safeParse(parsed(stdout)).data;
  if (!output) return null;
  const { hook_specific_output: specific, stop_reason, reason } = output;
  return filled(specific?.permission_decision_reason) ?? filled(stop_reason) ?? filled(reason);
}

/** The reason of the deciding hook: its own, else the record's reason if it names that hook. */
export function decidingReason({ reason }: Pick<DecisionDetail, "reason">, hook: DetailHook): string | null {
  const named = reasonParts(reason);
  return hookReason(hook) ?? hook.failure ?? (named.hook === hook.name ? filled(named.said) : null);
}

/** The hooks whose reason is part of a sent text, in the order of the text. */
export function findHooksInText(sent: string, hooks: readonly DetailHook[]): DetailHook[] {
  return hooks
    .map((hook) => ({ hook, at: hookReason(hook) }))
    .flatMap(({ hook, at }) => (at === null ? [] : [{ hook, at: sent.indexOf(at) }]))
    .filter(({ at }) => at >= 0)
    .toSorted((a, b) => a.at - b.at)
    .map(({ hook }) => hook);
}

const filled = (words: string | null | undefined): string | null => words?.trim() || null;

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}
