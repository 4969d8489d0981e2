import { z } from "zod";

/**
 * How an attempt ended: a summary was applied, a hook vetoed it, it is under way, or nothing was heard after it began
 * (the agent gave up, or its last event never came).
 */
export const attemptOutcome = z.enum(["applied", "vetoed", "running", "unfinished"]);
export type AttemptOutcome = z.infer<typeof attemptOutcome>;

/** What hooks did on the way: steered the prompt of the summary, replaced the summary, or vetoed the whole. */
export const intervention = z.enum(["steered", "replaced", "vetoed"]);
export type Intervention = z.infer<typeof intervention>;

const range = z
  .strictObject({ from: z.date(), to: z.date() })
  .refine(({ from, to }) => from < to, { message: "The range must end after it begins.", path: ["to"] });
export const compactionRange = range;
export type CompactionRange = z.infer<typeof compactionRange>;

/** An attempt is known by its first event. */
export const attemptKey = z.strictObject({
  // Years that PostgreSQL and JavaScript agree about.
  occurredAt: z.date().min(new Date("2000-01-01T00:00:00Z")).max(new Date("2200-01-01T00:00:00Z")),
  id: z.uuid(),
});
export type AttemptKey = z.infer<typeof attemptKey>;

/** The key of an attempt as it stands in a URL. */
export const keyText = ({ occurredAt, id }: AttemptKey): string => `${occurredAt.getTime()}.${id}`;

/** The key a text says; null when it says none. */
export function parseKey(text: string | null): AttemptKey | null {
  const [, ms, id] = /^(\d{1,16})\.([0-9a-f-]{36})$/i.exec(text ?? "") ?? [];
  const parsed = attemptKey.safeParse({ occurredAt: new Date(Number(ms)), id });
  return parsed.success ? parsed.data : null;
}

const anyOf = z.array(z.string().max(4_096)).max(50).default([]);
export const listCompactions = range.safeExtend({
  reasons: anyOf,
  agents: anyOf,
  sessions: anyOf,
  outcomes: z.array(attemptOutcome).max(4).default([]),
  hooks: z.array(intervention).max(3).default([]),
  text: z.string().max(200).default(""),
  cursor: attemptKey.nullish(),
  /** Said by clients that page; there is only one way to go. */
  direction: z.literal("forward").optional(),
  limit: z.number().int().min(1).max(200).default(50),
});
export type ListCompactions = z.infer<typeof listCompactions>;

const count = z.number().int().nonnegative();
const known = z.bigint().nullable();

/** pre_compact, before_compaction and after_compaction of one session, folded into one attempt. */
export const attemptView = z.strictObject({
  id: z.uuid(),
  occurredAt: z.date(),
  agentId: z.uuid(),
  agentName: z.string(),
  sessionId: z.string(),
  /** The canonical word; "" when no event said one. */
  reason: z.string(),
  outcome: attemptOutcome,
  interventions: z.array(intervention),
  /** The words of the veto, null without one. */
  vetoedBecause: z.string().nullable(),
  inputTokens: known,
  outputTokens: known,
  /** Input and output together: what the summary replaces. Null when no event said either. */
  tokensBefore: known,
  contextLimit: known,
  /** From its first event to the last; null until it is over. */
  durationMs: z.number().nonnegative().nullable(),
  /** The beginning of the summary, and the size of all of it. */
  summaryStart: z.string().nullable(),
  summaryBytes: count.nullable(),
  /** Which of the three events were recorded. */
  events: z.array(z.string()),
});
export type AttemptView = z.infer<typeof attemptView>;

export const compactionsView = z.strictObject({ attempts: z.array(attemptView), next: attemptKey.nullable() });
export type CompactionsView = z.infer<typeof compactionsView>;

export const compactionSummaryView = z.strictObject({
  from: z.date(),
  to: z.date(),
  attempts: count,
  applied: count,
  vetoed: count,
  running: count,
  unfinished: count,
  steered: count,
  replaced: count,
  /** Attempts by reason, the most frequent first. */
  reasons: z.array(z.strictObject({ reason: z.string(), attempts: count, applied: count, tokensBefore: z.bigint() })),
  /** Over the attempts that said it; null when none did. */
  medianTokensBefore: known,
  /** Tokens before, as a share of the context limit (0.9 is 90 %). */
  medianShareOfLimit: z.number().nonnegative().nullable(),
  medianDurationMs: z.number().nonnegative().nullable(),
  sessions: count,
  /** Set when the range holds more attempts than were counted: the newest were. */
  isCut: z.boolean(),
});
export type CompactionSummaryView = z.infer<typeof compactionSummaryView>;

/** What one hook did, for the drawer. */
export const compactionHookView = z.strictObject({
  policy: z.string(),
  revision: z.number(),
  path: z.string(),
  name: z.string(),
  type: z.string(),
  outcome: z.string(),
  said: z.string(),
  failure: z.string().nullable(),
  startedMs: z.number(),
  durationMs: z.number(),
  exitCode: z.number().nullable(),
  stdout: z.string(),
  stderr: z.string(),
});
export type CompactionHookView = z.infer<typeof compactionHookView>;

export const compactionStepView = z.strictObject({
  id: z.uuid(),
  occurredAt: z.date(),
  event: z.string(),
  /** nothing, vetoed, replaced, steered or applied, and the words that did it. */
  effect: z.string(),
  effectText: z.string(),
  origin: z.string(),
  revision: z.string(),
  durationUs: count,
  hooks: z.array(compactionHookView),
  input: z.string(),
  answer: z.string(),
});
export type CompactionStepView = z.infer<typeof compactionStepView>;

export const attemptDetailView = attemptView.extend({
  steps: z.array(compactionStepView),
  /** The whole summary, cut after 512 Ki characters. */
  summary: z.string().nullable(),
  /** The summary a hook supplied instead of the model's; null when none did. */
  replacedBy: z.string().nullable(),
  steeredBy: z.string().nullable(),
  /** This attempt among those of its session, from 1, and its neighbours there. */
  ordinal: count,
  ofSession: count,
  previous: attemptKey.nullable(),
  next: attemptKey.nullable(),
});
export type AttemptDetailView = z.infer<typeof attemptDetailView>;
