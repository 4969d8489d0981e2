/**
 * The guard of the builtin `budget_guard`: reserves in PostgreSQL, where row locks decide between racing calls, on one
 * node or on many. While one statement runs, calls of the same workspace collect, and the next takes them together.
 */
import type { BudgetGuard, GuardedCall } from "@quarterdeck/hooks";
import type { Bus } from "../events/index.ts";
import type { Clock } from "../platform/clock.ts";
import type { Database, Pool } from "../platform/db.ts";
import { createGather } from "../platform/gather.ts";
import { inWorkspace } from "../platform/scope.ts";
import type { StoredFault } from "../platform/stored-fault.ts";
import { indexKeyText } from "../recording/index.ts";
import * as accounts from "./accounts-repository.ts";
import * as hardBudgets from "./hard-budgets-repository.ts";
import { noRoomSentence, unpricedSentence } from "./refusal-sentence.ts";
import { budgetProblem, mayConcern } from "./stored-budget.ts";

export interface BudgetGuards {
  guardOf(workspaceId: string): BudgetGuard;
}

/** More than the maximum of concurrent hooks of one workspace. */
const TOGETHER_MAX = 256;
/** While the figures lag, the spending of calls without a reservation is unknown. */
const BEHIND_MAX_MS = 30_000;

export function createBudgetGuards(world: {
  readonly pool: Pool;
  readonly bus: Bus;
  readonly clock: Clock;
}): BudgetGuards {
  const { pool, bus, clock } = world;
  const reserved = createGather(TOGETHER_MAX, async (workspaceId, claims: readonly accounts.Claim[]) => {
    const sentences = await decide(workspaceId, claims);
    bus.tell(workspaceId, ["budgets"]);
    return claims.map(({ request }) => sentences.get(request) ?? null);
  });

  /** The reasons of the refused claims, by request. */
  async function decide(workspaceId: string, claims: readonly accounts.Claim[]): Promise<Map<string, string>> {
    const sentences = await findUnreadable(workspaceId, claims);
    const readable = claims.filter(({ request }) => !sentences.has(request));
    if (readable.length === 0) return sentences;
    for (const row of await accounts.listBehind(pool, workspaceId, readable, BEHIND_MAX_MS))
      sentences.set(row.request_id, behindSentence(row));
    const others = readable.filter(({ request }) => !sentences.has(request));
    if (others.length === 0) return sentences;
    const modelOf = new Map(others.map(({ request, model }) => [request, model]));
    for (const refusal of await accounts.reserve(pool, workspaceId, others, new Date(clock.now())))
      sentences.set(refusal.request_id, refusalSentence(refusal, modelOf.get(refusal.request_id) ?? ""));
    return sentences;
  }

  /** The claims that may count in an unreadable hard budget, each with its refusal sentence. */
  async function findUnreadable(workspaceId: string, claims: readonly accounts.Claim[]): Promise<Map<string, string>> {
    const budgets = await listUnreadable(pool, workspaceId);
    if (budgets.length === 0) return new Map();
    const groups = await hardBudgets.listGroupsOf(pool, workspaceId, [...new Set(claims.map(({ agent }) => agent))]);
    return new Map(
      claims.flatMap(({ request, agent, model, person }): [string, string][] => {
        const call = { agent, model, person, groups: groups.get(agent) ?? [] };
        const found = budgets.find((one) => mayConcern(one, one.isLost, call));
        return found ? [[request, unreadableSentence(found.name, found.problem)]] : [];
      }),
    );
  }

  async function tried(workspaceId: string, claim: Omit<accounts.Claim, "request">): Promise<string | null> {
    const request = "tried";
    const unreadable = await inWorkspace(workspaceId, () => findUnreadable(workspaceId, [{ ...claim, request }]));
    const sentence = unreadable.get(request);
    if (sentence !== undefined) return sentence;
    const refusal = await inWorkspace(workspaceId, () =>
      accounts.findRefusal(pool, workspaceId, claim, new Date(clock.now())),
    );
    return refusal ? refusalSentence(refusal, claim.model) : null;
  }

  return {
    guardOf: (workspaceId) => ({
      reserve({ agent, request, session, model, principal = null }: GuardedCall) {
        // The same text as in the record, so that the cost of the call finds its reservation.
        const claim = { agent, session: indexKeyText(session), model: indexKeyText(model), person: principal };
        return request === null ? tried(workspaceId, claim) : reserved(workspaceId, { ...claim, request });
      },
    }),
  };
}

/** The hard budgets that cannot be read. */
export async function listUnreadableBudgets(
  { pool }: Pick<Database, "pool">,
  workspaceId: string,
): Promise<readonly StoredFault[]> {
  return (await listUnreadable(pool, workspaceId)).map(({ name, problem }) => ({
    thing: `the budget "${name}"`,
    problem,
    effect: "budget_guard denies every call that it may apply to",
  }));
}

async function listUnreadable(pool: Pool, workspaceId: string) {
  return (await hardBudgets.listHard(pool, workspaceId)).flatMap((row) => {
    const problem = budgetProblem(row, row.isLost);
    return problem === null ? [] : [{ ...row, problem }];
  });
}

const unreadableSentence = (name: string, problem: string): string =>
  `Budget "${name}" cannot be read (${problem}), so it refuses every call. Remove it on the Budgets page and create it again.`;

const behindSentence = ({ name, ms }: accounts.BehindRow): string =>
  `Budget "${name}": the spend figures are ${Math.floor(ms / 1_000)} s old, and this budget refuses calls above ${BEHIND_MAX_MS / 1_000} s. Check that the server's jobs process runs.`;

function refusalSentence({ name, why, ...nano }: Omit<accounts.Refusal, "request_id">, model: string): string {
  if (why === "unpriced") return unpricedSentence(name, model);
  const [usedNano, amountNano] = [BigInt(nano.used_nano), BigInt(nano.amount_nano)];
  return noRoomSentence({ name, usedNano, amountNano, reserveNano: BigInt(nano.reserve_nano) });
}
