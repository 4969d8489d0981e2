/** The forecast and the sample of a backtest, as lines for people. */
import { type BacktestForecast, forecastMs, forecastNano } from "../backtest/sampling/forecast-schema.ts";
import type { SampleView } from "../backtest/sampling/sample-schema.ts";

const count = (value: number): string => Math.round(value).toLocaleString("en-US");

/** Dollars, rounded up to a hundredth of a cent. */
function dollars(nano: bigint): string {
  const parts = (nano + 99_999n) / 100_000n;
  const text = parts.toString().padStart(5, "0");
  return `$${text.slice(0, -4)}.${text.slice(-4).replace(/0{1,2}$/, "")}`;
}

const time = (ms: number | null): string => {
  if (ms === null) return "time unknown";
  const seconds = Math.max(1, Math.ceil(ms / 1_000));
  return `about ${seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`} on this node`;
};

export function forecastLines(forecast: BacktestForecast): string[] {
  const { calls, commands, judges } = forecast;
  const all = calls === null ? "Forecast" : `Forecast: ${count(calls)} calls`;
  const lines = [`${all}, ${time(forecastMs(forecast))}, in the background.`];
  if (commands?.canRun === false) lines.push("Commands: the server has no sandbox, so no command runs.");
  else if (commands) lines.push(`Commands: ${count(commands.size)} of about ${count(commands.of)} calls.`);
  if (judges) {
    const nano = forecastNano(forecast);
    const bound = judges.measured === "prices" ? "at most" : "about";
    const cost = nano === null ? "cost unknown" : `${bound} ${dollars(nano)}`;
    lines.push(`Judges: ${count(judges.size)} of about ${count(judges.of)} calls, ${cost}.`);
  }
  return lines;
}

/** The calls of the sample, and those that have run. */
export const sampledOf = (sample: SampleView | null): { readonly size: number; readonly done: number } => ({
  size: (sample?.kinds ?? []).reduce((sum, { size }) => sum + size, 0),
  done: (sample?.kinds ?? []).reduce((sum, { done }) => sum + done, 0),
});

export function sampleLines(sample: SampleView | null): string[] {
  if (sample === null) return [];
  const { kinds, answers } = sample;
  const names = { command: "commands", judge: "judges" } as const;
  const lines = kinds.map(
    ({ kind, done, of }) => `  ${names[kind].padEnd(12)}  ${count(done)} of ${count(of)} calls run`,
  );
  if (answers === null) return lines;
  const { asked, reused, nano, nanoMax } = answers;
  const spent = `${count(reused)} from the cache, ${count(asked)} asked, ${dollars(nano)} of ${dollars(nanoMax)}`;
  return [...lines, `  ${spent}`, "  Each judge gave one answer, and its next answer may differ."];
}
