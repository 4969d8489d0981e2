import { z } from "zod";
import { eventKey } from "../recording/event-key-schema.ts";

/**
 * The outcome of an attempt: a summary was applied, a hook vetoed it, it is running, or no later event arrived (the
 * agent gave up, or its last event was lost).
 */
export const attemptOutcome = z.enum(["applied", "vetoed", "running", "unfinished"]);
export type AttemptOutcome = z.infer<typeof attemptOutcome>;

/** The interventions of hooks: they steered the prompt of the summary, replaced the summary, or vetoed the whole. */
export const intervention = z.enum(["steered", "replaced", "vetoed"]);
export type Intervention = z.infer<typeof intervention>;

const range = z
  .strictObject({ from: z.date(), to: z.date() })
  .refine(({ from, to }) => from < to, { message: "The range must end after it begins.", path: ["to"] });
export const compactionRange = range;
export type CompactionRange = z.infer<typeof compactionRange>;

/** The next turns against the session's own before: with more trouble, without, or too few to say. */
export const troubleAfter = z.enum(["trouble", "calm", "unknown"]);
export type TroubleAfter = z.infer<typeof troubleAfter>;

/** The facts that a summary lost; unknown without a summary, and where they were not counted. */
export const lossState = z.enum(["some", "none", "unknown"]);

const anyOf = z.array(z.string().max(4_096)).max(50).default([]);
/** The attempts that begin in the range and pass every filter. */
export const compactionFilter = range.safeExtend({
  reasons: anyOf,
  agents: anyOf,
  sessions: anyOf,
  outcomes: z.array(attemptOutcome).max(4).default([]),
  hooks: z.array(intervention).max(3).default([]),
  models: anyOf,
  after: z.array(troubleAfter).max(3).default([]),
  lost: z.array(lossState).max(3).default([]),
  text: z.string().max(200).default(""),
});
export type CompactionFilter = z.infer<typeof compactionFilter>;

export const listCompactions = compactionFilter.safeExtend({
  cursor: eventKey.nullish(),
  /** Sent by paging clients; there is only one direction. */
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
  /** The canonical reason; "" when no event reported one. */
  reason: z.string(),
  outcome: attemptOutcome,
  interventions: z.array(intervention),
  /** The reason of the veto; null without one. */
  vetoedBecause: z.string().nullable(),
  inputTokens: known,
  outputTokens: known,
  /** Input and output tokens together, which the summary replaces. Null when no event reported either. */
  tokensBefore: known,
  /** Tokens. Null when no event reported one, or when the agent does not know it and sent 0. */
  contextLimit: known,
  /** The time from its first event to the last; null until it is over. */
  durationMs: z.number().nonnegative().nullable(),
  /** The beginning of the summary, and the size of all of it. */
  summaryStart: z.string().nullable(),
  summaryBytes: count.nullable(),
  /** Those of the three events that were recorded. */
  events: z.array(z.string()),
});
export type AttemptView = z.infer<typeof attemptView>;

/** Counts over some turns. */
export const measures = z.strictObject({
  turns: count,
  /** Tool calls, and those that were the third or later of their like within ten turns. */
  calls: count,
  loops: count,
  /** Tool calls that a gate denied. */
  denied: count,
  /** Calls with a result, and those whose result was an error. */
  finished: count,
  failed: count,
  /** `on_error` events. */
  errors: count,
  /** Questions, a person's or the agent's, and those that had been asked before. */
  prompts: count,
  repeats: count,
  /** Files that were read, and those that had been read before. */
  reads: count,
  rereads: count,
});
export type Measures = z.infer<typeof measures>;
export type Measure = keyof Measures;

/** The reason that the tokens after are unknown; "" when they are known. */
export const afterMissing = z.enum(["", "not_applied", "no_call_yet", "compacted_again", "no_usage"]);
export type AfterMissing = z.infer<typeof afterMissing>;

/**
 * `told`: a model call was recorded during the compaction. `no_call`: no model call was made. `not_told`: the agent
 * does not report it.
 */
export const costState = z.enum(["told", "unpriced", "no_call", "not_told"]);
export type CostState = z.infer<typeof costState>;

/** The next ten turns: complete, cut short by another compaction, ended with the session, still open, or none. */
export const nextTurns = z.enum(["full", "cut", "ended", "open", "none"]);
export type NextTurns = z.infer<typeof nextTurns>;

