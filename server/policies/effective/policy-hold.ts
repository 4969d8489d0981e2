/** The agents that a policy can stop, and its rules that can never fire for some of them. */
import { displayName } from "@quarterdeck/hooks/contract/hook";
import { type Guard, listGuards } from "@quarterdeck/hooks/contract/semantic-diff/guard";
import { AppError } from "../../errors/app-error.ts";
import type { Database } from "../../platform/db.ts";
import * as policies from "../repository.ts";
import { boundBy, fleetOf, listAnswered } from "./fleet.ts";
import type { PolicyHoldView, RuleGap } from "./policy-hold-schema.ts";
import { type BoundAgent, findGapReason, findUnheldReason, isGate, type RecentCalls } from "./unheld-agents.ts";

const GAPS_MAX = 200;
const NAMED_MAX = 3;

/** Errors: `policy_not_found`. */
export async function getPolicyHold(db: Database, workspaceId: string, policyId: string): Promise<PolicyHoldView> {
  const row = await policies.find(db.prisma, workspaceId, policyId);
  if (!row) throw new AppError("policy_not_found");
  const fleet = await fleetOf(db, workspaceId);
  return describeHold(listAnswered(row, boundBy(row, fleet), fleet), fleet.recentById);
}

export function describeHold(
  answered: readonly BoundAgent[],
  recentById: ReadonlyMap<string, RecentCalls>,
  nowMs = Date.now(),
): PolicyHoldView {
  const texts = [...new Set(answered.map(({ enforced }) => enforced.hooks))];
  const states = answered.map(({ agent, enforced }) => {
    const recent = recentById.get(agent.id);
    if (findUnheldReason(enforced, agent, recent, nowMs) !== null) return "unheld";
    return agent.client === null && recent === undefined ? "unknown" : "held";
  });
  const count = (state: (typeof states)[number]) => states.filter((one) => one === state).length;
  return {
    hasGate: texts.some((hooks) => listGuards(hooks).some(isGate)),
    answered: answered.length,
    ...{ held: count("held"), unheld: count("unheld"), unknown: count("unknown") },
    gaps: gapsOf(answered, recentById, nowMs).slice(0, GAPS_MAX),
  };
}

type FoundGap = Omit<RuleGap, "reasons"> & { readonly all: string[] };

function gapsOf(
  answered: readonly BoundAgent[],
  recentById: ReadonlyMap<string, RecentCalls>,
  nowMs: number,
): RuleGap[] {
  const found = new Map<string, { -readonly [Key in keyof FoundGap]: FoundGap[Key] }>();
  for (const { agent, enforced } of answered) {
    const seen = new Set<string>();
    for (const guard of listGuards(enforced.hooks)) {
      const key = keyOf(guard);
      if (seen.has(key)) continue;
      seen.add(key);
      const gap = found.get(key) ?? { ...placeOf(guard), agents: 0, of: 0, all: [] };
      found.set(key, gap);
      gap.of += 1;
      const reason = findGapReason(guard, agent, recentById.get(agent.id), { sinceMs: enforced.sinceMs, nowMs });
      if (reason === null) continue;
      gap.agents += 1;
      gap.all.push(`${agent.name} ${reason}`);
    }
  }
  return [...found.values()].flatMap(({ all, ...gap }) =>
    gap.agents === 0 ? [] : [{ ...gap, reasons: all.slice(0, NAMED_MAX) }],
  );
}

const placeOf = ({ event, matcher, preempt, hook }: Guard) => ({
  ...{ event, name: displayName(hook), matcher: matcher ?? null, isEarly: preempt },
});

const keyOf = (guard: Guard): string => JSON.stringify(Object.values(placeOf(guard)));
