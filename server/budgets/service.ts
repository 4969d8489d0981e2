/**
 * Budgets: the amount that may be spent, by whom, in which period. guard.ts and charge-batch.ts enforce them on
 * concurrent calls.
 */
import type { Administrator } from "../access/actor.ts";
import { diffFields } from "../audit/diff-fields.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { AppError } from "../errors/app-error.ts";
import { announcedTransaction, type Bus } from "../events/index.ts";
import type { Database } from "../platform/db.ts";
import { uuidv7 } from "../platform/ids.ts";
import { lockFigures, untilProjected } from "../projectors/index.ts";
import * as accounts from "./accounts-repository.ts";
import { createBoundAgentsLookup } from "./bound-agents.ts";
import { MODELS_MS, requireTarget, targetOf } from "./budget-targets.ts";
import * as fills from "./fill-repository.ts";
import { sentenceAtLimit } from "./refusal-sentence.ts";
import * as budgets from "./repository.ts";
import {
  type AskBinding,
  type AskedBindingView,
  type BudgetById,
  type BudgetDetailView,
  type ChangeBudget,
  type CreateBudget,
  type ReleaseReservation,
  type RemoveBudget,
  type Scope,
  unpriced as unpricedSchema,
} from "./schema.ts";
import { budgetStatus } from "./status.ts";
import { readBudget } from "./stored-budget.ts";

/** A call without a report for this long counts as spent until a person releases it. */
const LAPSES_MS = 3_600_000;
const RESERVATIONS_MAX = 100;
const REFUSALS_MAX = 20;
const REFUSALS_SEARCHED = 500;
const ALERTS_MAX = 30;

interface World {
  readonly db: Database;
  readonly bus: Bus;
}

/**
 * Creates a budget; the ledger's costs of its period count from the start. Errors: `name_taken`, `agent_not_found`,
 * `group_not_found`, `person_not_found`, `invalid_input` when there are too many.
 */
export async function create({ db, bus }: World, actor: Administrator, input: CreateBudget): Promise<BudgetById> {
  const { workspaceId } = actor;
  const id = uuidv7();
  const { about, ...settings } = input;
  const asked = { ...settings, scope: about.scope, target: targetOf(about) };
  await announcedTransaction({ db, bus }, workspaceId, ["budgets"], async (tx) => {
    const budget = { ...asked, target: await requireTarget(tx, workspaceId, asked) };
    await budgets.lockBudgets(tx, workspaceId);
    if ((await budgets.count(tx, workspaceId)) >= budgets.LISTED_MAX)
      throw new AppError("invalid_input", undefined, {
        says: `A workspace has at most ${budgets.LISTED_MAX} budgets.`,
      });
    if (!(await budgets.insert(tx, workspaceId, id, budget, actor.name))) throw nameTaken(budget.name);
    const now = new Date();
    await fills.fillSessions(tx, workspaceId, id, now);
    // No batch is charged while this lock is held, so from here on only short statements run. Gates continue.
    await lockFigures(tx, workspaceId);
    await fills.fillSessions(tx, workspaceId, id, now);
    await fills.fill(tx, workspaceId, id, now);
    if (budget.unpriced === "deny") await fills.noteUnpricedModels(tx, workspaceId, now);
    await recordAudit(tx, actor, savedEntry(actor, id, budget), diffFields(null, settingsOf(budget)));
  });
  return { budgetId: id };
}

