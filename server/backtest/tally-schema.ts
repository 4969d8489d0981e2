/** The counts of a backtest, as they are stored and shown. */
import { z } from "zod";

const count = z.number().int().min(0);
export const TALLY_LIMITS = { tools: 50, models: 50, rules: 200, agents: 50, name: 200 } as const;

/** The reasons why the end of a call cannot be known. */
export const unknownReason = z.enum([
  "erased",
  "masked",
  "removed_agent",
  "marks",
  "approvers",
  "judge",
  "agent_side",
  "command",
  "network",
  "counter",
  "machine",
  "busy",
  "not_sampled",
  "unanswered",
  "judge_once",
]);
export type UnknownReason = z.infer<typeof unknownReason>;

/** A rule of the text that is not in force, with what it would have caught. */
export const caughtBy = z.object({
  caught: count,
  /** Calls by agent, the first 50 agents. */
  agents: z.record(z.string(), count),
});

export const tally = z.object({
  unchanged: count,
  looser: count,
  stricter: count,
  /** Calls that end with the same verdict and another rewrite, context or message. */
  otherwise: count,
  unknown: z.partialRecord(unknownReason, count),
  /** Calls that no hook of the candidate reads, in all and by tool. */
  unread: count,
  unreadByTool: z.record(z.string(), count),
  newRules: z.record(z.string(), caughtBy),
  /** Questions to judges: with what is in force, and with the text. */
  judgeQuestions: z.object({
    inForce: count,
    candidate: count,
    /** Questions that the text adds, by model; negative for fewer. Evaluators have an empty name. */
    addedByModel: z.record(z.string(), z.number().int()).default({}),
  }),
  /** Calls by added time, in microseconds, each bucket named by its upper bound. */
  addedUs: z.record(z.string(), count),
  /** Flips that were found but not kept, because a run keeps a limited number. */
  notKept: count,
});
export type Tally = z.infer<typeof tally>;

export const EMPTY_TALLY: Tally = {
  ...{ unchanged: 0, looser: 0, stricter: 0, otherwise: 0, unknown: {}, unread: 0, unreadByTool: {}, newRules: {} },
  ...{ judgeQuestions: { inForce: 0, candidate: 0, addedByModel: {} }, addedUs: {}, notKept: 0 },
};
