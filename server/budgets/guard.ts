/**
 * The guard of the builtin `budget_guard`: reserves in PostgreSQL, where row locks decide between racing calls, on one
 * node or on many. While one statement runs, calls of the same workspace collect, and the next takes them together.
 */
import type { BudgetGuard, GuardedCall } from "@quarterdeck/hooks";
import type { Bus } from "../events/service.ts";
import type { Clock } from "../platform/clock.ts";
import type { Pool } from "../platform/db.ts";
import { createGather } from "../platform/gather.ts";
import { inWorkspace } from "../platform/scope.ts";
import { indexKeyText } from "../recording/service.ts";
import * as accounts from "./accounts-repository.ts";
import { noRoomSentence, unpricedSentence } from "./refusal-sentence.ts";

export interface BudgetGuards {
  guardOf(workspaceId: string): BudgetGuard;
}

/** More than the hooks of one workspace that may be under way. */
const TOGETHER_MAX = 256;
/** Spending of calls that reserved nothing is unknown for as long as figures are behind. */
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

  /** The reasons of those that are refused, by request. */
  async function decide(workspaceId: string, claims: readonly accounts.Claim[]): Promise<Map<string, string>> {
    const behind = await accounts.listBehind(pool, workspaceId, claims, BEHIND_MAX_MS);
    const sentences = new Map(behind.map((row) => [row.request_id, behindSentence(row)]));
    const others = claims.filter(({ request }) => !sentences.has(request));
    if (others.length === 0) return sentences;
    const modelOf = new Map(others.map(({ request, model }) => [request, model]));
    for (const refusal of await accounts.reserve(pool, workspaceId, others, new Date(clock.now())))
      sentences.set(refusal.request_id, refusalSentence(refusal, modelOf.get(refusal.request_id) ?? ""));
    return sentences;
  }

  async function tried(workspaceId: string, claim: Omit<accounts.Claim, "request">): Promise<string | null> {
    const refusal = await inWorkspace(workspaceId, () =>
      accounts.findRefusal(pool, workspaceId, claim, new Date(clock.now())),
    );
    return refusal ? refusalSentence(refusal, claim.model) : null;
  }

  return {
    guardOf: (workspaceId) => ({
      reserve({ agent, request, session, model }: GuardedCall) {
        // As they stand in the record, so that what the call costs finds its reservation.
        const claim = { agent, session: indexKeyText(session), model: indexKeyText(model) };
        return request === null ? tried(workspaceId, claim) : reserved(workspaceId, { ...claim, request });
      },
    }),
  };
}

const behindSentence = ({ name, ms }: accounts.BehindRow): string =>
  `Budget "${name}": what was spent is known only up to ${Math.floor(ms / 1_000)} s ago, and this budget lets no call through above ${BEHIND_MAX_MS / 1_000} s. The server's jobs process makes the figures: see whether it runs.`;

function refusalSentence({ name, why, ...nano }: Omit<accounts.Refusal, "request_id">, model: string): string {
  if (why === "unpriced") return unpricedSentence(name, model);
  const [usedNano, amountNano] = [BigInt(nano.used_nano), BigInt(nano.amount_nano)];
  return noRoomSentence({ name, usedNano, amountNano, reserveNano: BigInt(nano.reserve_nano) });
}
