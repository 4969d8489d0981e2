/**
 * Keeps the joined records up to date: a session whose counts changed is joined again completely from its stored
 * events. One node at a time, one session per transaction; no request waits for it.
 * docs/adr/0022-compactions-joined-anew.md gives the reasons.
 */
import { asAppError, isDatabaseUnavailable } from "../errors/app-error.ts";
import type { Bus } from "../events/index.ts";
import type { Clock } from "../platform/clock.ts";
import type { Pool, PoolClient } from "../platform/db.ts";
import type { Log } from "../platform/log.ts";
import { createRepeater } from "../platform/repeater.ts";
import { inInstallation } from "../platform/scope.ts";
import { splitIntoAttempts, toAttemptView } from "./attempts.ts";
import { joinAttempt } from "./join-attempt.ts";
import * as records from "./joined-record-repository.ts";
import { countLosses, factsSource, findKnownFacts } from "./known-facts.ts";
import { listSessionRows, transaction } from "./repository.ts";
import type { NextTurns } from "./schema.ts";
import type { SessionEvent } from "./turns.ts";

const LOOK_EVERY_MS = 5_000;
/** Sessions whose join is complete are looked over this often, for events that arrived late. */
const SWEEP_EVERY_MS = 10 * 60_000;
/** The join of a session that has been silent for this long is complete. */
const QUIET_MS = 24 * 3_600_000;
const DUE_MAX = 100;
const SWEEP_PAGE = 5_000;
const EVENTS_MAX = 3_000;
/** Attempts per session; older ones keep their join. */
const ATTEMPTS_MAX = 200;

export interface JoinJob {
  /**
   * Joins the due sessions, and with `all` also those changed after their join was complete; returns the number of
   * sessions.
   */
  run(all?: boolean): Promise<number>;
  start(): void;
  stop(): Promise<void>;
}

interface JoinJobOptions {
  readonly pool: Pool;
  readonly bus: Bus;
  readonly log: Log;
  readonly clock: Clock;
}

export function createJoinJob(options: JoinJobOptions): JoinJob {
  const { pool, bus, log, clock } = options;
  const repeater = createRepeater({
    turn: () => look().then(() => LOOK_EVERY_MS),
    firstMs: LOOK_EVERY_MS,
    retryMs: LOOK_EVERY_MS,
    onFailure: (err) => log.warn({ err }, "compactions were not joined; tried again soon"),
  });
  let sweptMs = 0;

  const run = (all = false): Promise<number> => inInstallation(() => (all ? sweep() : joinDue()));

  async function joinDue(): Promise<number> {
    const quietSince = new Date(clock.now() - QUIET_MS);
    let joined = 0;
    let after: records.WorkspaceSession | null = null;
    do {
      const due: readonly records.WorkspaceSession[] = await records.listDueSessions(pool, quietSince, after, DUE_MAX);
      joined += await joinEach(due);
      after = due.length < DUE_MAX ? null : (due.at(-1) ?? null);
    } while (after !== null && !repeater.signal.aborted);
    return joined;
  }

  async function sweep(): Promise<number> {
    let joined = await joinDue();
    let after: records.WorkspaceSession | null = null;
    do {
      const page: Awaited<ReturnType<typeof records.listChangedSessions>> = await records.listChangedSessions(
        pool,
        after,
        SWEEP_PAGE,
      );
      joined += await joinEach(page.changed);
      after = page.last;
    } while (after !== null && !repeater.signal.aborted);
    return joined;
  }

  /** Returns the number of joined sessions. Skips sessions that another node is joining. */
  async function joinEach(sessions: readonly records.WorkspaceSession[]): Promise<number> {
    let joined = 0;
    const workspaces = new Set<string>();
    for (const session of sessions) {
      if (repeater.signal.aborted) break;
      if (!(await joinOne(options, session))) continue;
      joined += 1;
      workspaces.add(session.workspaceId);
    }
    for (const workspaceId of workspaces) {
      await pool.query("SELECT pg_notify($1, $2)", [bus.channel, bus.message(workspaceId, ["compactions"])]);
      bus.announce(workspaceId, ["compactions"]);
    }
    return joined;
  }

  async function look(): Promise<void> {
    const isSweep = clock.now() - sweptMs >= SWEEP_EVERY_MS;
    await run(isSweep);
    if (isSweep) sweptMs = clock.now();
  }

  return { run, start: repeater.start, stop: repeater.stop };
}

/** False when another node is joining it, or the join failed. */
async function joinOne({ pool, log, clock }: JoinJobOptions, session: records.WorkspaceSession): Promise<boolean> {
  try {
    return await transaction(pool, async (client) => {
      if (!(await records.tryJoinLock(client))) return false;
      await joinSession(client, session, clock.now());
      return true;
    });
  } catch (error) {
    if (isDatabaseUnavailable(asAppError(error))) throw error;
    log.error({ err: error, ...session }, "a session's compactions were not joined; tried again in ten minutes");
    await records.deferSession(pool, session);
    return false;
  }
}

const IS_FINAL: ReadonlySet<NextTurns> = new Set(["full", "cut", "none"]);

async function joinSession(client: PoolClient, session: records.WorkspaceSession, nowMs: number): Promise<void> {
  // Read first: a later commit changes the counts, and the session is due again.
  const seen = await records.findSessionMark(client, session);
  if (seen === null) return;
  const { workspaceId } = session;
  const rows = await listSessionRows(client, workspaceId, session, EVENTS_MAX);
  const all = splitIntoAttempts(rows);
  const runs = all.slice(-ATTEMPTS_MAX);
  const counted = await records.listCountedLosses(client, session);
  const kept: records.JoinedRecord[] = [];
  let isFinal = true;
  for (const [at, run] of runs.entries()) {
    const next = runs.slice(at + 1).find((later) => later.at(-1)?.event === "after_compaction")?.[0] ?? null;
    const attempt = toAttemptView(run, nowMs);
    const { view, before, summary } = await joinAttempt(client, workspaceId, run, next);
    const losses = summary === null ? null : await lossesOf(before, summary, counted.get(attempt.id));
    isFinal &&= IS_FINAL.has(view.nextTurns) && attempt.outcome !== "running" && view.afterMissing !== "no_call_yet";
    kept.push({ workspaceId, attempt, joined: view, losses });
  }
  const isWhole = rows.length < EVENTS_MAX && all.length === runs.length;
  await records.replaceRecords(client, session, kept, isWhole ? null : (kept[0]?.attempt.occurredAt ?? null));
  const isQuiet = seen.lastAt === null || nowMs - seen.lastAt.getTime() > QUIET_MS;
  if (all.length === 0) await records.deleteSessionMark(client, session, seen);
  else if (!(await records.updateSessionMark(client, session, seen, isFinal || isQuiet)))
    await records.replaceRecords(client, session, [], null);

  /**
   * Computed once for the same earlier events: it reads hundreds of inputs, and later events do not change the result.
   */
  async function lossesOf(
    before: readonly SessionEvent[],
    summary: string,
    known: records.CountedLosses | undefined,
  ): Promise<records.CountedLosses> {
    const source = factsSource(before, summary);
    if (known?.source === source) return known;
    const losses = countLosses(await findKnownFacts(client, workspaceId, before, summary));
    return { ...losses, events: before.length, source };
  }
}
