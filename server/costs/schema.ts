import { z } from "zod";
import { certainty, personFilter } from "../access/principal-schema.ts";
import { eventKey } from "../recording/event-key-schema.ts";

/** The stretch of time a figure speaks about: `from` belongs to it, `to` does not. */
export const costRange = z
  .strictObject({ from: z.date(), to: z.date() })
  .refine(({ from, to }) => from < to, { message: "The range must end after it begins.", path: ["to"] });
export type CostRange = z.infer<typeof costRange>;

/**
 * A call is priced, free (it cost exactly 0) or unpriced (no cost was reported, so it is unknown). A correction takes
 * precedence over the reported cost.
 */
export const pricing = z.enum(["priced", "free", "unpriced"]);
export type Pricing = z.infer<typeof pricing>;

/** The sender of a call's cost: a provider's model priced by the agent, or a coding harness with a total of its own. */
export const callMaker = z.enum(["provider", "harness"]);
export type CallMaker = z.infer<typeof callMaker>;

/** True if a model id is the label of a coding harness: `claude-code`, and no `provider/model`. */
export const isHarness = (modelId: string): boolean => modelId !== "" && !modelId.includes("/");

const count = z.number().int().nonnegative();

/**
 * Tokens by kind. The kinds do not overlap: cached input is not part of input. Reasoning tokens are reported separately
 * from output and are not included in any sum, since the price formula has no term for them.
 */
export const tokensView = z.strictObject({
  input: z.bigint(),
  cachedInput: z.bigint(),
  cachedWrite: z.bigint(),
  output: z.bigint(),
  reasoning: z.bigint(),
});
export type TokensView = z.infer<typeof tokensView>;

/** The cost of a set of calls: the sum of the priced ones, and the number of unpriced ones. */
export const ledgerView = z.strictObject({
  calls: count,
  priced: count,
  free: count,
  unpriced: count,
  withoutUsage: count,
  /** Nano-dollars. */
  nano: z.bigint(),
  tokens: tokensView,
});
export type LedgerView = z.infer<typeof ledgerView>;

/** Corrections, which are included in a sum, or estimates, which are not: the number of calls, and nano-dollars. */
const correctionsView = z.strictObject({ calls: z.number().int(), nano: z.bigint() });
export type CorrectionsView = z.infer<typeof correctionsView>;

/** The equally long stretch right before a range; null when nothing was recorded before the range. */
export const previousView = z
  .strictObject({ from: z.date(), to: z.date(), calls: count, unpriced: count, nano: z.bigint() })
  .nullable();
export type PreviousView = z.infer<typeof previousView>;

export const costSummaryView = z.strictObject({
  /** The range as counted: whole minutes. */
  from: z.date(),
  to: z.date(),
  ledger: ledgerView,
  /** The calls of coding harnesses; `ledger` includes them. */
  harness: ledgerView,
  corrections: correctionsView,
  estimates: correctionsView,
  previous: previousView,
  models: count,
  agents: count,
});
export type CostSummaryView = z.infer<typeof costSummaryView>;

export const seriesBy = z.enum(["model", "agent"]);
export type SeriesBy = z.infer<typeof seriesBy>;
export const costSeriesInput = costRange.safeExtend({ by: seriesBy });
export type CostSeriesInput = z.infer<typeof costSeriesInput>;

export const costSeriesView = z.strictObject({
  from: z.date(),
  to: z.date(),
  bucketMs: z.number(),
  /** The groups that cost most, the largest first; at most six. All other groups have the key null in `points`. */
  keys: z.array(z.string()),
  /** Only stretches in which calls happened, in time order. */
  points: z.array(
    z.strictObject({ at: z.date(), key: z.string().nullable(), nano: z.bigint(), calls: count, unpriced: count }),
  ),
});
export type CostSeriesView = z.infer<typeof costSeriesView>;

