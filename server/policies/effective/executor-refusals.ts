/** Executors' counts of the events that the console refused: kept per machine, for the agent's page and the doctor. */
import { LRUCache } from "lru-cache";
import type { AgentActor } from "../../access/actor.ts";
import type { Bus } from "../../events/index.ts";
import type { Database } from "../../platform/db.ts";
import type { Log } from "../../platform/log.ts";

const STATED = /^machine=([0-9a-f]{16}); kept=(\d{1,6}); dropped=(\d{1,9}); last=([a-z0-9_]{0,40})$/;
const AGENTS_MAX = 10_000;
/** The limit for one agent. If it is exceeded, the machine that was silent longest is dropped. */
const MACHINES_MAX = 20;
/** Counts that change constantly cost one write in this time for each agent. */
const WRITE_EVERY_MS = 10_000;

/** Takes a request's `Quarterdeck-Refused`. Nothing waits for it, and nothing fails with it. */
export type NoteRefusals = (actor: AgentActor, stated: string | undefined) => void;

export function createRefusalNotes(db: Database, bus: Bus, log: Log): NoteRefusals {
  /** The stored statements, by agent and machine. */
  const stored = new LRUCache<string, string>({ max: AGENTS_MAX });
  const written = new LRUCache<string, true>({ max: AGENTS_MAX, ttl: WRITE_EVERY_MS });
  return ({ id, workspaceId }, stated = "") => {
    const [, machine, kept, dropped, last] = STATED.exec(stated) ?? [];
    if (machine === undefined) return;
    const name = `${id} ${machine}`;
    if (stored.get(name) === stated || written.has(id)) return;
    written.set(id, true);
    stored.set(name, stated);
    store(db, [workspaceId, id, machine, Number(kept), Number(dropped), last]).then(
      () => bus.tell(workspaceId, ["agents"]),
      (error: unknown) => {
        stored.delete(name);
        log.warn({ err: error }, "what an executor says of refused events was not stored");
      },
    );
  };
}

async function store(db: Database, values: readonly unknown[]): Promise<void> {
  await db.pool.query(
    `INSERT INTO executor_refusal (workspace_id, agent_id, machine, kept, dropped, last_code)
     VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (workspace_id, agent_id, machine)
     DO UPDATE SET kept = excluded.kept, dropped = excluded.dropped, last_code = excluded.last_code, reported_at = now()`,
    [...values],
  );
  await db.pool.query(
    `DELETE FROM executor_refusal WHERE workspace_id = $1 AND agent_id = $2 AND machine IN (
       SELECT machine FROM executor_refusal WHERE workspace_id = $1 AND agent_id = $2
       ORDER BY reported_at DESC, machine OFFSET $3)`,
    [values[0], values[1], MACHINES_MAX],
  );
}
