/**
 * Carries erasure requests out, a step at a time: what was asked, answered and said goes from every table that holds a piece of
 * it, and a name gives way to an alias. Leaves stay, made of the content's salted digest, so the chain is as whole as before; the
 * salt goes too, so that the content cannot be guessed. Each step is one transaction with its entry and with the position of the
 * walk: whoever goes on after a crash repeats nothing. A request stands until it is withdrawn: what is reported later goes too.
 */
import type { Bus } from "../../events/index.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Pool, PoolClient } from "../../platform/db.ts";
import type { Log } from "../../platform/log.ts";
import { createRepeater } from "../../platform/repeater.ts";
import { inInstallation } from "../../platform/scope.ts";
import { transaction } from "../repository.ts";
import { faultSentence } from "../retention/retention-attempts.ts";
import { append } from "../retention/retention-repository.ts";
import * as rows from "./erasure-repository.ts";
import { DISPATCH, ERASED_TABLES, type ErasedTable } from "./erasure-tables.ts";

const LOOKED_ROWS = 10_000;
const NOTIFY_EVERY_MS = 1_000;
/** A walk over rows of others saves its position so often. */
const SAVE_EVERY_WINDOWS = 20;
const FOLLOW_BATCHES = 200;
const LOOK_EVERY_MS = 5_000;
const FOLLOW_EVERY_MS = 60_000;
/** Jobs that derive rows from the log may copy a name from an erased dispatch; so copies are looked for once a day. */
const REPEAT_EVERY_MS = 86_400_000;

