/** Deliveries that name themselves: a repeat gets the recorded answer and runs nothing. */

import type { AgentActor } from "../access/actor.ts";
import { AppError } from "../errors/app-error.ts";
import type { Pool } from "../platform/db.ts";
import { uuidOfText } from "../platform/ids.ts";
import { createDeliveredNames, findDeliveries, isRepeatOf } from "../recording/index.ts";
import type { HaltedBy } from "./gate-step.ts";
import type { SealedAnswers } from "./sealed-answer.ts";

export interface Dispatched {
  /** Hook output JSON as text. */
  readonly answer: string;
  readonly dispatchId: string;
  readonly revision: string;
  readonly isRepeated: boolean;
  /** The halt that denied it. */
  readonly halted?: HaltedBy;
  /** People were asked; unknown for a repeated delivery. */
  readonly isAsked?: true;
}

interface Work {
  /** Dispatches and records. Returns the recorded answer if another delivery was first. */
  readonly run: () => Promise<Dispatched>;
  /** False if nothing is lost when a repeat is found only as it is recorded. */
  readonly isLookedUp: () => Promise<boolean>;
  /** Told before it waits for an earlier delivery, which may wait for people. */
  readonly setAside?: () => void;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** An Idempotency-Key as the UUID it is stored under: itself, or the first 128 bits of its sha256. */
export function eventIdFromKey(key: string): string {
  return UUID.test(key) ? key.toLowerCase() : uuidOfText(key);
}

export function createIdempotentDeliveries(pool: Pool, sealedAnswers: SealedAnswers) {
  const underWay = new Map<string, { readonly bodySha256: Buffer; readonly done: Promise<Dispatched> }>();
  const deliveredNames = createDeliveredNames(pool);
  return {
    /**
     * The answer of the first delivery of `eventId`: recorded, in progress, or computed now by `run`. If `isLookedUp`
     * returns false, a repeat is found when it is recorded: nearly every key is new, and a lookup for each would cost a
     * query.
     * Errors: `idempotency_mismatch` if the key was used with another body or in a report; those of `run`.
     */
    async once(
      actor: AgentActor,
      eventId: string,
      bodySha256: Buffer,
      { run, isLookedUp, setAside }: Work,
    ): Promise<Dispatched> {
      const key = `${actor.id} ${eventId}`;
      const first = underWay.get(key);
      if (first) {
        if (!first.bodySha256.equals(bodySha256)) throw new AppError("idempotency_mismatch");
        setAside?.();
        return { ...(await first.done), isRepeated: true };
      }
      const recorded = async () => {
        if (!(await isLookedUp())) return null;
        // Nearly every key is new, and its answer is in a row of another table.
        const delivered = await deliveredNames.find(actor.workspaceId, actor.id, [eventId]);
        return delivered.size === 0 ? null : findRecorded(pool, sealedAnswers, actor, eventId, bodySha256);
      };
      const done = recorded().then((found) => found ?? run());
      underWay.set(key, { bodySha256, done });
      try {
        return await done;
      } finally {
        underWay.delete(key);
      }
    },
    /** The keys among `names` whose deliveries are recorded or in progress. */
    async findDelivered({ id, workspaceId }: AgentActor, names: readonly string[]): Promise<ReadonlySet<string>> {
      const ids = names.map(eventIdFromKey);
      const recorded = await deliveredNames.find(workspaceId, id, ids);
      return new Set(names.filter((_, at) => recorded.has(ids[at] ?? "") || underWay.has(`${id} ${ids[at]}`)));
    },
  };
}

async function findRecorded(
  pool: Pool,
  sealedAnswers: SealedAnswers,
  actor: AgentActor,
  eventId: string,
  bodySha256: Buffer,
): Promise<Dispatched | null> {
  const [recorded = null] = await findDeliveries(pool, [
    { workspaceId: actor.workspaceId, agentId: actor.id, eventId },
  ]);
  if (recorded === null) return null;
  if (!isRepeatOf(recorded, { bodySha256, origin: "dispatch" })) throw new AppError("idempotency_mismatch");
  const { dispatchId, revision } = recorded;
  return { answer: sealedAnswers.whole(recorded, eventId), dispatchId, revision, isRepeated: true };
}
