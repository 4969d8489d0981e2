/** Budgets as the agent that they bind reads them. */
import { z } from "zod";
import { period, scope } from "./schema.ts";

export const agentBudgetsQuery = z.strictObject({
  session_id: z.string().max(1_000, "A session's id has at most 1,000 characters.").default(""),
});
export type AgentBudgetsQuery = z.infer<typeof agentBudgetsQuery>;

const nano = z.string().regex(/^-?\d+$/);

export const agentBudgetView = z.strictObject({
  name: z.string(),
  scope,
  /** The budget's model; null for all models. */
  model: z.string().nullable(),
  period,
  /** The end of the period; null without an end. */
  ends_at: z.iso.datetime().nullable(),
  /** A hard one refuses calls; another is only watched. */
  is_hard: z.boolean(),
  /** In dollars, to read. */
  amount: z.string(),
  left: z.string(),
  /** In nano-dollars, exactly. `left_nano` is never negative. */
  amount_nano: nano,
  used_nano: nano,
  left_nano: nano,
});
export type AgentBudgetView = z.infer<typeof agentBudgetView>;

export const agentBudgetsView = z.strictObject({
  budgets: z.array(agentBudgetView),
});
export type AgentBudgetsView = z.infer<typeof agentBudgetsView>;
