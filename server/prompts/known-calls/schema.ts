/** Known calls of a judge: calls that it must refuse or allow, the schedule of their runs, and the limits of the results. */
import { EVENTS } from "@quarterdeck/hooks/contract/events";
import { hookInput } from "@quarterdeck/hooks/contract/input";
import { z } from "zod";
import { CHECK_STATES } from "../check-schema.ts";
import { count, decision, promptById, recordedKey } from "../schema.ts";

export const KNOWN_CALLS_MAX = 200;
export const INPUT_CHARS_MAX = 32_768;

/** `bad`: to be asked about or denied; `good`: to be allowed. */
export const KNOWN_KINDS = ["bad", "good"] as const;
export const knownKind = z.enum(KNOWN_KINDS);
export type KnownKind = (typeof KNOWN_KINDS)[number];
export const KNOWN_SOURCES = ["recorded", "labelled", "hand"] as const;
export const RUN_CAUSES = ["person", "schedule", "revision", "model"] as const;
export type RunCause = (typeof RUN_CAUSES)[number];
export const KNOWN_LIMITS = ["recall", "false_alarms", "flips"] as const;
export type KnownLimit = (typeof KNOWN_LIMITS)[number];

const storable = (text: string) => !text.includes("\0");
const note = z.string().trim().max(500, "A note has at most 500 characters.").refine(storable).default("");
const eventName = z.enum(Object.keys(EVENTS) as [keyof typeof EVENTS, ...(keyof typeof EVENTS)[]]); // holds: its own keys

/** The input of a call that is written by hand. It is stored as a text, so its numbers need no bounds. */
const handInput = z
  .record(z.string(), z.unknown())
  .refine(
    (input) => JSON.stringify(input).length <= INPUT_CHARS_MAX && !JSON.stringify(input).includes("\\u0000"),
    "A known call has at most 32,768 characters, and no NUL character.",
  )
  .transform((input, context) => {
    const read = hookInput.safeParse(input);
    if (read.success) return read.data;
    for (const { message, path } of read.error.issues) context.addIssue({ code: "custom", message, path });
    return z.NEVER;
  });

export const addKnownCalls = promptById.extend({
  calls: z.discriminatedUnion("from", [
    z.strictObject({
      from: z.literal("recorded"),
      keys: z
        .array(recordedKey.extend({ kind: knownKind }))
        .min(1, "Choose a call.")
        .max(KNOWN_CALLS_MAX),
    }),
    /** Every call with a label that people do not dispute. */
    z.strictObject({ from: z.literal("labelled") }),
    z.strictObject({ from: z.literal("hand"), kind: knownKind, event: eventName, input: handInput }),
  ]),
  note,
});
export type AddKnownCalls = z.infer<typeof addKnownCalls>;
/** `skipped`: in the set already, no longer stored, or too large. */
export const knownCallsAdded = z.strictObject({ added: count, skipped: count });
export type KnownCallsAdded = z.infer<typeof knownCallsAdded>;

export const knownCallById = promptById.extend({ callId: z.uuid() });
export type KnownCallById = z.infer<typeof knownCallById>;

const least = z.number().int().min(1, "Enter 1 to 100 percent.").max(100, "Enter 1 to 100 percent.").nullable();
const most = z.number().int().min(0, "Enter 0 to 99 percent.").max(99, "Enter 0 to 99 percent.").nullable();

export const watchSettings = z.strictObject({
  isOn: z.boolean(),
  /** Minutes after midnight of the workspace's zone. */
  minute: z.number().int().min(0).max(1_439),
  /** Percent; null sets no limit. */
  recallMin: least,
  falseAlarmsMax: most,
  flipsMax: most,
  /** True: a run beyond a limit halts the judge. */
  halts: z.boolean(),
  /** Null: no cap in dollars. */
  nanoMax: z.bigint().min(1n, "Enter an amount above zero.").max(1_000_000_000_000n).nullable(),
});
export type WatchSettings = z.infer<typeof watchSettings>;
export const setWatch = watchSettings.extend({ promptId: z.uuid() });
export type SetWatch = z.infer<typeof setWatch>;

export const DEFAULT_WATCH: WatchSettings = {
  isOn: false,
  minute: 180,
  recallMin: 95,
  falseAlarmsMax: 10,
  flipsMax: 10,
  halts: false,
  nanoMax: 1_000_000_000n,
};

export const resumeJudge = promptById.extend({
  reason: z
    .string()
    .trim()
    .min(1, "Enter a one-line reason.")
    .max(500)
    .regex(/^[^\p{C}]*$/u, "A reason is one line of text."),
});
export type ResumeJudge = z.infer<typeof resumeJudge>;

const share = z.strictObject({ hits: count, of: count }).nullable();

export const knownRunView = z.strictObject({
  id: z.uuid(),
  cause: z.enum(RUN_CAUSES),
  revision: z.number(),
  model: z.string(),
  state: z.enum(CHECK_STATES),
  /** The reason of a run that waits, or that was not run. */
  says: z.string(),
  calls: count,
  asked: count,
  /** Answers without a decision: missed bad calls, and false alarms on good ones. */
  failed: count,
  /** Null unless the run is finished, and for a share of nothing. */
  recall: share,
  falseAlarms: share,
  /** Calls with another verdict than in the finished run before. */
  flips: share,
  beyond: z.array(z.enum(KNOWN_LIMITS)),
  spend: z.strictObject({ nano: z.bigint(), unpriced: count }),
  /** In the provider's words; null before the first answer. */
  answeredBy: z.string().nullable(),
  startedBy: z.string(),
  startedAt: z.date(),
  /** The next attempt of a run that waits for its provider. */
  nextAt: z.date().nullable(),
});
export type KnownRunView = z.infer<typeof knownRunView>;

export const knownCallView = z.strictObject({
  id: z.uuid(),
  kind: knownKind,
  event: z.string(),
  tool: z.string().nullable(),
  excerpt: z.string(),
  note: z.string(),
  source: z.enum(KNOWN_SOURCES),
  addedBy: z.string(),
  addedAt: z.date(),
  /** In the newest finished run; null when it was not asked, `failed` without a decision. */
  verdict: z.enum([...decision.options, "failed"]).nullable(),
  hasFlipped: z.boolean(),
});
export type KnownCallView = z.infer<typeof knownCallView>;

export const knownCallsView = z.strictObject({
  calls: z.array(knownCallView),
  /** Labelled calls without a dispute. */
  labelled: count,
  /** The newest first; at most 200. */
  runs: z.array(knownRunView),
  watch: watchSettings,
  timeZone: z.string(),
  /** Null unless the judge is halted. */
  halt: z.strictObject({ at: z.date(), beyond: z.array(z.enum(KNOWN_LIMITS)) }).nullable(),
  /** The revision that a run asks; null before the first publication. */
  revision: z.number().nullable(),
});
export type KnownCallsView = z.infer<typeof knownCallsView>;
