/** The time and the cost of a backtest before it starts. */
import { z } from "zod";
import { RUN_LIMITS, startTextBacktest } from "../run-schema.ts";
import { SAMPLE_LIMITS } from "./sample-schema.ts";

const calls = z.number().int().min(1).max(SAMPLE_LIMITS.callsMax).nullable();
const asked = {
  days: z.number().int().min(1).max(RUN_LIMITS.daysMax),
  /** The calls of the sample on which commands run, and on which judges are asked; null: none. */
  commands: calls,
  judges: calls,
};

/** The draft of a policy, or a text in its place. */
export const forecastBacktest = z.union([
  z.strictObject({ policyId: z.uuid(), draftVersion: z.number().int().min(0).max(2_147_483_647), ...asked }),
  startTextBacktest.pick({ policy: true, source: true }).extend(asked),
]);
export type ForecastBacktest = z.infer<typeof forecastBacktest>;

const count = z.number().min(0);

export const commandForecast = z.object({
  /** The calls that need the result of a command, about. */
  of: count,
  /** The calls of the sample. */
  size: count,
  /** Milliseconds for one of them; null where it is not known. */
  msPerCall: count.nullable(),
  /** Recorded durations of these hooks, or a few calls that ran now. */
  measured: z.enum(["recorded", "now"]).nullable(),
  /** False without a sandbox: no command runs. */
  canRun: z.boolean(),
});

export const judgeForecast = z.object({
  of: count,
  size: count,
  /** The cost of one call in nano-dollars; null for a model without a price. */
  nanoPerCall: z.bigint().nullable(),
  /** The mean of the ledger, or an upper bound from the price list. */
  measured: z.enum(["ledger", "prices"]).nullable(),
});

export const backtestForecast = z.object({
  /** Null where counting took too long. */
  calls: count.nullable(),
  /** Null without calls. */
  callsPerSecond: count.nullable(),
  /** Earlier backtests of this workspace, or a few calls that ran now. */
  measured: z.enum(["runs", "now"]),
  commands: commandForecast.nullable(),
  judges: judgeForecast.nullable(),
});
export type BacktestForecast = z.infer<typeof backtestForecast>;

/** Milliseconds to read all calls and to run the sampled commands; null where a part is not known. */
export function forecastMs({ calls: all, callsPerSecond, commands }: BacktestForecast): number | null {
  if (all === 0) return 0;
  if (all === null || callsPerSecond === null || callsPerSecond === 0) return null;
  const readMs = (all / callsPerSecond) * 1_000;
  if (commands === null || !commands.canRun || commands.size === 0) return readMs;
  return commands.msPerCall === null ? null : readMs + commands.size * commands.msPerCall;
}

/** The cost of the sampled judges in nano-dollars; null where it is not known. */
export function forecastNano({ judges }: BacktestForecast): bigint | null {
  if (judges === null || judges.size === 0) return 0n;
  return judges.nanoPerCall === null ? null : judges.nanoPerCall * BigInt(judges.size);
}
