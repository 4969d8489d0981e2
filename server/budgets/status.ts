/** The present state of every budget. */
import { z } from "zod";
import { type CalendarPeriod, periodsAt } from "../calendar/index.ts";
import type { Database } from "../platform/db.ts";
import { listPrincipalNames } from "../principals/index.ts";
import * as accounts from "./accounts-repository.ts";
import { createBoundAgentsLookup } from "./bound-agents.ts";
import { forecastOf } from "./forecast.ts";
import * as people from "./people-repository.ts";
import { neededNano } from "./refusal-sentence.ts";
import * as budgets from "./repository.ts";
import type { AccountView, BudgetState, BudgetView } from "./schema.ts";
import { readBudget } from "./stored-budget.ts";

/** Above this limit a count of sessions reads "or more". */
export const SESSIONS_COUNTED_MAX = 10_000;

/** Every budget of a workspace by its name, for the current period. */
export async function budgetStatuses(db: Database, workspaceId: string, nowMs = Date.now()): Promise<BudgetView[]> {
  return statusesOf(db, workspaceId, await budgets.list(db.prisma, workspaceId), nowMs);
}

/** Returns one budget for the current period; null when there is no match. */
export async function budgetStatus(
  db: Database,
  workspaceId: string,
  budgetId: string,
  nowMs = Date.now(),
): Promise<BudgetView | null> {
  const row = await budgets.find(db.prisma, workspaceId, budgetId);
  return row ? ((await statusesOf(db, workspaceId, [row], nowMs))[0] ?? null) : null;
}

/** Budgets above a threshold or without room, except those for each session: counting sessions takes long. */
export async function budgetsOverThreshold(
  db: Database,
  workspaceId: string,
  nowMs = Date.now(),
): Promise<BudgetView[]> {
  const rows = await budgets.list(db.prisma, workspaceId);
  const shared = rows.filter(({ scope }) => scope !== "session");
  return (await statusesOf(db, workspaceId, shared, nowMs)).filter(({ state }) => state !== "open");
}

const SIGN_ON_GROUPS_MAX = 5_000;

const isId = (target: string): boolean => z.uuid().safeParse(target).success;

async function statusesOf(
  db: Database,
  workspaceId: string,
  rows: readonly BudgetRow[],
  nowMs: number,
): Promise<BudgetView[]> {
  if (rows.length === 0) return [];
  const ofAgents = rows.filter(({ scope, target }) => scope === "agent" && isId(target)).map(({ target }) => target);
  const now = new Date(nowMs);
  const ofPeople = rows.filter(({ scope, target }) => scope === "person" && isId(target)).map(({ target }) => target);
  const isOfPeople = rows.some(({ scope }) => scope === "person" || scope === "sign_on_group");
  const [found, periods, agents, groups, ofNames, owned, signOnGroups, bindingOf] = await Promise.all([
    accounts.listAccounts(
      db.pool,
      workspaceId,
      rows.map(({ id }) => id),
      now,
      SESSIONS_COUNTED_MAX,
    ),
    periodsAt(db.pool, workspaceId, now),
    ofAgents.length > 0 ? budgets.listAgentNames(db.prisma, workspaceId, ofAgents) : [],
    rows.some(({ scope }) => scope === "group") ? budgets.listGroups(db.prisma, workspaceId) : [],
    listPrincipalNames(db.pool, workspaceId, ofPeople),
    isOfPeople ? people.listOwned(db.pool, workspaceId) : [],
    isOfPeople ? people.listSignOnGroups(db.pool, workspaceId, SIGN_ON_GROUPS_MAX) : [],
    rows.some(({ isHard }) => isHard) ? createBoundAgentsLookup(db, workspaceId) : null,
  ]);
  const byBudget = new Map(found.map((account) => [account.budget_id, account]));
  const names = new Map([
    ...[...agents, ...groups, ...signOnGroups].map(({ id, name }) => [id, name] as const),
    ...ofNames,
  ]);
  return rows.map((row) => {
    const { target } = row;
    const isLost = (row.scope === "agent" || row.scope === "person") && !names.has(target);
    const { scope, problem } = readBudget(row, isLost);
    const binding = row.isHard && bindingOf ? bindingOf({ scope, target }) : null;
    const closed = row.isHard && problem !== null ? ({ state: "closed" } as const) : {};
    const ownedBy = countOwned({ scope, target }, owned);
    return {
      ...viewOf(row, byBudget.get(row.id), names, { periods, now }),
      ...closed,
      agents: ownedBy,
      problem,
      binding,
    };
  });
}

