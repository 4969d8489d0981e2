/** The effect that an exception would have had, in sentences. */

import { printFilter } from "@/components/ui/filter/filter-text";
import { formatCount, plural } from "@/components/ui/format/count";
import type { EffectOnCalls, EffectOnRequests, ExceptionEffect, ExceptionView } from "@/server/exceptions/schema";

/** Calls and requests. A call that still waits is only a request, so requests can be there without a call. */
export function effectSentences({ calls, requests }: ExceptionEffect): readonly string[] {
  if (requests === null || requests.matched === 0) return callsSentences(calls);
  const hasCalls = calls.denied + calls.asked > 0;
  const [covered = "", ...doubts] = callsSentences(calls);
  return [...(hasCalls ? [covered] : []), requestsSentence(requests), ...doubts];
}

/** The calls first; then similar calls that it might not have let through, if any. */
export function callsSentences(calls: EffectOnCalls): readonly string[] {
  const { denied, asked, agents, sessions, stopped, unknown, looked, isWhole } = calls;
  const over = isWhole
    ? "In the last 7 days"
    : `In the newest ${formatCount(looked)} results of the exception's rules (last 7 days)`;
  const sum = denied + asked;
  const parts = [
    ...(denied > 0 ? [`${formatCount(denied)} denied`] : []),
    ...(asked > 0 ? [`${formatCount(asked)} sent for approval`] : []),
  ];
  const whose = `of ${plural(agents, "agent")}${sessions > 0 ? ` in ${plural(sessions, "session")}` : ""}`;
  return [
    sum === 0
      ? `${over}, it would have covered no call.`
      : `${over}, it would have covered ${plural(sum, "call")} ${whose}: ${parts.join(", ")}.`,
    ...(stopped > 0
      ? [
          `${plural(stopped, "more call")} might still have been stopped: another rule objected, a hook failed, or another approval was needed.`,
        ]
      : []),
    ...(unknown > 0
      ? [`${plural(unknown, "call")} could not be compared: part of the input is masked, erased or too long.`]
      : []),
  ];
}

/** The requests by their end. */
export function requestsSentence({ matched, allowed, denied, lapsed, looked, isWhole }: EffectOnRequests): string {
  const over = isWhole ? "In the last 7 days" : `In the newest ${formatCount(looked)} approval requests`;
  const ends = { allowed, denied, lapsed, "not answered yet": matched - allowed - denied - lapsed };
  const parts = Object.entries(ends).flatMap(([end, count]) => (count > 0 ? [`${formatCount(count)} ${end}`] : []));
  return `${over}, it would have avoided ${plural(matched, "request")}: ${parts.join(", ")}.`;
}

/** An input of one text, such as a command alone, as that text; else the JSON. */
export function inputText(input: string): string {
  try {
    const [only, ...more] = Object.values(JSON.parse(input) as object);
    return typeof only === "string" && more.length === 0 ? only : input;
  } catch {
    return input; // it is cut, or is no JSON
  }
}

export interface DecidedSubject extends Pick<ExceptionView, "scope" | "about" | "toolName" | "lifts"> {
  readonly agentName: string;
}

/**
 * A link to the Calls page with the decisions of these rules about the tool, within the exception's scope; it has
 * no filter for a command's words. Null when a rule's name cannot be used as a filter.
 */
export function decisionsHref(
  { rules }: Pick<EffectOnCalls, "rules">,
  { scope, about, toolName, agentName }: DecidedSubject,
): string | null {
  if (rules.length === 0 || rules.some(({ rule }) => /["(]/.test(rule))) return null;
  const distinct = (values: readonly string[]) => [...new Set(values)];
  const terms = [
    ...distinct(rules.map(({ policy }) => policy)).map((value) => ({ key: "policy", value })),
    ...distinct(rules.map(({ rule }) => rule)).map((value) => ({ key: "rule", value })),
    { key: "tool", value: toolName },
    ...(scope === "session" ? [{ key: "session", value: about }] : []),
    ...(scope === "group" ? [{ key: "group", value: about }] : []),
    ...(scope === "agent" || scope === "session" ? [{ key: "agent", value: agentName }] : []),
  ];
  return `/activity?range=7d&q=${encodeURIComponent(printFilter({ terms, text: "" }))}`;
}
