/** The gateway's own health as the headline of Home: it matters more than sums of the past. */
import type { KnownStatus } from "@/components/layout/gateway-status-text";
import { ANSWER_AGE_MAX_MS, type HeardStatus } from "@/components/layout/use-gateway-status";
import type { GateState } from "@/components/overview/gate-state";
import { plural } from "@/components/ui/format/count";
import { clockTime } from "@/components/ui/format/instant";

const HEALTH = { label: "Health", href: "/settings/health" };

/** Null while agents are answered: then the state of the gate is the headline. */
export function describeGateHealth({ status, heardMs }: HeardStatus, nowMs: number): GateState | null {
  if (heardMs === null)
    return { tone: "unknown", word: "Not known", sentence: "Waiting for the gateway's first answer.", action: null };
  const isOld = nowMs - heardMs > ANSWER_AGE_MAX_MS;
  // A single request that fails says less than the answer before it, which is at most ten seconds old.
  if (isOld || status === "silent" || status === "asking") return isOld ? unknownSince(heardMs, nowMs) : waiting();
  switch (status.state) {
    case "answering":
      return null;
    case "blocking":
      return { tone: "error", word: "Refusing calls", sentence: refusalText(status, nowMs), action: HEALTH };
    case "stopping":
      return {
        tone: "error",
        word: "Refusing calls",
        sentence: "The gateway is shutting down. New agent requests are refused.",
        action: HEALTH,
      };
    case "elsewhere":
      return {
        tone: "unknown",
        word: "Not known",
        sentence: "Agents use a different gateway. This console cannot read the status of that gateway.",
        action: HEALTH,
      };
  }
}

const waiting = (): GateState => ({
  tone: "unknown",
  word: "Not known",
  sentence: "The gateway did not answer the last request. Retrying.",
  action: HEALTH,
});

const unknownSince = (heardMs: number, nowMs: number): GateState => ({
  tone: "unknown",
  word: "Not known",
  sentence: `This page has received no answer from the gateway since ${clockTime(heardMs, nowMs)}.`,
  action: HEALTH,
});

/** "Agent requests refused since 05:51:45: the database is not responding. 12 requests refused." */
function refusalText(status: Exclude<KnownStatus, string>, nowMs: number): string {
  const since = status.since === null ? "" : ` since ${clockTime(status.since, nowMs)}`;
  const reasons = status.reasons.join(" ");
  const refused = status.refused === 0 ? "" : ` ${plural(status.refused, "request")} refused.`;
  return `Agent requests refused${since}: ${reasons.slice(0, 1).toLowerCase()}${reasons.slice(1)}${refused}`;
}
