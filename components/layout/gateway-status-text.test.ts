import { expect, it } from "vitest";
import { gatewayStatusText } from "@/components/layout/gateway-status-text";
import type { GatewayStatusView } from "@/server/platform/schema";

const AT = new Date(2026, 10, 22, 17, 14, 2);
const well: GatewayStatusView = {
  ...{ state: "answering", since: null, reasons: [], refused: 0, checks: { database: "ok" }, figuresBehindMs: 120 },
};
const blocking: GatewayStatusView = {
  ...well,
  state: "blocking",
  since: AT.toISOString(),
  reasons: ["The database is not responding."],
};

it.each([
  [well, "The gateway answers agents and records their calls."],
  [{ ...well, figuresBehindMs: null }, "The gateway answers agents and records their calls."],
  [
    { ...well, figuresBehindMs: 14_300 },
    "The gateway answers agents and records their calls. Figures are 14 s behind.",
  ],
  [blocking, "Agents have been blocked since 17:14:02: The database is not responding."],
  [
    { ...blocking, refused: 14 },
    "Agents have been blocked since 17:14:02: The database is not responding. 14 requests refused.",
  ],
  [
    { ...blocking, refused: 1 },
    "Agents have been blocked since 17:14:02: The database is not responding. 1 request refused.",
  ],
  [{ ...well, state: "stopping" as const }, "The gateway is shutting down. New agent requests are refused."],
  [
    { ...well, state: "elsewhere" as const },
    "Agents use a different gateway. This console cannot read the status of that gateway.",
  ],
  ["silent" as const, "The gateway does not answer this page, so it is unknown whether agents get answers."],
  ["asking" as const, "Checking whether the gateway answers agents…"],
])("%#: %s", (status, text) => {
  expect(gatewayStatusText(status, AT.getTime())).toBe(text);
});
