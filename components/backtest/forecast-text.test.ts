import { expect, it } from "vitest";
import type { BacktestForecast } from "@/server/backtest/sampling/forecast-schema";
import { commandText, judgeText, timeText } from "./forecast-text.ts";

const plain: BacktestForecast = {
  ...{ calls: 5_000_000, callsPerSecond: 10_000, measured: "runs", commands: null, judges: null },
};

it("says how long 5 million calls take, in the background", () => {
  expect(timeText(plain)).toBe(
    "5,000,000 calls, about 9 m on this node, in the background. Speed: 10,000 calls a second, from earlier backtests.",
  );
  expect(timeText({ ...plain, calls: 0 })).toBe("No calls were recorded in these days.");
  expect(timeText({ ...plain, calls: null })).toContain("time unknown");
});

it("adds the time of the sampled commands", () => {
  const commands = { of: 4_200, size: 200, msPerCall: 1_200, measured: "recorded", canRun: true } as const;
  const forecast: BacktestForecast = { ...plain, calls: 10_000, commands };
  expect(commandText(forecast)).toBe(
    "Commands run on 200 of about 4,200 calls, about 4 m: 1.2 s a call, from recorded durations.",
  );
  expect(timeText(forecast)).toContain("about 5 m on this node");
  expect(commandText({ ...plain, commands: { ...commands, canRun: false } })).toContain("no sandbox");
});

it("says what the judges cost, and where the number is from", () => {
  const judges = { of: 450, size: 200, nanoPerCall: 500_000n, measured: "ledger" } as const;
  expect(judgeText({ ...plain, judges })).toBe(
    "Judges are asked about 200 of about 450 calls, about $0.10 at the mean of the ledger.",
  );
  expect(judgeText({ ...plain, judges: { ...judges, measured: "prices" } })).toContain("at most $0.10");
  expect(judgeText({ ...plain, judges: { ...judges, nanoPerCall: null, measured: null } })).toContain("unknown");
});

it("says that calls with commands may ask a judge, when no call needs only one", () => {
  const judges = { of: 0, size: 0, nanoPerCall: null, measured: null };
  const commands = { of: 4, size: 4, msPerCall: null, measured: null, canRun: true };
  expect(judgeText({ ...plain, judges })).toBe("Judges: no outcome depends on judges alone.");
  expect(judgeText({ ...plain, judges, commands })).toBe(
    "Judges: no outcome depends on judges alone. Calls with commands can also ask a judge, within the budget.",
  );
  expect(judgeText({ ...plain, judges, commands: { ...commands, canRun: false } })).not.toContain("may ask");
});