export interface ErasureRunner {
  /** Carries out what was asked for, and erases what arrived since for requests that stand. */
  run(): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

export interface ErasureOptions {
  readonly pool: Pool;
  readonly log: Log;
  readonly clock: Clock;
  readonly bus?: Pick<Bus, "tell">;
  /** Asked before each step. */
  readonly pacer?: { step(): Promise<void> };
  /** Rows looked at by one statement, and erased by one transaction. */
  readonly sizes?: { readonly looked: number; readonly step: number };
}

const BEHIND_THE_LOG: rows.WalkPosition = { table: "tool_decision", after: null };

type Work = rows.ErasureWork;
class Interrupted extends Error {}

export function createErasure(options: ErasureOptions): ErasureRunner {
  const { pool, log, clock, bus, pacer, sizes = { looked: LOOKED_ROWS, step: rows.STEP_ROWS } } = options;
  const repeater = createRepeater({
    turn: () => inInstallation(look).then(() => LOOK_EVERY_MS),
    firstMs: LOOK_EVERY_MS,
    retryMs: LOOK_EVERY_MS,
    onFailure: (err) => log.error({ err }, "erasure requests could not be read"),
  });
  let followedAtMs = Number.NEGATIVE_INFINITY;
  let notifiedAtMs = Number.NEGATIVE_INFINITY;

  const run = () => inInstallation(() => carryOut(true));

  async function carryOut(isFollowing: boolean): Promise<void> {
    for (const work of await rows.listWork(pool)) {
      try {
        if (work.state === "running") await walk(work);
        else if (isFollowing) await follow(work);
      } catch (err) {
        if (err instanceof Interrupted) return;
        log.error({ err, request: work.id }, "an erasure did not go on; it is tried again");
        await rows.saveFault(pool, work, faultSentence(err), new Date(clock.now()));
        bus?.tell(work.workspaceId, ["audit"]);
      }
    }
  }

  async function walk(work: Work): Promise<void> {
    const reached = ERASED_TABLES.findIndex(({ table }) => table === work.position?.table);
    const begun = Math.max(0, reached);
    let { held } = work;
    for (const [at, table] of ERASED_TABLES.entries()) {
      if (at < begun || (table.isOfNames && work.agentName === null)) continue;
      // Sums under the name belong to what is held as well.
      if (table.sums !== undefined && held > 0) continue;
      held += await walkTable(work, table, at === reached ? (work.position?.after ?? null) : null);
    }
    await transaction(pool, async (client) => {
      if (!(await rows.lock(client, work))) return;
      const result = await rows.finishWalk(client, work);
      // A repeat that found nothing is nothing to tell of.
      const isSame = work.finishedAt !== null && result?.erased === work.erased && result.copies === work.copies;
      if (result === null || isSame) return;
      await append(client, work.workspaceId, { kind: "erasure_finished", version: 1, request: work.id, ...result });
    });
    bus?.tell(work.workspaceId, ["audit", "decisions", "sessions"]);
  }

  /** Answers how many rows of the log are held. */
  async function walkTable(work: Work, table: ErasedTable, from: rows.RowKey | null): Promise<number> {
    let held = 0;
    let after = from;
    for (let windows = 1; ; windows += 1) {
      await pacer?.step();
      const found = await rows.find(pool, work, table, after, sizes.looked);
      for (let at = 0; at < found.rows.length; at += sizes.step)
        held += await eraseStep(work, table, found.rows.slice(at, at + sizes.step));
      if (found.next === null) return held;
      after = found.next;
      if (windows % SAVE_EVERY_WINDOWS === 0)
        await rows.saveProgress(pool, work, { position: { table: table.table, after } });
      if (repeater.signal.aborted) throw new Interrupted();
    }
  }

  /** One transaction. Answers how many rows of the log are held. Errors: what PostgreSQL says; `Interrupted`. */
  async function eraseStep(work: Work, table: ErasedTable, step: rows.Found["rows"], isWalk = true): Promise<number> {
    await pacer?.step();
    if (repeater.signal.aborted) throw new Interrupted();
    const keys = step.flatMap((row) => (row.isHeld ? [] : [row.key]));
    const held = table === DISPATCH ? step.length - keys.length : 0;
    const progress = isWalk ? { position: { table: table.table, after: step.at(-1)?.key ?? null } } : {};
    const erased = await transaction(pool, async (client) => {
      if (!(await rows.lock(client, work))) throw new Interrupted();
      const gone = await eraseIn(client, work, table, keys);
      const count = table === DISPATCH ? { erased: gone.length, held } : { copies: gone.length };
      // Not behind rows that somebody else holds locked: they are still to come.
      await rows.saveProgress(client, work, { ...(gone.length === keys.length ? progress : {}), ...count });
      return gone;
    });
    if (clock.now() - notifiedAtMs >= NOTIFY_EVERY_MS) {
      notifiedAtMs = clock.now();
      bus?.tell(work.workspaceId, ["audit"]);
    }
    if (erased.length < keys.length) await eraseOneByOne(work, table, keys, erased, progress);
    return held;
  }

  /** Waits for each row by itself that somebody held locked a moment ago, and only then moves on. */
  async function eraseOneByOne(
    work: Work,
    table: ErasedTable,
    keys: readonly rows.RowKey[],
    erased: readonly rows.RowKey[],
    progress: rows.Progress,
  ): Promise<void> {
    const done = new Set(erased.map((key) => key.join("\0")));
    for (const key of keys) {
      if (done.has(key.join("\0"))) continue;
      await transaction(pool, async (client) => {
        if (!(await rows.lock(client, work))) throw new Interrupted();
        const gone = (await eraseIn(client, work, table, [key])).length;
        await rows.saveProgress(client, work, table === DISPATCH ? { erased: gone } : { copies: gone });
      });
    }
    await rows.saveProgress(pool, work, progress);
  }

  async function eraseIn(client: PoolClient, work: Work, table: ErasedTable, keys: readonly rows.RowKey[]) {
    const gone = await rows.eraseRows(client, work, table, keys);
    if (table !== DISPATCH || gone.length === 0) return gone;
    await rows.forgetDeliveries(client, work.workspaceId, gone);
    const dispatches = gone
      .map(([, id = ""]) => id.replaceAll("-", ""))
      .sort()
      .join("");
    const { requestedBy: by, requestedById, reason, id: request } = work;
    const entry = { kind: "content_erased", version: 2, by, reason, request, dispatches } as const;
    await append(client, work.workspaceId, entry, requestedById);
    return gone;
  }

  /** Erases what arrived since, and then walks over what was made of it. */
  async function follow(work: Work): Promise<void> {
    if (await rows.isFreed(pool, work)) {
      await rows.beginWalk(pool, work, null);
      return;
    }
    let { followedSeq } = work;
    let hasArrived = false;
    for (;;) {
      const arrived = await rows.findArrived(pool, { ...work, followedSeq }, FOLLOW_BATCHES);
      if (arrived.seq === null) break;
      if (arrived.rows.length > 0) {
        // Before the words go: a crash in between finds the walk begun.
        if (!hasArrived) await rows.beginWalk(pool, work, BEHIND_THE_LOG);
        hasArrived = true;
      }
      for (let at = 0; at < arrived.rows.length; at += sizes.step)
        await eraseStep(work, DISPATCH, arrived.rows.slice(at, at + sizes.step), false);
      followedSeq = arrived.seq;
      await rows.saveFollowed(pool, work, followedSeq);
      if (repeater.signal.aborted) throw new Interrupted();
    }
    const isOld = work.finishedAt !== null && clock.now() - work.finishedAt.getTime() >= REPEAT_EVERY_MS;
    if (!hasArrived && isOld) await rows.beginWalk(pool, work, BEHIND_THE_LOG);
    if (!hasArrived && !isOld) return;
    const [again] = (await rows.listWork(pool)).filter(({ id }) => id === work.id);
    if (again?.state === "running") await walk(again);
  }

  async function look(): Promise<void> {
    const isFollowing = clock.now() - followedAtMs >= FOLLOW_EVERY_MS;
    if (isFollowing) followedAtMs = clock.now();
    await carryOut(isFollowing);
  }

  return { run, start: repeater.start, stop: repeater.stop };
}
