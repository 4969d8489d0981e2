/** A trial as form texts, and as it is started. Pure. */

import type { EventName } from "@quarterdeck/hooks/contract/events";
import type { Wrongs } from "@/components/ui/form-texts";
import { nanoOf } from "@/components/ui/format/dollars";
import {
  type JudgedText,
  type RecordedFilter,
  recordedFilter,
  type StartTrial,
  startTrial,
  TRIAL_LIMITS,
} from "@/server/prompts/schema";

export interface TrialDraft {
  /** "draft", or a revision's number. */
  readonly what: string;
  readonly event: EventName;
  readonly tool: string;
  readonly agent: string;
  /** A `RecordedFilter["only"]`, or "same" and a trial's id. */
  readonly on: string;
  readonly calls: string;
  readonly repeats: string;
  readonly timeout: string;
  readonly dollars: string;
  readonly callsMax: string;
  /** True if the latest revision is tried on the same calls, to compare a draft with it. */
  readonly compares: boolean;
}

/** The trial of the text, and the latest revision that is tried on the same calls before; null for none. */
export interface ReadTrial {
  readonly trial: StartTrial;
  readonly before: number | null;
}

interface Around {
  readonly promptId: string;
  readonly text: JudgedText;
  readonly isPriced: boolean;
  /** 0 before the first publication. */
  readonly latestRevision: number;
}

/** True if the trial of this draft can be compared with one of the latest revision on the same calls. */
export const canCompare = ({ what, on }: Pick<TrialDraft, "what" | "on">, latestRevision: number): boolean =>
  what === "draft" && latestRevision > 0 && !on.startsWith("same ");

export function readTrial(
  draft: TrialDraft,
  { promptId, text, isPriced, latestRevision }: Around,
): { input: ReadTrial } | { wrongs: Wrongs } {
  const wrongs: Record<string, string> = {};
  const whole = (field: "calls" | "repeats" | "timeout", max: number) => {
    const number = /^\d{1,4}$/.test(draft[field].trim()) ? Number(draft[field]) : 0;
    if (number < 1 || number > max) wrongs[field] = `Enter a whole number from 1 to ${max}.`;
    return number;
  };
  const [, sameAs] = /^same (.+)$/.exec(draft.on) ?? [];
  const calls = sameAs === undefined ? whole("calls", TRIAL_LIMITS.calls) : TRIAL_LIMITS.calls;
  const repeats = whole("repeats", TRIAL_LIMITS.repeats);
  const timeoutSeconds = whole("timeout", TRIAL_LIMITS.timeoutSeconds);
  const nano = isPriced ? nanoOf(draft.dollars) : null;
  if (isPriced && (nano === null || nano === 0n)) wrongs.dollars = "Enter dollars, such as 0.50.";
  const callsMax =
    draft.callsMax.trim() === "" ? Math.min(calls * repeats, TRIAL_LIMITS.questions) : Number(draft.callsMax);
  if (!Number.isInteger(callsMax) || callsMax < 1 || callsMax > TRIAL_LIMITS.questions)
    wrongs.callsMax = "Enter a whole number from 1 to 1,000, or leave the field empty.";
  if (sameAs === undefined && calls * repeats > TRIAL_LIMITS.questions)
    wrongs.repeats = "A trial can make at most 1,000 model calls. Choose fewer calls or repeats.";
  const only = recordedFilter.shape.only.options.find((one) => one === draft.on) ?? "all";
  const filter: RecordedFilter = {
    event: draft.event,
    tool: draft.tool.trim() || null,
    agent: draft.agent.trim() || null,
    only,
    judge: null,
  };
  const parsed = startTrial.safeParse({
    promptId,
    what: draft.what === "draft" ? { kind: "draft", text } : { kind: "revision", number: Number(draft.what) },
    on: sameAs === undefined ? { kind: "filter", filter, calls } : { kind: "same", trialId: sameAs },
    repeats,
    timeoutSeconds,
    budget: { calls: callsMax, nano },
  });
  if (Object.keys(wrongs).length > 0) return { wrongs };
  const before = draft.compares && canCompare(draft, latestRevision) ? latestRevision : null;
  return parsed.success
    ? { input: { trial: parsed.data, before } }
    : { wrongs: { calls: parsed.error.issues[0]?.message ?? "Invalid value." } };
}
