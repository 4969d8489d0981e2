/** The gateway's state towards agents, as one sentence. */
import { formatCount, plural } from "@/components/ui/format/count";
import { clockTime } from "@/components/ui/format/instant";
import type { GatewayStatusView } from "@/server/platform/schema";

/** `asking` before the first answer; `silent` when the gateway itself does not answer. */
export type KnownStatus = GatewayStatusView | "asking" | "silent";

/** A reader of a page does not notice a shorter lag. */
const LAG_SHOWN_FROM_MS = 2_000;

export function gatewayStatusText(status: KnownStatus, nowMs: number): string {
  if (status === "asking") return "Checking whether the gateway answers agents…";
  if (status === "silent") return "The gateway does not answer this page, so it is unknown whether agents get answers.";
  switch (status.state) {
    case "answering": {
      const behindMs = status.figuresBehindMs ?? 0;
      const lag =
        behindMs < LAG_SHOWN_FROM_MS ? "" : ` Figures are ${formatCount(Math.round(behindMs / 1_000))} s behind.`;
      return `The gateway answers agents and records their calls.${lag}`;
    }
    case "blocking": {
      const since = status.since === null ? "" : ` since ${clockTime(status.since, nowMs)}`;
      const refused = status.refused === 0 ? "" : ` ${plural(status.refused, "request")} refused.`;
      return `Agents ${since === "" ? "are" : "have been"} blocked${since}: ${status.reasons.join(" ")}${refused}`;
    }
    case "stopping":
      return "The gateway is shutting down. New agent requests are refused.";
    case "elsewhere":
      return "Agents use a different gateway. This console cannot read the status of that gateway.";
  }
}
