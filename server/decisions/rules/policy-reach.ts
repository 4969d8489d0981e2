/** The reach of a policy: who asked on its events, which of its rules were selected and ran, and when last. */
import type { Database } from "../../platform/db.ts";
import { boundAgents, type HookInForce, hooksInForce, get as policyOf } from "../../policies/index.ts";
import { HOOK_KEY_MAX, indexKeyText } from "../../recording/index.ts";
import {
  type CallCountRow,
  COUNTED_CALLS_MAX,
  type HookRunRow,
  listCallCounts,
  listHookRuns,
  listLastRuns,
} from "./policy-reach-repository.ts";
import {
  LAST_RUN_SEARCH_DAYS,
  LAST_RUNS_MAX,
  type PolicyReachView,
  type PolicyRuns,
  type RuleReach,
} from "./policy-reach-schema.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const RULES_MAX = 200;

/** The rules of one policy in force. Errors: `policy_not_found`. */
export async function getPolicyReach(db: Database, workspaceId: string, policyId: string): Promise<PolicyReachView> {
  const policy = await policyOf(db, workspaceId, policyId);
  const inForce = (await hooksInForce(db, workspaceId)).filter((hook) => hook.policyId === policyId);
  const [nowMs, shown] = [Date.now(), inForce.slice(0, RULES_MAX)];
  const dayFrom = new Date(nowMs - DAY_MS);
  const agentIds = policy.scope === "workspace" ? null : await boundAgents(db, workspaceId, policy);
  const events = [...new Set(shown.map(({ event }) => event))];
  const [asked, ran] = await Promise.all([
    events.length === 0 ? [] : listCallCounts(db.pool, workspaceId, { events, agentIds, from: dayFrom }),
    listHookRuns(db.pool, workspaceId, indexKeyText(policy.name, HOOK_KEY_MAX), {
      from: new Date(nowMs - LAST_RUN_SEARCH_DAYS * DAY_MS),
      dayFrom,
    }),
  ]);
  const rules = shown.map((hook) => reachOf(hook, asked, ran));
  const lanes = new Set(shown.map(laneKey));
  const ofLanes = asked.filter((row) => lanes.has(`${row.event} ${row.lane}`));
  const isSettledIn = policy.publishedAt !== null && policy.publishedAt.getTime() <= nowMs - HOUR_MS;
  const isReached = rules.some((rule) => rule.reached > 0);
  return {
    bound: policy.bound,
    publishedAt: policy.publishedAt,
    isCut: sum(asked, ({ count }) => count) >= COUNTED_CALLS_MAX,
    agents: agentsIn(ofLanes),
    calls: sum(ofLanes, ({ count }) => count),
    ran: sum(rules, (rule) => rule.ran),
    lastRan: newest(rules.map((rule) => rule.lastRan)),
    isUnreached: policy.bound > 0 && rules.length > 0 && isSettledIn && !isReached,
    rules,
    rulesLeftOut: inForce.length - shown.length,
  };
}

/** The last run of every policy within the days that are searched. */
export async function listPolicyRuns(db: Database, workspaceId: string): Promise<PolicyRuns> {
  const nowMs = Date.now();
  const rows = await listLastRuns(db.pool, workspaceId, {
    from: new Date(nowMs - LAST_RUN_SEARCH_DAYS * DAY_MS),
    dayFrom: new Date(nowMs - DAY_MS),
    limit: LAST_RUNS_MAX,
  });
  return rows.map(({ policyId, at, isHour }) => ({ policyId, at, unit: isHour ? "hour" : "day" }));
}

const laneOf = ({ isEarly }: HookInForce) => (isEarly ? "preempt_yolo" : "default");
const laneKey = (hook: HookInForce): string => `${hook.event} ${laneOf(hook)}`;

function reachOf(hook: HookInForce, asked: readonly CallCountRow[], ran: readonly HookRunRow[]): RuleReach {
  const mine = asked.filter((row) => `${row.event} ${row.lane}` === laneKey(hook));
  const name = indexKeyText(hook.name, HOOK_KEY_MAX);
  const known = ran.find((row) => row.event === hook.event && row.hook === name);
  return {
    revision: hook.revision,
    event: hook.event,
    name: hook.name,
    matcher: hook.matcher,
    lane: laneOf(hook),
    agents: agentsIn(mine),
    calls: sum(mine, ({ count }) => count),
    reached: known?.reached ?? 0,
    ran: known?.ran ?? 0,
    lastRan: known?.last_ran ? { at: known.last_ran, unit: known.is_hour ? "hour" : "day" } : null,
  };
}

const agentsIn = (rows: readonly CallCountRow[]): number => new Set(rows.map((row) => row.agent_id)).size;
const sum = <T>(all: readonly T[], of: (one: T) => number): number => all.reduce((total, one) => total + of(one), 0);

const newest = (all: readonly RuleReach["lastRan"][]): RuleReach["lastRan"] =>
  all.reduce((last, one) => (one !== null && (last === null || one.at > last.at) ? one : last), null);
