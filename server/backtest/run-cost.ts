/** The cost of the judges of a text, from the questions that a backtest counted. */
import { type KnownCosts, sumCostsByModel } from "../judges/index.ts";
import type { Database } from "../platform/db.ts";
import type { BacktestRunView } from "./run-schema.ts";

const DAY_MS = 24 * 3_600_000;
const LEDGER_DAYS = 30;

type Questions = Pick<BacktestRunView, "callsMax" | "days" | "tally">;

/**
 * The cost that the text's judges add to a day, in nano-dollars, at the mean cost of their models in the last 30 days. Null if the
 * run does not cover whole days, or the cost of a model is not known.
 */
export async function addedNanoPerDay(db: Database, workspaceId: string, run: Questions): Promise<bigint | null> {
  if (run.callsMax !== null) return null;
  if (changedModels(run).length === 0) return 0n;
  const nowMs = Date.now();
  const range = { from: new Date(nowMs - LEDGER_DAYS * DAY_MS), to: new Date(nowMs) };
  return costPerDay(run, await sumCostsByModel(db, workspaceId, range));
}

const changedModels = ({ tally }: Questions): [string, number][] =>
  Object.entries(tally.judgeQuestions.addedByModel).filter(([, added]) => added !== 0);

export function costPerDay(run: Questions, costs: ReadonlyMap<string, KnownCosts>): bigint | null {
  let nano = 0n;
  for (const [model, added] of changedModels(run)) {
    const known = costs.get(model);
    if (known === undefined) return null;
    nano += (BigInt(added) * known.nano) / known.calls;
  }
  return nano / BigInt(run.days);
}
