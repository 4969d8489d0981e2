/** Everything that the chunks of a backtest share: the sets of policies per agent, exceptions and marks. */

import { isDeepStrictEqual } from "node:util";
import { everyHook, type HooksConfig } from "@quarterdeck/hooks";
import { listGuards } from "@quarterdeck/hooks/contract/semantic-diff/guard";
import { listPastExceptions } from "../exceptions/index.ts";
import type { Database } from "../platform/db.ts";
import { type CandidateText, comparedSets, type EffectiveSet, firstReachOf, readPolicy } from "../policies/index.ts";
import type { ReplaySet } from "./replay-hooks.ts";
import type { ReplayAgent, ReplaySetup } from "./replay-run.ts";
import type { ClaimedRun } from "./run-repository.ts";
import { gatesOf } from "./side.ts";
import { sha256Of } from "./source-digest.ts";

export interface RunSetup {
  readonly setup: ReplaySetup;
  /** The workspace's counter of policy changes. */
  readonly sequence: number;
  /** The events that are read: every gate that a hook names, and tool calls. */
  readonly events: readonly string[];
  /** The marks that rules ask for. */
  readonly marks: readonly string[];
  /** True if a hook belongs to the early lane. */
  readonly hasEarlyHooks: boolean;
}

/** Marks are kept this long (server/database/table-schema.ts). */
const MARKS_KEPT_MS = 30 * 24 * 3_600_000;

/** The text of a run in the place of its policy. */
export async function candidateOf(
  db: Database,
  { workspaceId, policyId, source, sha256 }: Pick<ClaimedRun, "workspaceId" | "policyId" | "source" | "sha256">,
): Promise<CandidateText> {
  const { name, bindsAll } = await firstReachOf(db, workspaceId, policyId);
  const { hooks, profile } = readPolicy(source);
  if (!hooks) throw new Error("the text of a backtest cannot be read");
  return { policyId, name, sha256, profile, hooks, bindsAll };
}

export async function setUpRun(
  db: Database,
  workspaceId: string,
  runId: string,
  candidate: CandidateText,
  from: Date,
): Promise<RunSetup> {
  const agents: Record<string, ReplayAgent> = {};
  const sets: Record<string, ReplaySet> = {};
  let sequence = 0;
  for (const { agentId, agentName, tags, inForce, candidate: next } of await comparedSets(db, workspaceId, candidate)) {
    sequence = inForce.sequence;
    for (const set of [inForce, next]) sets[keyOf(set)] ??= replaySetOf(set);
    agents[agentId] = { name: agentName, tags, inForce: keyOf(inForce), candidate: keyOf(next) };
  }
  const all = Object.values(sets);
  const guards = all.map(({ profile, members }) => ({
    profile,
    guards: members.flatMap(({ hooks }) => listGuards(hooks)),
  }));
  const exceptions = await listPastExceptions(db.pool, workspaceId, from);
  const setup: ReplaySetup = {
    // Exceptions and agents change without a policy.
    key: `${runId} ${sequence} ${sha256Of(JSON.stringify([agents, exceptions]))}`,
    ...{ sets, agents, exceptions },
    changedMarks: changedMarks(agents, sets),
    marksFromMs: Date.now() - MARKS_KEPT_MS,
  };
  return {
    ...{ setup, sequence, events: [...new Set([...gatesOf(guards), "pre_tool_use"])] },
    marks: [...new Set(all.flatMap(({ members }) => members.flatMap(({ hooks }) => marksIn(hooks, "after"))))],
    hasEarlyHooks: guards.some((side) => side.guards.some(({ preempt }) => preempt)),
  };
}

const keyOf = ({ revision, profile }: EffectiveSet): string => `${revision} ${profile}`;

const replaySetOf = ({ profile, members }: EffectiveSet): ReplaySet => ({
  profile,
  members: members.map(({ policyId, name, number, textProfile, hooks }) => ({
    ...{ policyId, policy: name, number, hooks },
    profile: textProfile,
  })),
});

/** The marks whose rules differ between the two sets of any agent: their history is not known for the candidate. */
function changedMarks(agents: Record<string, ReplayAgent>, sets: Record<string, ReplaySet>): string[] {
  const rulesOf = (key: string) => settersIn(sets[key]?.members.map(({ hooks }) => hooks) ?? []);
  const pairs = new Map(
    Object.values(agents).map(({ inForce, candidate }) => [`${inForce} ${candidate}`, { inForce, candidate }]),
  );
  const changed = new Set<string>();
  for (const { inForce, candidate } of pairs.values()) {
    const [was, is] = [rulesOf(inForce), rulesOf(candidate)];
    for (const mark of new Set([...was.keys(), ...is.keys()]))
      if (!isDeepStrictEqual(was.get(mark), is.get(mark))) changed.add(mark);
  }
  return [...changed];
}

function settersIn(texts: readonly HooksConfig[]): Map<string, unknown[]> {
  const byMark = new Map<string, unknown[]>();
  for (const { hook, event, matcher } of texts.flatMap((hooks) => everyHook(hooks)))
    for (const rule of hook.rules ?? [])
      if (rule.mark !== undefined) byMark.set(rule.mark, [...(byMark.get(rule.mark) ?? []), [event, matcher, rule]]);
  return byMark;
}

/** The values of a key anywhere in the rules: conditions nest. */
function marksIn(part: unknown, key: string): string[] {
  if (Array.isArray(part)) return part.flatMap((one) => marksIn(one, key));
  if (typeof part !== "object" || part === null) return [];
  return Object.entries(part).flatMap(([name, value]) =>
    name === key && typeof value === "string" ? [value] : marksIn(value, key),
  );
}
