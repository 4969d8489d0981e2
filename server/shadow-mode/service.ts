/**
 * The decisions that policies in shadow mode would have made. They are written afterwards in batches: while one batch
 * is written, the next collects. A loss affects no verdict and no budget; it is still counted as dropped.
 */
import { isStricter as stricter, type Verdict } from "@quarterdeck/hooks";
import type { Bus } from "../events/index.ts";
import type { Database, Pool } from "../platform/db.ts";
import type { Log } from "../platform/log.ts";
import { inInstallation } from "../platform/scope.ts";
import { list as listPolicies } from "../policies/index.ts";
import { type DispatchRecord, indexKeyText, pgText, type ShadowJudgeCalls } from "../recording/index.ts";
import { type StoredHook, storedHooks } from "../recording/schema.ts";
import * as observations from "./repository.ts";
import {
  DISPATCH_OBSERVATIONS_MAX,
  type DispatchObservation,
  type ListObservations,
  type MonitoredRuleSums,
  OBSERVATIONS_PAGE,
  type ObservationsOfDispatch,
  type ObservationsPage,
  type ObservedSums,
} from "./schema.ts";

/** The policy revision or rule that observed a dispatch, and the time of the dispatch. */
export interface SeenBy {
  readonly workspaceId: string;
  readonly policyId: string;
  readonly revision: number;
  /** The monitored rule; null for a whole policy. */
  readonly rule: { readonly event: string; readonly hook: string } | null;
  readonly atMs: number;
}

/** One dispatch as judged by one observed policy. Secrets are masked, except in the input, which is not stored. */
export interface Observation extends SeenBy {
  readonly place: number;
  readonly occurredAt: Date;
  readonly dispatchId: string;
  readonly agentId: string;
  readonly agentName: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly event: string;
  readonly lane: string;
  readonly isGate: boolean;
  readonly verdict: Verdict;
  readonly decided: Verdict;
  readonly reason: string;
  readonly hooks: readonly StoredHook[];
  readonly durationUs: number;
}

export interface Observations {
  record(observation: Observation): void;
  /** Counts a gate call that none of its hooks ran for, or one that was dropped. */
  count(seen: SeenBy, name: "gates" | "dropped"): void;
  /** Resolves when no observation waits. */
  flush(): Promise<void>;
}

const HOUR_MS = 3_600_000;
const ROWS_WAITING_MAX = 2_048;
const INT4_MAX = 2_147_483_647;

type Sums = Map<string, observations.SumRow>;

export function createObservations(pool: Pool, bus: Bus, log: Log): Observations {
  let rows: observations.ObservationRow[] = [];
  let judges: ShadowJudgeCalls[] = [];
  let sums: Sums = new Map();
  let running: Promise<void> | null = null;

  async function drain(): Promise<void> {
    let isStored = true;
    // Observations that could not be stored are counted as dropped, and the counts wait for the next batch.
    while (isStored && (rows.length > 0 || sums.size > 0)) {
      const batch = { rows, judges, sums };
      rows = [];
      judges = [];
      sums = new Map();
      isStored = await write(batch);
    }
    running = null;
  }

  async function write(batch: { rows: typeof rows; judges: typeof judges; sums: Sums }): Promise<boolean> {
    const workspaces = new Set([...batch.sums.values()].map((sum) => sum.workspaceId));
    const ordered = [...batch.sums].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => sum);
    try {
      await observations.write(pool, { rows: batch.rows, judges: batch.judges, sums: ordered });
    } catch (error) {
      log.error({ err: error, rows: batch.rows.length }, "what observed policies would have decided was not stored");
      for (const sum of ordered) {
        const { gates, judged, dropped } = sum;
        merge({ ...sum, gates: gates - judged, dropped: dropped + judged, judged: 0, denied: 0, asked: 0, failed: 0 });
      }
      return false;
    }
    for (const id of workspaces) bus.tell(id, ["observations"]);
    return true;
  }

  function merge(more: observations.SumRow): void {
    const key = [more.workspaceId, more.policyId, more.bucket, more.revision, more.event, more.rule].join(" ");
    const known = sums.get(key);
    if (!known) sums.set(key, { ...more });
    else for (const name of observations.COUNTS) known[name] += more[name];
  }

  function add(
    { workspaceId, policyId, revision, rule, atMs }: SeenBy,
    names: readonly observations.CountName[],
  ): void {
    const bucket = new Date(Math.floor(atMs / HOUR_MS) * HOUR_MS).toISOString();
    const counts = Object.fromEntries(observations.COUNTS.map((name) => [name, names.includes(name) ? 1 : 0]));
    // Holds: every count is named in COUNTS.
    const named = { event: rule?.event ?? "", rule: rule?.hook ?? "" };
    merge({ workspaceId, policyId, revision, bucket, ...named, ...(counts as Record<observations.CountName, number>) });
  }

  return {
    record(seen) {
      if (rows.length >= ROWS_WAITING_MAX) add(seen, ["dropped"]);
      else {
        const row = rowOf(seen);
        rows.push(row);
        if (seen.hooks.some((hook) => hook.judge)) judges.push({ record: recordOf(seen), place: seen.place });
        add(seen, countsOf(seen, row.isStricter));
      }
      running ??= inInstallation(drain);
    },
    count(seen, name) {
      add(seen, [name]);
      running ??= inInstallation(drain);
    },
    async flush() {
      while (running !== null) await running;
    },
  };
}