/** Errors: `budget_not_found`, `budget_moved_on`, `name_taken`. */
export async function change({ db, bus }: World, actor: Administrator, input: ChangeBudget): Promise<void> {
  const { workspaceId } = actor;
  const { budgetId, version, ...settings } = input;
  await announcedTransaction({ db, bus }, workspaceId, ["budgets"], async (tx) => {
    await budgets.lockBudgets(tx, workspaceId);
    const before = await budgets.find(tx, workspaceId, budgetId);
    if (!before) throw new AppError("budget_not_found", budgetId);
    const { target, scope, period, problem } = readBudget(before);
    if (problem !== null)
      throw new AppError("invalid_input", undefined, {
        says: `The stored budget cannot be read (${problem}). Remove it and create it again.`,
      });
    const budget = { ...settings, target, scope, period };
    const changes = diffFields(settingsOf(before), settingsOf(budget));
    await recordAudit(tx, actor, savedEntry(actor, budgetId, budget), changes);
    if (await budgets.isNameTaken(tx, workspaceId, settings.name, budgetId)) throw nameTaken(settings.name);
    if (!(await budgets.update(tx, workspaceId, { id: budgetId, version }, settings, actor.name)))
      throw new AppError("budget_moved_on", budgetId);
    if (settings.unpriced === "deny") await fills.noteUnpricedModels(tx, workspaceId, new Date());
  });
}

/** Its accounts, reservations and alerts go with it. Errors: `budget_not_found`, `budget_moved_on`. */
export async function remove({ db, bus }: World, actor: Administrator, input: RemoveBudget): Promise<void> {
  const { workspaceId } = actor;
  const { budgetId, version } = input;
  await announcedTransaction({ db, bus }, workspaceId, ["budgets"], async (tx) => {
    const before = await budgets.find(tx, workspaceId, budgetId);
    if (!before) throw new AppError("budget_not_found", budgetId);
    const { name } = before;
    await recordAudit(tx, actor, { kind: "budget_removed", version: 1, by: actor.name, budget: budgetId, name });
    if (!(await budgets.remove(tx, workspaceId, budgetId, version))) throw new AppError("budget_moved_on", budgetId);
  });
}

/**
 * Releases a reservation: a person states that the call cost nothing. Errors: `budget_not_found`,
 * `reservation_not_found`.
 */
export async function release({ db, bus }: World, actor: Administrator, input: ReleaseReservation): Promise<void> {
  const { workspaceId } = actor;
  // All records of the call are charged first: then it holds no reservation.
  await untilProjected(db.pool, workspaceId);
  await announcedTransaction({ db, bus }, workspaceId, ["budgets"], async (tx) => {
    await lockFigures(tx, workspaceId);
    const budget = await budgets.find(tx, workspaceId, input.budgetId);
    if (!budget) throw new AppError("budget_not_found", input.budgetId);
    const { id, name } = budget;
    const nano = await accounts.findReserved(tx, workspaceId, input);
    if (nano === null) throw new AppError("reservation_not_found", input.requestId);
    const what = { budget: id, name, request: input.requestId, nano: nano.toString() };
    await recordAudit(tx, actor, { kind: "budget_reservation_released", version: 1, by: actor.name, ...what });
    if (!(await accounts.release(tx, workspaceId, input))) throw new AppError("reservation_not_found", input.requestId);
  });
}

/**
 * Releases the reservations of calls without a report for an hour; a person states that they cost nothing. Errors:
 * `budget_not_found`, `budget_moved_on`.
 */
export async function releaseLapsed({ db, bus }: World, actor: Administrator, { budgetId }: BudgetById) {
  const { workspaceId } = actor;
  const madeBefore = new Date(Date.now() - LAPSES_MS);
  await untilProjected(db.pool, workspaceId);
  const count = await announcedTransaction({ db, bus }, workspaceId, ["budgets"], async (tx) => {
    await lockFigures(tx, workspaceId);
    const budget = await budgets.find(tx, workspaceId, budgetId);
    if (!budget) throw new AppError("budget_not_found", budgetId);
    const found = await accounts.sumReserved(tx, workspaceId, budgetId, madeBefore);
    if (found.count === 0) return 0;
    const what = { by: actor.name, budget: budgetId, name: budget.name, madeBefore: madeBefore.toISOString() };
    await recordAudit(tx, actor, { kind: "budget_reservations_released", version: 1, ...what, ...found });
    if ((await accounts.releaseAll(tx, workspaceId, budgetId, madeBefore)) !== found.count)
      throw new AppError("budget_moved_on", budgetId, {
        says: "A call just reported. Release the others again.",
      });
    return found.count;
  });
  return { count };
}

