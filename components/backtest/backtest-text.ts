/** A backtest in words; pure. */
import { formatCount, plural } from "@/components/ui/format/count";
import { formatDuration } from "@/components/ui/format/duration";
import type { Tone } from "@/components/ui/tone";
import type { LiveTestView } from "@/server/backtest/live-test/live-schema";
import type { BacktestRunView, FlipGroup, FlipView } from "@/server/backtest/run-schema";
import type { SampleView } from "@/server/backtest/sampling/sample-schema";
import type { Tally, UnknownReason } from "@/server/backtest/tally-schema";

export const STATE_TONES: Readonly<Record<BacktestRunView["state"], Tone>> = {
  ...{
    waiting: "unknown",
    running: "observe",
    following: "observe",
    finished: "allow",
    canceled: "canceled",
    failed: "error",
  },
};

export const UNKNOWN_TEXTS: Readonly<Record<UnknownReason, string>> = {
  erased: "The recorded input was erased or deleted",
  masked: "The recorded input has masked secrets",
  removed_agent: "The agent was removed",
  marks: "The marks that rules had set on the session by then are unknown",
  approvers: "An exception depends on approvers at the time of the call, who are unknown",
  judge: "The outcome depends on a judge's answer",
  agent_side: "The outcome depends on a hook that runs only on the agent's machine",
  command: "The outcome depends on the result of a command hook",
  network: "The outcome depends on a hook that uses the network",
  counter: "The outcome depends on earlier calls, which a budget or repeat guard counts",
  machine: "The outcome depends on a builtin that reads the agent's machine",
  busy: "The server was too busy to run every hook",
  not_sampled: "The outcome depends on a command or a judge, and the call is outside the sample",
  unanswered: "A command or a judge gave no answer",
  judge_once: "One answer of a judge leaves the outcome unchanged. A second answer could change it",
};

export const GROUPS: readonly { readonly value: FlipGroup; readonly label: string }[] = [
  { value: "rule", label: "Rule" },
  { value: "agent", label: "Agent" },
  { value: "tag", label: "Tag" },
  { value: "tool", label: "Tool" },
  { value: "family", label: "Command" },
  { value: "session", label: "Session" },
];

/** The name of a group without a value. */
export const NO_VALUE: Readonly<Record<FlipGroup, string>> = {
  ...{ rule: "No rule decides", agent: "Unnamed agent", tag: "No tag", tool: "No tool" },
  ...{ family: "No shell command", session: "No session" },
};

export const verdictText = (verdict: FlipView["from"]): string => (verdict === "none" ? "no verdict" : verdict);

export const flipTone = ({ to, isLooser }: Pick<FlipView, "to" | "isLooser">): Tone =>
  isLooser ? "allow" : to === "none" ? "unknown" : to;

export function flipText({ from, to }: Pick<FlipView, "from" | "to">): string {
  return from === to ? `${verdictText(to)}, other answer` : `${verdictText(from)} → ${verdictText(to)}`;
}

export const changedCount = ({ looser, stricter, otherwise }: Tally): number => looser + stricter + otherwise;

export const unknownCount = ({ unknown }: Tally): number =>
  Object.values(unknown).reduce((sum, count) => sum + (count ?? 0), 0);

/** "12,000 of 100,000 calls read. About 20 s left." */
export function progressText({ looked, total, remainingMs, state, sample }: BacktestRunView): string {
  if (state === "waiting") return "Queued. Backtests run in the background, so you can leave this page.";
  const [size, done] = [sumOf(sample, "size"), sumOf(sample, "done")];
  if (done > 0) return `All recorded calls were read. ${formatCount(done)} of ${plural(size, "sampled call")} run.`;
  const of = total === null ? "" : ` of ${formatCount(Math.max(total, looked))}`;
  const left = remainingMs === null ? "" : ` About ${formatDuration(remainingMs)} left.`;
  return `${formatCount(looked)}${of} calls read.${left}`;
}

const sumOf = (sample: SampleView | null, part: "size" | "done"): number =>
  (sample?.kinds ?? []).reduce((sum, one) => sum + one[part], 0);

/** The scope of a run: "90 days", "newest 5,000 calls of 7 days" or "Live calls, using up to 10 % of a processor". */
export function scopeText({ days, callsMax, live }: Pick<BacktestRunView, "days" | "callsMax" | "live">): string {
  if (live !== null) return `Live calls, using up to ${live.percent} % of a processor`;
  const range = plural(days, "day");
  return callsMax === null ? range : `newest ${formatCount(callsMax)} calls of ${range}`;
}

/** "≤ 0.2 ms", or null without calls. */
export const addedText = (us: number | null): string | null =>
  us === null ? null : us === 0 ? "0 ms" : `≤ ${us < 1_000 ? us / 1_000 : formatCount(us / 1_000)} ms`;

/** A finished run in a sentence. */
export function resultText({ tally, looked, days }: Pick<BacktestRunView, "tally" | "looked" | "days">): string {
  const calls = plural(looked, "call");
  const [changed, unknown] = [changedCount(tally), unknownCount(tally)];
  if (looked === 0) return `No calls in the last ${plural(days, "day")} to run. The effect of the draft is unknown.`;
  if (changed === 0 && unknown === 0 && tally.unread === looked)
    return `Neither the draft nor a policy in force checks any of ${calls}. The draft's effect on other calls is unknown.`;
  if (unknown * 2 > looked) return `The outcome of ${formatCount(unknown)} of ${calls} is unknown.`;
  if (changed === 0 && unknown === 0)
    return `With the draft, all ${calls} would have the same outcome as with the policies in force.`;
  return `${formatCount(changed)} of ${calls} would have a different outcome than with the policies in force.`;
}

type LiveRun = Pick<BacktestRunView, "looked" | "live">;

/** "Checked 4,310 of 9,882 calls. The other 5,572 were skipped to stay within 10 % of a processor." */
export function coverageText({ looked, live }: LiveRun): string {
  const skipped = live?.skipped ?? 0;
  if (skipped === 0) return `Checked ${plural(looked, "call")}, all since its start.`;
  const of = `Checked ${formatCount(looked)} of ${plural(looked + skipped, "call")}.`;
  return `${of} The other ${formatCount(skipped)} were skipped to stay within ${live?.percent ?? 0} % of a processor.`;
}

/** "3 calls would be newly denied of 1,204 checked" */
export function newDenialsText({ run: { looked, tally }, newVerdicts }: LiveTestView): string {
  if (looked === 0) return "no call was checked yet";
  const least = tally.notKept > 0 ? "at least " : "";
  return `${least}${plural(newVerdicts.denied, "call")} would be newly denied of ${formatCount(looked)} checked`;
}
