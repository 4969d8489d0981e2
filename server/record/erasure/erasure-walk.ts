/** The walk of a request over every table, and over what arrives while the request stands. */
import { transaction } from "../repository.ts";
import { append } from "../retention/retention-repository.ts";
import { type ErasureContext, type ErasureTarget, eraseStep, Interrupted } from "./erase-rows.ts";
import * as rows from "./erasure-repository.ts";
import { DISPATCH, ERASED_TABLES } from "./erasure-tables.ts";

/** A walk over other rows saves its position after this many windows. */
const SAVE_EVERY_WINDOWS = 20;
const FOLLOW_BATCHES = 200;
/** Jobs that derive rows from the log may copy a name from an erased dispatch; so copies are looked for once a day. */
const REPEAT_EVERY_MS = 86_400_000;
const BEHIND_THE_LOG: rows.WalkPosition = { table: "tool_decision", after: null };

type Work = rows.ErasureWork;

export async function walk(context: ErasureContext, work: Work): Promise<void> {
  const { pool, bus } = context;
  const reached = ERASED_TABLES.findIndex(({ table }) => table === work.position?.table);
  const begun = Math.max(0, reached);
  let { held } = work;
  for (const [at, table] of ERASED_TABLES.entries()) {
    if (at < begun || (table.isOfNames && work.agentName === null)) continue;
    // Sums under the name include held dispatches as well.
    if (table.sums !== undefined && held > 0) continue;
    held += await walkTable(context, { work, table }, at === reached ? (work.position?.after ?? null) : null);
  }
  await transaction(pool, async (client) => {
    if (!(await rows.lock(client, work))) return;
    const result = await rows.finishWalk(client, work);
    // A repeat that found nothing new is not recorded.
    const isSame = work.finishedAt !== null && result?.erased === work.erased && result.copies === work.copies;
    if (result === null || isSame) return;
    await append(client, work.workspaceId, { kind: "erasure_finished", version: 1, request: work.id, ...result });
  });
  bus?.tell(work.workspaceId, ["audit", "decisions", "sessions"]);
}

/** Returns the number of held rows of the log. */
async function walkTable(context: ErasureContext, target: ErasureTarget, from: rows.RowKey | null): Promise<number> {
  const { pool, pacer, sizes, isEnding } = context;
  const { work, table } = target;
  let held = 0;
  let after = from;
  for (let windows = 1; ; windows += 1) {
    await pacer?.step();
    const found = await rows.find(pool, work, table, after, sizes.looked);
    for (let at = 0; at < found.rows.length; at += sizes.step)
      held += await eraseStep(context, target, found.rows.slice(at, at + sizes.step));
    if (found.next === null) return held;
    after = found.next;
    if (windows % SAVE_EVERY_WINDOWS === 0)
      await rows.saveProgress(pool, work, { position: { table: table.table, after } });
    if (isEnding()) throw new Interrupted();
  }
}

/** Erases later arrivals, and then walks over the data derived from them. */
export async function follow(context: ErasureContext, work: Work): Promise<void> {
  const { pool, clock, sizes, isEnding } = context;
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
      // Marked before the texts are erased: after a crash in between, the walk counts as begun.
      if (!hasArrived) await rows.beginWalk(pool, work, BEHIND_THE_LOG);
      hasArrived = true;
    }
    for (let at = 0; at < arrived.rows.length; at += sizes.step)
      await eraseStep(context, { work, table: DISPATCH }, arrived.rows.slice(at, at + sizes.step), false);
    followedSeq = arrived.seq;
    await rows.saveFollowed(pool, work, followedSeq);
    if (isEnding()) throw new Interrupted();
  }
  const isOld = work.finishedAt !== null && clock.now() - work.finishedAt.getTime() >= REPEAT_EVERY_MS;
  if (!hasArrived && isOld) await rows.beginWalk(pool, work, BEHIND_THE_LOG);
  if (!hasArrived && !isOld) return;
  const [again] = (await rows.listWork(pool)).filter(({ id }) => id === work.id);
  if (again?.state === "running") await walk(context, again);
}