/** The agents that a hard budget about this would bind, and their dearest call of late. */
export async function bindingOf(db: Database, workspaceId: string, { about }: AskBinding): Promise<AskedBindingView> {
  const of = { scope: about.scope, target: targetOf(about) };
  const [bindingOfBudget, dearestNano] = await Promise.all([
    createBoundAgentsLookup(db, workspaceId),
    budgets.findDearest(db.pool, workspaceId, of, new Date(Date.now() - MODELS_MS)),
  ]);
  return { ...bindingOfBudget(of), dearestNano };
}

/** One budget with its reservations and refusals. Errors: `budget_not_found`. */
export async function detail(db: Database, workspaceId: string, { budgetId }: BudgetById): Promise<BudgetDetailView> {
  const nowMs = Date.now();
  const budget = await budgetStatus(db, workspaceId, budgetId, nowMs);
  if (!budget) throw new AppError("budget_not_found", budgetId);
  const searched = { searched: REFUSALS_SEARCHED, limit: REFUSALS_MAX };
  const madeBefore = new Date(nowMs - LAPSES_MS);
  const [reservations, refusals, alerts, lapsed] = await Promise.all([
    accounts.listReservations(db.pool, workspaceId, budgetId, RESERVATIONS_MAX + 1),
    budgets.listRefusals(db.pool, workspaceId, `Budget "${budget.name}": `, searched),
    budgets.listAlerts(db.pool, workspaceId, budgetId, ALERTS_MAX),
    accounts.sumReserved(db.prisma, workspaceId, budgetId, madeBefore),
  ]);
  return {
    budget,
    refusalText: sentenceAtLimit(budget),
    reservations: reservations.slice(0, RESERVATIONS_MAX).map((row) => ({
      requestId: row.request_id,
      agentId: row.agent_id,
      agentName: row.agent_name ?? "",
      sessionId: row.session_id,
      modelId: row.model_id,
      nano: BigInt(row.nano),
      madeAt: row.made_at,
      isLapsed: row.made_at.getTime() < nowMs - LAPSES_MS,
    })),
    lapsed: { count: lapsed.count, nano: BigInt(lapsed.nano) },
    reservationsMore: reservations.length > RESERVATIONS_MAX,
    refusals: refusals.map((row) => ({
      occurredAt: row.occurred_at,
      dispatchId: row.dispatch_id,
      agentName: row.agent_name,
      sessionId: row.session_id,
      modelId: row.excerpt,
      reason: row.reason,
    })),
    alerts: alerts.map((row) => ({
      threshold: row.threshold,
      periodStart: row.period_start,
      subject: row.subject,
      at: row.at,
      usedNano: BigInt(row.used_nano),
      amountNano: BigInt(row.amount_nano),
    })),
  };
}

type Saved = Pick<CreateBudget, "period" | "unpriced"> & budgets.NewBudget & { readonly scope: Scope };

function savedEntry(actor: Administrator, budget: string, saved: Saved) {
  const { name, scope, target: about, period, isHard, unpriced } = saved;
  return {
    kind: "budget_saved" as const,
    version: 1 as const,
    ...{ by: actor.name, budget, name, scope, about, period, isHard },
    amountNano: saved.amountNano.toString(),
    reserveNano: saved.reserveNano?.toString() ?? null,
    thresholds: [...saved.thresholds],
    unpriced: unpricedSchema.parse(unpriced),
  };
}

/** The settings that people make, as an audit entry compares them. */
const settingsOf = ({ name, amountNano, reserveNano, thresholds, isHard, unpriced }: budgets.Settings) => ({
  name,
  amountNano,
  reserveNano,
  thresholds: [...thresholds],
  isHard,
  unpriced,
});

const nameTaken = (name: string) =>
  new AppError("name_taken", name, { says: `There is already a budget named "${name}".`, pointer: "/name" });