function countsOf({ isGate, verdict, hooks }: Observation, isStricter: boolean): observations.CountName[] {
  return [
    ...(isGate ? (["gates", "judged"] as const) : []),
    ...(isStricter && verdict === "deny" ? (["denied"] as const) : []),
    ...(isStricter && verdict === "ask" ? (["asked"] as const) : []),
    ...(hooks.some((hook) => hook.outcome === "failed") ? (["failed"] as const) : []),
  ];
}

const textIn = (input: Observation["input"], name: string): string => {
  const value = input[name];
  return typeof value === "string" ? value : "";
};

function rowOf(seen: Observation): observations.ObservationRow {
  const { workspaceId, policyId, revision, occurredAt, dispatchId, agentId, event, verdict, decided } = seen;
  const toolName = textIn(seen.input, "tool_name");
  return {
    ...{ workspaceId, policyId, revision, occurredAt, dispatchId, agentId, event, verdict, decided },
    agentName: indexKeyText(seen.agentName),
    sessionId: indexKeyText(textIn(seen.input, "session_id")),
    toolName: toolName === "" ? null : pgText(toolName),
    isStricter: isStricter(verdict, decided),
    reason: pgText(seen.reason),
    rule: seen.rule?.hook ?? "",
    hooks: pgText(JSON.stringify(seen.hooks)),
    durationUs: Math.min(seen.durationUs, INT4_MAX),
  };
}

/**
 * True if the policy would have stopped a call that went through, or asked about it. A more permissive verdict does not
 * count.
 */
function isStricter(verdict: Verdict, decided: Verdict): boolean {
  if (verdict !== "deny" && verdict !== "ask") return false;
  return stricter(verdict, decided === "none" ? "" : decided);
}

/** The record from which judges' calls are counted; no other part of it is kept. */
function recordOf(seen: Observation): DispatchRecord {
  const { workspaceId, occurredAt, dispatchId, agentId, agentName, event, lane, input, verdict, reason, hooks } = seen;
  return {
    ...{ workspaceId, occurredAt, agentId, agentName, event, lane, input, verdict, reason, hooks },
    id: dispatchId,
    receivedAt: occurredAt,
    origin: "dispatch",
    inputText: "",
    cost: null,
    revision: "",
    durationUs: seen.durationUs,
    answer: {},
    delivery: null,
  };
}

/** The decisions that one policy or rule would have made, newest first. */
export async function list(db: Database, workspaceId: string, input: ListObservations): Promise<ObservationsPage> {
  const { policyId, rule, onlyStricter, cursor } = input;
  const limit = OBSERVATIONS_PAGE + 1;
  const found = await observations.list(db.pool, workspaceId, policyId, { onlyStricter, rule, cursor, limit });
  const shown = found.slice(0, OBSERVATIONS_PAGE);
  const last = shown.at(-1);
  return {
    rows: shown.map((row) => ({
      occurredAt: row.occurred_at,
      dispatchId: row.dispatch_id,
      revision: row.revision,
      agentName: row.agent_name,
      event: row.event,
      toolName: row.tool_name,
      verdict: row.verdict,
      decided: row.decided,
      isStricter: row.is_stricter,
      reason: row.reason,
      hooks: storedHooks.parse(JSON.parse(row.hooks)),
      isDecision: row.is_decision,
    })),
    next: found.length > shown.length && last ? { occurredAt: last.occurred_at, dispatchId: last.dispatch_id } : null,
  };
}

/** Every policy that is only observed now, with what came of it; the one that is enforced next comes first. */
export async function sums(db: Database, workspaceId: string): Promise<ObservedSums[]> {
  const observed = (await listPolicies(db, workspaceId)).flatMap(({ id, name, observed }) =>
    observed ? [{ policyId: id, name, since: observed.since, until: observed.until }] : [],
  );
  const counted = await Promise.all(
    observed.map(async (one) => ({
      ...one,
      ...(await observations.findSums(db.pool, workspaceId, one.policyId, one.since)),
    })),
  );
  return counted.sort((a, b) => a.until.getTime() - b.until.getTime());
}

/** Every rule in monitor mode, with its results; the one that is enforced next comes first. */
export async function ruleSums(db: Database, workspaceId: string): Promise<MonitoredRuleSums[]> {
  const monitored = (await listPolicies(db, workspaceId)).flatMap(({ id, name, monitored }) =>
    monitored.map((one) => ({ policyId: id, name, ...one })),
  );
  const counted = await Promise.all(
    monitored.map(async (one) => ({
      ...one,
      ...(await observations.findSums(db.pool, workspaceId, one.policyId, one.since, one)),
    })),
  );
  return counted.sort((a, b) => a.until.getTime() - b.until.getTime());
}

/** The verdicts of observed policies and monitored rules on one recorded dispatch. */
export async function listOfDispatch(
  db: Database,
  workspaceId: string,
  key: ObservationsOfDispatch,
): Promise<DispatchObservation[]> {
  const found = await observations.listOfDispatch(db.pool, workspaceId, key, DISPATCH_OBSERVATIONS_MAX);
  return found.map(({ policy_id: policyId, is_stricter: isStricter, ...row }) => ({ policyId, isStricter, ...row }));
}
