/**
 * The watcher of canaries with limits: it compares each with the other agents of its policy, and withdraws it when a
 * limit is passed. Runs in the jobs process. One node claims each canary, so a killed node delays one check.
 */
import type { Bus } from "../../events/index.ts";
import { type Clock, systemClock } from "../../platform/clock.ts";
import type { Database } from "../../platform/db.ts";
import type { Log } from "../../platform/log.ts";
import { createRepeater } from "../../platform/repeater.ts";
import { inInstallation, inWorkspace } from "../../platform/scope.ts";
import { groupsOf, reachedBy } from "../publishing/activate-revision.ts";
import * as policies from "../repository.ts";
import { isInCanary } from "../rollout/canary-share.ts";
import * as calls from "./calls-repository.ts";
import { compareCanary } from "./compare-canary.ts";
import { type CanaryComparison, type CanaryCounts, type CanaryLimits, canaryLimits } from "./limits-schema.ts";
import * as watched from "./watched-repository.ts";
import { withdrawCanary } from "./withdraw-canary.ts";

const CHECK_MS = 15_000;
const CLAIMED_AT_ONCE = 20;
/** Older calls are not compared. */
const PERIOD_MS = 24 * 3_600_000;

export interface CanaryWatchWorld {
  readonly db: Database;
  readonly bus: Bus;
  readonly log: Log;
  readonly clock?: Pick<Clock, "now">;
}

export interface CanaryWatch {
  /** Checks every due canary; returns the number of withdrawn ones. */
  tick(): Promise<number>;
  start(): void;
  stop(): Promise<void>;
}

export function createCanaryWatch(world: CanaryWatchWorld): CanaryWatch {
  const { db, log, clock = systemClock } = world;
  async function tick(): Promise<number> {
    let withdrawn = 0;
    for (;;) {
      const now = new Date(clock.now());
      const before = new Date(now.getTime() - CHECK_MS / 2);
      const claimed = await inInstallation(() => watched.claimDue(db.pool, before, now, CLAIMED_AT_ONCE));
      for (const row of claimed)
        if (await inWorkspace(row.workspaceId, () => checkOrNote(world, row, now))) withdrawn += 1;
      if (claimed.length < CLAIMED_AT_ONCE) return withdrawn;
    }
  }
  const repeater = createRepeater({
    turn: () => tick().then(() => CHECK_MS),
    firstMs: CHECK_MS,
    retryMs: CHECK_MS,
    onFailure: (err) => log.error({ err }, "canaries could not be checked"),
  });
  return { tick, start: repeater.start, stop: repeater.stop };
}

/** A canary that cannot be checked does not delay the others: the Health page shows its fault. */
async function checkOrNote(world: CanaryWatchWorld, row: watched.WatchedRow, now: Date): Promise<boolean> {
  try {
    return await check(world, row, now);
  } catch (err) {
    world.log.error({ err, ...row }, "a canary could not be checked");
    const fault = "The calls could not be compared. See the server's log.";
    await watched.note(world.db.pool, row, null, { fault });
    return false;
  }
}

async function check({ db, bus }: CanaryWatchWorld, row: watched.WatchedRow, now: Date): Promise<boolean> {
  const { workspaceId, policyId } = row;
  const policy = await policies.find(db.prisma, workspaceId, policyId);
  if (!policy?.canaryLimits || policy.canaryRevision === null || policy.canarySince === null) return false;
  const limits = canaryLimits.parse(JSON.parse(policy.canaryLimits));
  const sides = await sidesOf(db, policy);
  const fromMs = Math.max(policy.canarySince.getTime(), now.getTime() - PERIOD_MS);
  const range = { policy: policy.name, from: new Date(fromMs), to: now, slowMs: limits.slowMs };
  const counted = await calls.countCallsByAgent(db.pool, workspaceId, range);
  const comparison = comparisonOf(limits, range.from, counted, sides);
  const since = policy.canarySince;
  if (comparison.passed === null) {
    await watched.note(db.pool, row, since, { comparison: JSON.stringify(comparison), fault: null });
    return false;
  }
  const asked = { measure: comparison.passed, agentIds: [...sides.inside] };
  const deciding = await calls.listDecidingCalls(db.pool, workspaceId, range, asked);
  const { canaryRevision: revision } = policy;
  const withdrawal = { revision, at: now, limits, comparison, calls: deciding };
  return withdrawCanary(db, bus, { workspaceId, id: policyId, since }, withdrawal);
}

interface Sides {
  readonly inside: ReadonlySet<string>;
  readonly others: ReadonlySet<string>;
}

/** The agents that the policy binds, in the canary and outside of it. */
async function sidesOf(db: Database, policy: policies.PolicyRow): Promise<Sides> {
  const { workspaceId, id, assignments } = policy;
  const groups = await policies.listGroups(db.prisma, workspaceId);
  const bound = reachedBy(assignments, groups, await policies.listAgentNames(db.prisma, workspaceId));
  const canary = { share: policy.canaryShare ?? 0, groupId: policy.canaryGroupId };
  const inside = new Set(bound.filter((agent) => isInCanary(canary, id, agent, groupsOf(groups, agent))));
  return { inside, others: new Set(bound.filter((agent) => !inside.has(agent))) };
}

function comparisonOf(
  limits: CanaryLimits,
  from: Date,
  counted: readonly calls.AgentCountsRow[],
  { inside, others }: Sides,
): CanaryComparison {
  const sumOf = (side: ReadonlySet<string>): CanaryCounts =>
    counted
      .filter(({ agentId }) => side.has(agentId))
      .reduce(
        (sum, row) => ({
          agents: sum.agents + 1,
          calls: sum.calls + row.calls,
          denied: sum.denied + row.denied,
          asked: sum.asked + row.asked,
          failed: sum.failed + row.failed,
          slow: sum.slow + row.slow,
          overturned: sum.overturned + row.overturned,
        }),
        NO_CALLS,
      );
  const sides = { inside: sumOf(inside), others: sumOf(others) };
  return { from, ...sides, ...compareCanary(limits, sides.inside, sides.others) };
}

const NO_CALLS: CanaryCounts = { agents: 0, calls: 0, denied: 0, asked: 0, failed: 0, slow: 0, overturned: 0 };
