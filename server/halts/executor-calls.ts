/**
 * The calls of local executors, stored so that a page can say which of them have followed a halt. Nothing waits for what these
 * write, and nothing fails with it.
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
/** Of one agent; the one that was silent longest gives way. */
const OF_AGENT_MAX = 1_000;
/** An executor's calls cost one write in this time, and one more after each change to halts. */
const WRITE_EVERY_MS = 60_000;
/** The same while this process cannot hear of a change. */
const WRITE_DEAF_EVERY_MS = 5_000;
/** Of one agent in `WRITE_EVERY_MS`, which may state as many ids as it likes: those that are known, as heard and as halted. */
const OF_AGENT_WRITES_MAX = 2 * OF_AGENT_MAX;

export interface ExecutorCalls {
  /** A call for the policy, with the request's `Quarterdeck-Executor`. */
  notePoll(actor: AgentActor, stated: string | undefined): void;
  /** A gate that a halt answered; of a caller that states nothing nothing is noted. */
  noteHalted(actor: AgentActor, stated: string | undefined, halt: HaltedBy): void;
}

interface Call {
  readonly actor: AgentActor;
  readonly id: string;
  readonly ageSeconds: number | null;
}

export function createExecutorCalls(
  db: Pick<Database, "pool">,
  bus: Pick<Bus, "tell" | "isCurrent">,
  log: Log,
  halts: Pick<HaltsInForce, "of">,
  nowMs = () => performance.now(),
): ExecutorCalls {
  /** Each executor's last write, of its calls and of each halt that denied it: under which number of the chain, and when. */
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

  function note(call: Call, number: number, haltId: string | null): void {
    const { actor, id } = call;
    const name = `${actor.id} ${id} ${haltId ?? "heard"}`;
    const before = written.get(name);
    const isRepeat = before?.number === number;
    const everyMs = bus.isCurrent() ? WRITE_EVERY_MS : WRITE_DEAF_EVERY_MS;
    if ((isRepeat && nowMs() - before.atMs < everyMs) || !mayWrite(actor.id)) return;
    const atMs = nowMs();
    const write = () =>
      inWorkspace(actor.workspaceId, () => store(db, call, haltId, nowMs() - atMs)).then(
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
      halts.of(actor.workspaceId).then(({ number }) => note(callOf(actor, stated), number, null), warn);
    },
    noteHalted(actor, stated, halt) {
      const call = callOf(actor, stated);
      if (call.id !== "") note(call, halt.number, halt.id);
    },
  };
}

function callOf(actor: AgentActor, stated: string | undefined): Call {
  const [, id = "", age] = EXECUTOR_STATED.exec(stated ?? "") ?? [];
  return { actor, id, ageSeconds: age === undefined ? null : Number(age) };
}

/** PostgreSQL's clock, as for the halt itself: whichever of them came first is no matter of a gateway's clock. $6: since the call. */
const STORE = `INSERT INTO local_executor AS executor (workspace_id, agent_id, id, heard_at, policy_age_seconds, halted_at, halt_id)
    SELECT $1, $2, $3, at, $4, CASE WHEN $5::uuid IS NOT NULL THEN at END, $5::uuid
    FROM (SELECT clock_timestamp() - $6::float8 * interval '1 millisecond' AS at) AS called
  ON CONFLICT (workspace_id, agent_id, id) DO UPDATE SET
    heard_at = greatest(executor.heard_at, excluded.heard_at), policy_age_seconds = excluded.policy_age_seconds,
    halted_at = greatest(executor.halted_at, excluded.halted_at),
    halt_id = CASE WHEN executor.halted_at > excluded.halted_at THEN executor.halt_id
      ELSE coalesce(excluded.halt_id, executor.halt_id) END
  RETURNING (xmax = 0) AS is_new`;
const DROP_OLDEST = `DELETE FROM local_executor WHERE workspace_id = $1 AND agent_id = $2 AND id IN (
    SELECT id FROM local_executor WHERE workspace_id = $1 AND agent_id = $2 ORDER BY heard_at DESC, id OFFSET $3)`;

async function store(
  { pool }: Pick<Database, "pool">,
  { actor, id, ageSeconds }: Call,
  haltId: string | null,
  sinceMs: number,
): Promise<void> {
  const ofAgent = [actor.workspaceId, actor.id];
  const { rows } = await pool.query<{ is_new: boolean }>({
    name: "executor_call",
    text: STORE,
    values: [...ofAgent, id, ageSeconds, haltId, sinceMs],
  });
  if (rows[0]?.is_new) await pool.query(DROP_OLDEST, [...ofAgent, OF_AGENT_MAX]);
}