/** An attempt joined with what came before and after it. */
export const joinedView = z.strictObject({
  modelId: z.string(),
  /** Input, cached input and cache writes of the next model call: the whole context then. */
  tokensAfter: known,
  afterMissing,
  hooksRun: count,
  hooksFailed: count,
  costNano: z.bigint().nullable(),
  costState,
  /** The number of secrets that the summary held before it was masked; null without a summary. */
  secrets: count.nullable(),
  /** By rule. Empty with secrets: they were counted without their rules. */
  secretRules: z.array(z.tuple([z.string(), count])),
  nextTurns,
  before: measures,
  after: measures,
  /** Null: too few turns to say. */
  isTroubled: z.boolean().nullable(),
});
export type JoinedView = z.infer<typeof joinedView>;

/** Facts known before a compaction, and those of them that its summary lost. */
export const losses = z.strictObject({ known: count, lost: count });
export type Losses = z.infer<typeof losses>;

/** The parts of the joined record that a list shows; null until it is joined, some seconds after the fact. */
const listedAttemptView = attemptView.extend({
  joined: joinedView
    .pick({ modelId: true, tokensAfter: true, afterMissing: true, secrets: true, isTroubled: true })
    .extend({ losses: losses.nullable() })
    .nullable(),
});
export type ListedAttemptView = z.infer<typeof listedAttemptView>;

export const compactionsView = z.strictObject({ attempts: z.array(listedAttemptView), next: eventKey.nullable() });
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

/** The run of one hook, for the drawer. */
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
  previous: eventKey.nullable(),
  next: eventKey.nullable(),
});
export type AttemptDetailView = z.infer<typeof attemptDetailView>;

/** The recall of something known before, in a summary: all of it, a part, or nothing. Null without a summary. */
export const recallLevel = z.enum(["whole", "part", "lost"]).nullable();
export type RecallLevel = z.infer<typeof recallLevel>;

/** One attempt with the session around it. */
export const sessionContextView = z.strictObject({
  joined: joinedView,
  /** The troubles that were more frequent than before, by the name of their count. */
  troubles: z.array(z.string()),
  /** The number of events of the session before the attempt, the newest first and limited. */
  events: count,
  isCut: z.boolean(),
  prompts: z.array(z.strictObject({ at: z.date(), text: z.string(), recalled: recallLevel })),
  tools: z.array(z.strictObject({ tool: z.string(), calls: count, failed: count })),
  files: z.array(z.strictObject({ path: z.string(), calls: count, recalled: recallLevel })),
  commands: z.array(z.strictObject({ command: z.string(), calls: count, recalled: recallLevel })),
  /** Failed calls that did not succeed later. */
  openErrors: z.array(
    z.strictObject({ at: z.date(), tool: z.string(), what: z.string(), error: z.string(), recalled: recallLevel }),
  ),
});
export type SessionContextView = z.infer<typeof sessionContextView>;

export const groupBy = z.enum(["model", "agent", "reason"]);
export type GroupBy = z.infer<typeof groupBy>;

export const compactionTrend = range.safeExtend({ by: groupBy });
export type CompactionTrend = z.infer<typeof compactionTrend>;

const trendFigures = {
  attempts: count,
  applied: count,
  /** The share of the context that remains: tokens after, divided by those before. Null without a known pair. */
  medianRatio: z.number().nonnegative().nullable(),
  /** Attempts with enough turns after them, and those of them with more trouble than before. */
  judged: count,
  troubled: count,
};

/** Compactions over time by group: the largest by name, the rest together under null. */
export const trendView = z.strictObject({
  from: z.date(),
  to: z.date(),
  bucketMs: z.number().positive(),
  by: groupBy,
  keys: z.array(z.string()),
  points: z.array(z.strictObject({ at: z.date(), key: z.string().nullable(), ...trendFigures })),
});
export type TrendView = z.infer<typeof trendView>;

const breakdownLine = z.strictObject({
  name: z.string(),
  ...trendFigures,
  vetoed: count,
  medianBefore: known,
  medianAfter: known,
  medianDurationMs: z.number().nonnegative().nullable(),
  hooksFailed: count,
  /** Summaries, those that held secrets, and how many. */
  summaries: count,
  leaking: count,
  secrets: count,
  /** Model calls made for summaries: their reported cost, and the number of attempts with one. */
  costNano: z.bigint(),
  costsTold: count,
  before: measures,
  after: measures,
});
export type BreakdownLine = z.infer<typeof breakdownLine>;

export const breakdownView = z.strictObject({
  from: z.date(),
  to: z.date(),
  by: groupBy,
  lines: z.array(breakdownLine),
  /** Groups beyond the largest hundred. */
  more: count,
  total: breakdownLine.nullable(),
});
export type BreakdownView = z.infer<typeof breakdownView>;
