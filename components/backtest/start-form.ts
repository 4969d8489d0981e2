/** The settings of a backtest as form texts, and as it is started. Pure. */
import type { Wrongs } from "@/components/ui/form-texts";
import { nanoOf } from "@/components/ui/format/dollars";
import { type BacktestSample, SAMPLE_LIMITS } from "@/server/backtest/sampling/sample-schema";

export const DAYS = ["1", "7", "30", "90"] as const;

export interface StartDraft {
  readonly days: (typeof DAYS)[number];
  readonly runsCommands: boolean;
  readonly commands: string;
  readonly asksJudges: boolean;
  readonly judges: string;
  readonly dollars: string;
}

export const FRESH: StartDraft = {
  ...{ days: "7", runsCommands: false, commands: String(SAMPLE_LIMITS.calls) },
  ...{ asksJudges: false, judges: String(SAMPLE_LIMITS.calls), dollars: "" },
};

export interface StartInput {
  readonly days: number;
  readonly sample: BacktestSample;
}

const CALLS = `Enter a whole number from 1 to ${SAMPLE_LIMITS.callsMax.toLocaleString("en-US")}.`;

export function readStart(draft: StartDraft): { input: StartInput } | { wrongs: Wrongs } {
  const wrongs: Record<string, string> = {};
  const calls = (field: "commands" | "judges") => {
    const number = /^\d{1,4}$/.test(draft[field].trim()) ? Number(draft[field]) : 0;
    if (number < 1 || number > SAMPLE_LIMITS.callsMax) wrongs[field] = CALLS;
    return number;
  };
  const commands = draft.runsCommands ? calls("commands") : null;
  const judged = draft.asksJudges ? calls("judges") : null;
  const nanoMax = nanoOf(draft.dollars.trim()) ?? 0n;
  if (judged !== null && (nanoMax < 1n || nanoMax > SAMPLE_LIMITS.nanoMax))
    wrongs.dollars = "Enter an amount in dollars, such as 0.50, at most 1,000.";
  if (Object.keys(wrongs).length > 0) return { wrongs };
  const judges = judged === null ? null : { calls: judged, nanoMax };
  return { input: { days: Number(draft.days), sample: { commands, judges } } };
}
