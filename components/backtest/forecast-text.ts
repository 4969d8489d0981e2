/** The forecast of a backtest in sentences. Pure. */
import { formatCount, plural } from "@/components/ui/format/count";
import { formatDuration } from "@/components/ui/format/duration";
import { shortMoney } from "@/components/ui/format/nano";
import { type BacktestForecast, forecastMs, forecastNano } from "@/server/backtest/sampling/forecast-schema";

const roughly = (ms: number): string => (ms < 1_000 ? "less than 1 s" : `about ${formatDuration(roundMs(ms))}`);
const roundMs = (ms: number): number =>
  ms > 120_000 ? Math.ceil(ms / 60_000) * 60_000 : Math.ceil(ms / 1_000) * 1_000;

/** "5,000,000 calls, about 8 m on this node, in the background." */
export function timeText(forecast: BacktestForecast): string {
  const { calls, callsPerSecond, measured } = forecast;
  if (calls === 0) return "No calls were recorded in these days.";
  const number = calls === null ? "There are too many calls to count quickly" : plural(calls, "call");
  const ms = forecastMs(forecast);
  const time = ms === null ? "time unknown" : `${roughly(ms)} on this node`;
  const rate =
    callsPerSecond === null
      ? ""
      : ` Speed: ${formatCount(Math.round(callsPerSecond))} calls a second, ${measured === "runs" ? "from earlier backtests" : "measured now"}.`;
  return `${number}, ${time}, in the background.${rate}`;
}

export function commandText({ commands }: BacktestForecast): string | null {
  if (commands === null) return null;
  if (!commands.canRun) return "Commands: this server has no sandbox, so no command runs.";
  if (commands.of === 0) return "Commands: no call needs the result of a command.";
  const part = `Commands run on ${formatCount(commands.size)} of about ${plural(commands.of, "call")}`;
  if (commands.msPerCall === null) return `${part}.`;
  const how = commands.measured === "recorded" ? "from recorded durations" : "measured now on a few calls";
  return `${part}, ${roughly(commands.size * commands.msPerCall)}: ${formatDuration(commands.msPerCall)} a call, ${how}.`;
}

export function judgeText(forecast: BacktestForecast): string | null {
  const { judges, commands } = forecast;
  if (judges === null) return null;
  if (judges.of === 0) {
    const also =
      commands?.canRun && commands.size > 0 ? " Calls with commands can also ask a judge, within the budget." : "";
    return `Judges: no outcome depends on judges alone.${also}`;
  }
  const part = `Judges are asked about ${formatCount(judges.size)} of about ${plural(judges.of, "call")}`;
  const nano = forecastNano(forecast);
  if (nano === null) return `${part}. The cost is unknown: a model has no price. It is not asked within a budget.`;
  const cost = shortMoney(nano);
  return judges.measured === "prices"
    ? `${part}, at most ${cost} by the price list.`
    : `${part}, about ${cost} at the mean of the ledger.`;
}
