/**
 * The calls of local executors, stored so that a page can show which of them have followed a halt. The writes run in
 * the background: no request waits for them or fails with them.
 */
import { LRUCache } from "lru-cache";
import type { AgentActor } from "../access/actor.ts";
import { EXECUTOR_STATED } from "../access/local-executor-schema.ts";
import type { HaltedBy } from "../dispatches/index.ts";
import type { Bus } from "../events/index.ts";
import type { Database } from "../platform/db.ts";
import type { Log } from "../platform/log.ts";
import { inWorkspace } from "../platform/scope.ts";
import type { HaltsInForce } from "./halts-in-force.ts";
import { createWriteQueue } from "./write-queue.ts";

const EXECUTORS_MAX = 20_000;
/** Calls kept per agent; the one that was silent longest is dropped. */
const OF_AGENT_MAX = 1_000;
/** An executor's calls cost one write in this time, and one more after each change to halts. */
const WRITE_EVERY_MS = 60_000;
/** The same while this process receives no changes. */
const WRITE_DEAF_EVERY_MS = 5_000;
/**
 * Writes per agent within `WRITE_EVERY_MS`. An agent may send any number of ids, so only known ones are written, as
 * heard and as halted.
 */
const OF_AGENT_WRITES_MAX = 2 * OF_AGENT_MAX;

export interface ExecutorCalls {
  /** A call for the policy, with the request's `Quarterdeck-Executor`. */
  notePoll(actor: AgentActor, stated: string | undefined): void;
  /** A gate that a halt answered. A caller without an id may be any program with the key, so it is not noted. */
  noteHalted(actor: AgentActor, stated: string | undefined, halt: HaltedBy): void;
}

interface Call {
  readonly actor: AgentActor;
  readonly id: string;
  /** It was a gate that a halt denied. */
  readonly isHalted: boolean;
}

export function createExecutorCalls(
  db: Pick<Database, "pool">,
  bus: Pick<Bus, "tell" | "isCurrent">,
  log: Log,
  halts: Pick<HaltsInForce, "of">,
  nowMs = () => performance.now(),
): ExecutorCalls {
  /** Each executor's last write, of its calls and of its denied gates: under which number of the chain, and when. */
  const written = new LRUCache<string, { readonly number: number; readonly atMs: number }>({ max: EXECUTORS_MAX });
  /** Each agent's writes since an instant. */
  const spent = new LRUCache<string, { readonly fromMs: number; writes: number }>({ max: EXECUTORS_MAX });
  const queue = createWriteQueue();
  const warn = (error: unknown) => log.warn({ err: error }, "a local executor's call was not stored");

  function mayWrite(agentId: string): boolean {
    const known = spent.get(agentId);
    const own = known && nowMs() - known.fromMs < WRITE_EVERY_MS ? known : { fromMs: nowMs(), writes: 0 };
    own.writes += 1;
    spent.set(agentId, own);
    return own.writes <= OF_AGENT_WRITES_MAX;
  }

  function note(call: Call, number: number): void {
    const { actor, id, isHalted } = call;
    const name = `${actor.id} ${id} ${isHalted ? "halted" : "heard"}`;
    const before = written.get(name);
    const isRepeat = before?.number === number;
    const everyMs = bus.isCurrent() ? WRITE_EVERY_MS : WRITE_DEAF_EVERY_MS;
    if ((isRepeat && nowMs() - before.atMs < everyMs) || !mayWrite(actor.id)) return;
    const atMs = nowMs();
    const write = () =>
      inWorkspace(actor.workspaceId, () => store(db, call, nowMs() - atMs)).then(
        () => {
          // A repeat only moves a time; pages show it when they are read again.
          if (!isRepeat) bus.tell(actor.workspaceId, ["agents"]);
        },
        (error: unknown) => {
          written.delete(name);
          warn(error);
        },
      );
    if (queue(name, write)) written.set(name, { number, atMs });
  }

  return {
    notePoll(actor, stated) {
      halts
        .of(actor.workspaceId)
        .then(({ number }) => note({ actor, id: idIn(stated), isHalted: false }, number), warn);
    },
    noteHalted(actor, stated, halt) {
      const id = idIn(stated);
      if (id !== "") note({ actor, id, isHalted: true }, halt.number);
    },
  };
}

const idIn = (stated: string | undefined): string => EXECUTOR_STATED.exec(stated ?? "")?.[1] ?? "";

/**
 * Uses PostgreSQL's clock, as the halt itself does, so their order does not depend on a gateway's clock. $5: seconds
 * since the call.
 */
const STORE = `INSERT INTO local_executor AS executor (workspace_id, agent_id, id, heard_at, followed_at)
    SELECT $1, $2, $3, at, CASE WHEN $4::boolean THEN at END
    FROM (SELECT clock_timestamp() - $5::float8 * interval '1 millisecond' AS at) AS called
  ON CONFLICT (workspace_id, agent_id, id) DO UPDATE SET
    heard_at = greatest(executor.heard_at, excluded.heard_at), followed_at = greatest(executor.followed_at, excluded.followed_at)
  RETURNING (xmax = 0) AS is_new`;
const DROP_OLDEST = `DELETE FROM local_executor WHERE workspace_id = $1 AND agent_id = $2 AND id IN (
    SELECT id FROM local_executor WHERE workspace_id = $1 AND agent_id = $2 ORDER BY heard_at DESC, id OFFSET $3)`;

async function store({ pool }: Pick<Database, "pool">, { actor, id, isHalted }: Call, sinceMs: number): Promise<void> {
  const ofAgent = [actor.workspaceId, actor.id];
  const { rows } = await pool.query<{ is_new: boolean }>({
    name: "executor_call",
    text: STORE,
    values: [...ofAgent, id, isHalted, sinceMs],
  });
  if (rows[0]?.is_new) await pool.query(DROP_OLDEST, [...ofAgent, OF_AGENT_MAX]);
}