function countOwned({ scope, target }: Pick<BudgetView, "scope" | "target">, owned: readonly people.OwnedRow[]) {
  if (scope === "person") return owned.filter(({ personId }) => personId === target).length;
  return scope === "sign_on_group" ? owned.filter(({ groups }) => groups.includes(target)).length : null;
}

type BudgetRow = Awaited<ReturnType<typeof budgets.list>>[number];

function viewOf(
  row: BudgetRow,
  found: accounts.AccountRow | undefined,
  names: ReadonlyMap<string, string>,
  { periods, now }: { readonly periods: Readonly<Record<"day" | "month", CalendarPeriod>>; readonly now: Date },
): Omit<BudgetView, "binding" | "problem" | "agents"> {
  const { workspaceId: _own, ...budget } = row;
  const { scope, period, unpriced } = readBudget(row);
  const days = period === "total" ? null : periods[period];
  const [periodStart, periodEnd] = [days?.from ?? null, days?.to ?? null];
  const account = accountOf(found);
  const firstAt = found?.first_at ?? null;
  const used = account.spentNano + account.assumedNano;
  const passed = row.thresholds.filter((percent) => used * 100n >= row.amountNano * BigInt(percent)).at(-1) ?? null;
  const isNamed = scope !== "model" && scope !== "workspace" && scope !== "session";
  return {
    ...budget,
    scope,
    period,
    unpriced,
    targetName: isNamed ? (names.get(row.target) ?? null) : row.target,
    periodStart,
    periodEnd,
    periodDays: days && { first: days.first, last: days.last, timeZone: days.timeZone },
    account,
    sessions:
      scope === "session"
        ? {
            counted: Number(found?.counted ?? 0),
            closed: Number(found?.closed ?? 0),
            fullest: found?.subject.slice(SESSION_AT) ?? null,
          }
        : null,
    state: stateOf(row, account, passed),
    passed,
    forecast: forecastOf({ account, firstAt, periodStart, periodEnd, amountNano: row.amountNano }, now),
  };
}

/** Behind an agent's id and a blank. */
const SESSION_AT = 37;

function stateOf(
  { amountNano, reserveNano, isHard }: Pick<BudgetRow, "amountNano" | "reserveNano" | "isHard">,
  account: AccountView,
  passed: number | null,
): BudgetState {
  const { spentNano, assumedNano, heldNano } = account;
  const used = spentNano + assumedNano;
  if (used > amountNano) return "over";
  if (isHard && used + heldNano + neededNano(reserveNano, account) > amountNano) return "closed";
  return passed === null ? "open" : "warned";
}

function accountOf(row: accounts.AccountRow | undefined): AccountView {
  return {
    spentNano: BigInt(row?.spent_nano ?? 0),
    assumedNano: BigInt(row?.assumed_nano ?? 0),
    heldNano: BigInt(row?.held_nano ?? 0),
    priced: Number(row?.priced ?? 0),
    free: Number(row?.free ?? 0),
    unpriced: Number(row?.unpriced ?? 0),
    beyond: Number(row?.beyond ?? 0),
    unreserved: Number(row?.unreserved ?? 0),
    unreservedNano: BigInt(row?.unreserved_nano ?? 0),
    dearestNano: BigInt(row?.dearest_nano ?? 0),
    refused: Number(row?.refused ?? 0),
    refusedAt: row?.refused_at ?? null,
  };
}
