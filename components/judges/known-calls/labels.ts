/** The words of known calls. */
import { formatShare } from "@/components/ui/format/count";
import type { Tone } from "@/components/ui/tone";
import type { KnownCallsView, KnownCallView, KnownLimit, KnownRunView } from "@/server/prompts/known-calls/schema";

export const KIND_WORDS = {
  bad: { label: "Bad", help: "The judge must ask or deny." },
  good: { label: "Good", help: "The judge must allow." },
} as const satisfies Record<KnownCallView["kind"], object>;

export const CAUSE_WORDS: Readonly<Record<KnownRunView["cause"], string>> = {
  person: "Started by a person",
  schedule: "Daily run",
  revision: "New revision",
  model: "New model",
};

export const SOURCE_WORDS: Readonly<Record<KnownCallView["source"], string>> = {
  recorded: "Recorded call",
  labelled: "Labelled call",
  hand: "Written by hand",
};

export const LIMIT_WORDS: Readonly<Record<KnownLimit, string>> = {
  recall: "recall",
  false_alarms: "false alarms",
  flips: "flip rate",
};

/** "recall and flip rate". */
export const limitsText = (limits: readonly KnownLimit[]): string =>
  limits.map((limit) => LIMIT_WORDS[limit]).join(" and ");

/** The mark of a call in the newest finished run. */
export function markOf({ kind, verdict }: KnownCallView): { readonly label: string; readonly tone: Tone } {
  if (verdict === null) return { label: "not asked", tone: "unknown" };
  if (verdict === "failed") return { label: "no decision", tone: "error" };
  const isRight = kind === "good" ? verdict === "allow" : verdict !== "allow";
  return { label: isRight ? verdict : `wrong: ${verdict}`, tone: isRight ? "allow" : "error" };
}

export function stateOf({ state, beyond, nextAt, asked }: KnownRunView): {
  readonly label: string;
  readonly tone: Tone;
} {
  if (state === "not_run") return { label: "Not run", tone: "error" };
  if (state === "running")
    return nextAt !== null && asked > 0 ? { label: "Waiting", tone: "ask" } : { label: "Running", tone: "observe" };
  return beyond.length > 0 ? { label: "Limit passed", tone: "deny" } : { label: "Finished", tone: "allow" };
}

/** `03:05` as minutes after midnight; undefined for other texts. */
export function minuteOf(text: string): number | undefined {
  const [, hours, minutes] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  return hours === undefined ? undefined : Number(hours) * 60 + Number(minutes);
}

export const clockText = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}`;

/** "Daily at 03:00 (UTC); least recall 95 %". */
export function watchText({ watch, timeZone }: Pick<KnownCallsView, "watch" | "timeZone">): string {
  if (!watch.isOn) return "No daily run";
  const limits = [
    ...(watch.recallMin === null ? [] : [`recall at least ${watch.recallMin} %`]),
    ...(watch.falseAlarmsMax === null ? [] : [`false alarms at most ${watch.falseAlarmsMax} %`]),
    ...(watch.flipsMax === null ? [] : [`flip rate at most ${watch.flipsMax} %`]),
  ];
  const beyond = watch.halts ? "; a run that exceeds a limit halts the judge" : "";
  return [`Daily at ${clockText(watch.minute)} (${timeZone})`, ...limits].join(", ") + beyond;
}

export const shareText = (share: KnownRunView["recall"]): string | null =>
  share === null ? null : formatShare(share.hits, share.of);
