/** The cost of the judges of a call: the mean of their models in the ledger, or else an upper bound from the price list. */
import { identityOf } from "@quarterdeck/hooks/contract/identity";
import { costAtMost, OUTPUT_TOKENS_MAX, sumCostsByModel } from "../../judges/index.ts";
import { selectHooksByLane } from "../reach.ts";
import { whyUnknown } from "../replay-hooks.ts";
import type { ReplayRow } from "../replay-row.ts";
import type { MeasuredWorld } from "./command-forecast.ts";
import type { BacktestForecast } from "./forecast-schema.ts";

type Cost = Pick<NonNullable<BacktestForecast["judges"]>, "nanoPerCall" | "measured">;

const LEDGER_DAYS = 30;
const DAY_MS = 24 * 3_600_000;
const UNKNOWN: Cost = { nanoPerCall: null, measured: null };

/** `rows`: calls that need the answer of a judge. */
export async function costOfJudges(world: MeasuredWorld, rows: readonly ReplayRow[]): Promise<Cost> {
  const { db, tools, workspaceId } = world;
  const questions = rows.flatMap((row) => questionsOf(world, row));
  if (questions.length === 0) return UNKNOWN;
  const nowMs = Date.now();
  const range = { from: new Date(nowMs - LEDGER_DAYS * DAY_MS), to: new Date(nowMs) };
  const ledger = await sumCostsByModel(db, workspaceId, range);
  const models = [...new Set(questions.map(({ model }) => model))];
  const prices = new Map(
    await Promise.all(
      models.map(async (model) => [model, (await tools.models.priceOf(workspaceId, model))?.price] as const),
    ),
  );
  let [nano, isBound] = [0n, false];
  for (const { model, bytes } of questions) {
    const [known, price] = [ledger.get(model), prices.get(model)];
    if (known) nano += known.nano / known.calls;
    else if (price) [nano, isBound] = [nano + costAtMost(price, bytes, OUTPUT_TOKENS_MAX), true];
    else return UNKNOWN;
  }
  return { nanoPerCall: nano / BigInt(rows.length), measured: isBound ? "prices" : "ledger" };
}

/** The questions of a call; a judge that both texts have is asked once. */
function questionsOf({ ready, run }: MeasuredWorld, row: ReplayRow): { model: string; bytes: number }[] {
  const agent = ready.setup.agents[row.agentId];
  if (!agent) return [];
  const guards = [agent.inForce, agent.candidate].flatMap((set) =>
    selectHooksByLane(run.contenderOf(set), row).flatMap((pass) => pass.guards),
  );
  const judges = guards.filter(({ hook }) => whyUnknown(hook) === "judge").map(({ hook }) => hook);
  const bytesOf = (...texts: readonly (string | null | undefined)[]) =>
    texts.reduce((sum, text) => sum + Buffer.byteLength(text ?? ""), 0);
  return [...new Map(judges.map((hook) => [identityOf(hook), hook])).values()].map((hook) => ({
    model: hook.model ?? "",
    bytes: bytesOf(hook.prompt, hook.system_prompt, row.input),
  }));
}
