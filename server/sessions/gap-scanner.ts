/**
 * Checks sessions with new events in the background, and stores their missing events. A session's figures are a
 * function of its rows, so they do not depend on the node, the number of checks or the order of events.
 */
import type { Bus } from "../events/index.ts";
import type { Clock } from "../platform/clock.ts";
import type { Database } from "../platform/db.ts";
import type { Log } from "../platform/log.ts";
import { createRepeater } from "../platform/repeater.ts";
import { inInstallation, inWorkspace } from "../platform/scope.ts";
import * as seen from "./coverage/repository.ts";
import { gapsOf, SILENCE_MS } from "./gaps.ts";

const LOOK_EVERY_MS = 10_000;
/** The pause before the next pass if more sessions are due than one pass can check. */
const BEHIND_MS = 1_000;
/** The interval between checks of workspaces without new events, whose open sessions become silent. */
const LOOK_AT_ALL_EVERY_MS = 300_000;
/** The limits of one pass for a workspace, in sessions and in time; the rest waits for the next pass. */
const SESSIONS_PER_PASS = 250;
const PASS_MS = 2_000;
/** A session is not checked again for an event that arrives later than this. */
const BACK_MS = 31 * 24 * 3_600_000;
/** The maximum number of events that are checked of one session. */
export const EVENTS_MAX = 50_000;
/** The events of sessions that are read in one query. */
const EVENTS_TOGETHER_MAX = 10_000;

export interface GapScanner {
  start(): void;
  stop(): Promise<void>;
}

export function createGapScanner({
  db,
  bus,
  log,
  clock,
}: {
  db: Database;
  bus: Bus;
  log: Log;
  clock: Clock;
}): GapScanner {
  const told = new Set<string>();
  let allAt = Number.NEGATIVE_INFINITY;
  const repeater = createRepeater({
    turn: () => pass().then((isBehind) => (isBehind ? BEHIND_MS : LOOK_EVERY_MS)),
    firstMs: LOOK_EVERY_MS,
    retryMs: LOOK_EVERY_MS,
    onFailure: (err) => log.warn({ err }, "sessions were not looked at; it is tried again"),
  });
  let unsubscribe: (() => void) | undefined;

  /** Says whether something that was due is left. */
  async function pass(): Promise<boolean> {
    const everything = clock.monotonic() - allAt >= LOOK_AT_ALL_EVERY_MS;
    const workspaces = everything ? await inInstallation(() => seen.listWorkspaces(db)) : [...told];
    if (everything) allAt = clock.monotonic();
    told.clear();
    let isBehind = false;
    for (const workspaceId of workspaces) {
      if (repeater.signal.aborted) return false;
      const since = clock.monotonic();
      let [looked, all] = [0, 0];
      do {
        looked = await lookAtDue(db, workspaceId, clock);
        all += looked;
      } while (looked >= SESSIONS_PER_PASS && clock.monotonic() - since < PASS_MS && !repeater.signal.aborted);
      if (all > 0) {
        bus.announce(workspaceId, ["coverage"]);
        await inWorkspace(workspaceId, () => seen.notify(db, bus.channel, bus.message(workspaceId, ["coverage"])));
      }
      if (looked >= SESSIONS_PER_PASS) {
        told.add(workspaceId);
        isBehind = true;
      }
    }
    return isBehind;
  }

  return {
    start() {
      unsubscribe = bus.subscribe((workspaceId, topics) => {
        if (workspaceId !== null && topics.includes("sessions")) told.add(workspaceId);
      });
      repeater.start();
    },
    async stop() {
      unsubscribe?.();
      await repeater.stop();
    },
  };
}

/** Looks at some of the workspace's sessions that are due; answers how many. */
export function lookAtDue(db: Database, workspaceId: string, clock: Clock): Promise<number> {
  return inWorkspace(workspaceId, async () => {
    const now = new Date(clock.now());
    const since = new Date(now.getTime() - BACK_MS);
    const due = await seen.listDue(db, workspaceId, { since, now, limit: SESSIONS_PER_PASS });
    for (const together of inGroups(due)) {
      const events = await seen.listEvents(db, workspaceId, together, EVENTS_MAX + 1);
      const checked = events.map(({ rows, heardAt }, at): seen.CheckedSession[] => {
        const session = together[at];
        const isActive = heardAt !== null && now.getTime() - heardAt.getTime() < SILENCE_MS;
        const isCut = rows.length > EVENTS_MAX;
        return session ? [{ session, gaps: gapsOf(rows.slice(0, EVENTS_MAX), isActive || isCut), isCut }] : [];
      });
      await seen.upsertSeen(db, workspaceId, now, checked.flat());
    }
    return due.length;
  });
}

/** Small sessions share a query; a large one has its own. */
function inGroups(due: readonly seen.DueSession[]): seen.DueSession[][] {
  const groups: seen.DueSession[][] = [];
  let events = 0;
  for (const session of due) {
    events += Number(session.events);
    const last = groups.at(-1);
    if (last !== undefined && events <= EVENTS_TOGETHER_MAX) last.push(session);
    else {
      groups.push([session]);
      events = Number(session.events);
    }
  }
  return groups;
}