/** One line of a breakdown; `name` is "" for calls that name no model. */
export const costLineView = z.strictObject({ name: z.string(), ledger: ledgerView });
export const costBreakdownView = z.strictObject({
  lines: z.array(costLineView),
  /** The sums of the smallest groups when there are too many to list. */
  rest: z.strictObject({ groups: count, ledger: ledgerView }).nullable(),
});
export type CostLineView = z.infer<typeof costLineView>;
export type CostBreakdownView = z.infer<typeof costBreakdownView>;

/** The equally long stretch right before a range, by model and by agent; null when nothing was recorded before the range. */
export const costPreviousView = z
  .strictObject({ from: z.date(), to: z.date(), models: costBreakdownView, agents: costBreakdownView })
  .nullable();
export type CostPreviousView = z.infer<typeof costPreviousView>;

const amountView = z.strictObject({
  calls: count,
  priced: count,
  free: count,
  unpriced: count,
  nano: z.bigint(),
  tokens: z.bigint(),
});
export type AmountView = z.infer<typeof amountView>;

const anyOf = z.array(z.string().max(4_096)).max(50).default([]);

/** Sessions of these agents and of their inner agents; of all agents without any. */
export const sessionCostsInput = costRange.safeExtend({ agents: anyOf });
export type SessionCostsInput = z.infer<typeof sessionCostsInput>;

export const sessionCostView = z.strictObject({
  agentId: z.uuid(),
  sessionId: z.string(),
  agentName: z.string(),
  /** Its first prompt in one line; null when none is recorded. */
  title: z.string().nullable(),
  parentSessionId: z.string().nullable(),
  /** 0 for a root. The list holds each tree in order, with a parent directly before its descendants. */
  depth: count,
  /** Its sub-sessions, all levels. */
  descendants: count,
  firstAt: z.date(),
  lastAt: z.date(),
  endedAs: z.string().nullable(),
  /** Over the session's whole life, not only the range. */
  own: amountView,
  /** The same with every sub-session, each once. */
  tree: amountView,
});
export type SessionCostView = z.infer<typeof sessionCostView>;

export const sessionCostsView = z.strictObject({
  sessions: z.array(sessionCostView),
  /** Set when more sessions were active than are listed: the newest are. */
  isCut: z.boolean(),
  /** Calls of the range that carry no session id; they are in no session. */
  withoutSession: amountView,
});
export type SessionCostsView = z.infer<typeof sessionCostsView>;

const callFilters = {
  models: anyOf,
  agents: anyOf,
  sessions: anyOf,
  persons: personFilter,
  pricings: z.array(pricing).max(3).default([]),
  makers: z.array(callMaker).max(2).default([]),
  /** Free words, each found in the model, the agent or the session. */
  text: z.string().max(200).default(""),
};
export const callsTotalInput = costRange.safeExtend(callFilters);
export type CallsTotalInput = z.infer<typeof callsTotalInput>;
export type CallFilters = Omit<CallsTotalInput, "from" | "to">;

/** The sum of the calls that a filter names. */
export const callsTotalView = z.strictObject({ calls: count, unpriced: count, nano: z.bigint() });
export type CallsTotalView = z.infer<typeof callsTotalView>;

export const costCallsInput = costRange.safeExtend({
  ...callFilters,
  cursor: eventKey.nullish(),
  /** Sent by clients that page; forward is the only direction. */
  direction: z.literal("forward").optional(),
  limit: z.number().int().min(1).max(200).default(100),
});
export type CostCallsInput = z.infer<typeof costCallsInput>;

const known = z.bigint().nullable();
export const callView = z.strictObject({
  id: z.uuid(),
  occurredAt: z.date(),
  agentId: z.uuid(),
  agentName: z.string(),
  /** The person or service that the call was made for, by id; null: unknown. */
  principal: z.strictObject({ id: z.uuid(), certainty }).nullable(),
  sessionId: z.string(),
  modelId: z.string(),
  pricing,
  /** Nano-dollars; null when unpriced. */
  nano: known,
  /** The cost as the agent wrote it, in plain decimals; null when unpriced. */
  usd: z.string().nullable(),
  /** The corrected cost in nano-dollars; null without a correction. */
  corrected: known,
  /** Nano-dollars by the price list; null when there is no estimate. */
  estimated: known,
  /** True if the client computed the cost with its own prices. */
  isClientEstimate: z.boolean(),
  hasUsage: z.boolean(),
  tokens: z.strictObject({ input: known, cachedInput: known, cachedWrite: known, output: known, reasoning: known }),
});
export type CallView = z.infer<typeof callView>;

export const costCallsView = z.strictObject({ calls: z.array(callView), next: eventKey.nullable() });
export type CostCallsView = z.infer<typeof costCallsView>;

export const callDetailView = callView.extend({
  /** The cost by our own price list, to compare with a client's estimate; null without such an estimate or a price. */
  ownPrice: z.strictObject({ nano: z.bigint(), version: z.number().int() }).nullable(),
  origin: z.string(),
  receivedAt: z.date(),
  /** The model's answer and its question, if the agent reported them. */
  answer: z.string().nullable(),
  question: z.string().nullable(),
  /** The stored input, cut after 256 Ki characters; `inputBytes` is its whole size. */
  input: z.string(),
  inputBytes: count,
});
export type CallDetailView = z.infer<typeof callDetailView>;

export const dimension = z.enum([
  "agent",
  "person",
  "group",
  "model",
  "provider",
  "tag",
  "day",
  "session",
  "root",
  "workspace",
]);
export type Dimension = z.infer<typeof dimension>;
/** True if calls are counted one by one, for a limited number of sessions; every other dimension uses sums. */
export const isOfSessions = (by: Dimension): boolean => by === "session" || by === "root";

export const pivotInput = costRange
  .safeExtend({ by: dimension, split: dimension.nullable().default(null) })
  .refine(({ by, split }) => by !== split && !(isOfSessions(by) && split !== null && isOfSessions(split)), {
    message: "Choose two different groupings.",
    path: ["split"],
  });
export type PivotInput = z.infer<typeof pivotInput>;

const figuresView = z.strictObject({
  ledger: ledgerView,
  corrections: correctionsView,
  estimates: correctionsView,
  /** Null: there is nothing to compare with. */
  previous: z.strictObject({ calls: count, unpriced: count, nano: z.bigint() }).nullable(),
});
export type FiguresView = z.infer<typeof figuresView>;

/**
 * `name` null: the sum of the `groups` unlisted lines. "": calls without a group or a provider, or of an unknown person.
 * People are named by their ids.
 */
export const pivotCellView = figuresView.extend({ name: z.string().nullable(), groups: count });
export type PivotCellView = z.infer<typeof pivotCellView>;
export const pivotLineView = pivotCellView.extend({ parts: z.array(pivotCellView) });
export type PivotLineView = z.infer<typeof pivotLineView>;

export const pivotView = z.strictObject({
  total: figuresView,
  lines: z.array(pivotLineView),
  /** Set when sessions were left out; their calls are in the line without a name. */
  isCut: z.boolean(),
  previous: z.strictObject({ from: z.date(), to: z.date() }).nullable(),
});
export type PivotView = z.infer<typeof pivotView>;

export const exportFormat = z.enum(["csv", "json"]);
export type ExportFormat = z.infer<typeof exportFormat>;
export const pivotExportInput = pivotInput.safeExtend({ format: exportFormat });
export type PivotExportInput = z.infer<typeof pivotExportInput>;
export const callsExportInput = costCallsInput.safeExtend({ format: exportFormat });
export type CallsExportInput = z.infer<typeof callsExportInput>;
/** A part of a file; `next` null: the last. */
export const exportPartView = z.strictObject({ text: z.string(), rows: count, next: eventKey.nullable() });
export type ExportPartView = z.infer<typeof exportPartView>;

/**
 * Model calls that compact a session reach no hook, so their cost is not reported. This view holds the known figures
 * instead.
 */
export const compactionSpendView = z.strictObject({
  /** Summaries that were applied, and of these the ones that a hook supplied without a model. */
  applied: count,
  supplied: count,
  /** The text to summarise: tokens in the context before, where they were reported. */
  tokensBefore: z.bigint(),
  untold: count,
});
export type CompactionSpendView = z.infer<typeof compactionSpendView>;
