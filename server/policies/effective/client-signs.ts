/** The clients' and machines' signs of themselves, kept on the agent's row: a version, a mode, a call for its policies. */
import { LRUCache } from "lru-cache";
import type { AgentActor } from "../../access/actor.ts";
import type { Bus } from "../../events/index.ts";
import { type Clock, systemClock } from "../../platform/clock.ts";
import type { Database } from "../../platform/db.ts";
import type { Log } from "../../platform/log.ts";

const AGENTS_MAX = 10_000;
/** Signs of one kind cost an agent one write in this time, whatever their content. */
const WRITE_EVERY_MS = 60_000;
/** The write interval for a machine that polls for its policies. A different revision is written at once. */
const POLL_EVERY_MS = 300_000;
/** The write interval for an agent with an old relay, which is seen at each of its calls. */
const UNSIGNED_EVERY_MS = 3_600_000;
const OF_AGENT = "WHERE workspace_id = $1 AND id = $2";
/**
 * The newest call wins, independent of the order in which gateways write. A gateway's clock that is ahead is limited to
 * PostgreSQL's.
 */
const POLL = `polled_at = least($4, clock_timestamp()), polled_revision = $3
  ${OF_AGENT} AND (polled_at IS NULL OR polled_at <= $4)`;
/** Once an hour in all, however many gateways there are. */
const UNSIGNED = `unsigned_asked_at = clock_timestamp() ${OF_AGENT}
  AND (unsigned_asked_at IS NULL OR unsigned_asked_at < clock_timestamp() - interval '1 hour')`;
const VERSION = /^v?(\d[0-9A-Za-z.+-]{0,39})$/;

/** An event's word on its client. */
export interface ClientSign {
  /** The stated version, from any source. */
  readonly version?: string | undefined;
  /** The client said that it asks no person about its calls. */
  readonly asksNobody?: boolean;
  /** A gate was asked without a nonce: the client cannot verify that the answer is from this console. */
  readonly isUnsigned?: boolean;
}

/** Nothing waits for what these write, and nothing fails with it. */
export interface ClientSigns {
  note(actor: AgentActor, sign: ClientSign): void;
  /** The agent called for its policies and was given this revision. */
  notePoll(actor: AgentActor, revision: string): void;
}

/** The version in a statement of it, without a leading `v`; null if the text is not a version. */
export const versionIn = (stated: string | undefined): string | null => VERSION.exec(stated?.trim() ?? "")?.[1] ?? null;

export function createClientSigns(
  db: Pick<Database, "pool">,
  bus: Pick<Bus, "tell">,
  log: Log,
  clock: Pick<Clock, "now"> = systemClock,
): ClientSigns {
  const written = new LRUCache<string, string>({ max: 3 * AGENTS_MAX, ttl: WRITE_EVERY_MS });
  const unsigned = new LRUCache<string, true>({ max: AGENTS_MAX, ttl: UNSIGNED_EVERY_MS });
  const polled = new LRUCache<string, string>({ max: AGENTS_MAX, ttl: POLL_EVERY_MS });
  const store = (actor: AgentActor, change: string, values: readonly (string | Date)[], forget: () => void) => {
    const { workspaceId, id } = actor;
    db.pool.query(`UPDATE agent SET ${change}`, [workspaceId, id, ...values]).then(
      ({ rowCount }) => {
        if (rowCount) bus.tell(workspaceId, ["agents"]);
      },
      (error: unknown) => {
        forget();
        log.warn({ err: error }, "what an agent's client says of itself was not stored");
      },
    );
  };
  return {
    note(actor, { version: stated, asksNobody = false, isUnsigned = false }) {
      const version = versionIn(stated);
      const names = { version: `${actor.id} version`, yolo: `${actor.id} yolo` };
      if (version !== null && !written.has(names.version)) {
        written.set(names.version, version);
        store(actor, `client_version = $3 ${OF_AGENT} AND client_version IS DISTINCT FROM $3`, [version], () =>
          written.delete(names.version),
        );
      }
      if (asksNobody && !written.has(names.yolo)) {
        written.set(names.yolo, "");
        store(actor, `yolo_at = clock_timestamp() ${OF_AGENT}`, [], () => written.delete(names.yolo));
      }
      if (isUnsigned && !unsigned.has(actor.id)) {
        unsigned.set(actor.id, true);
        store(actor, UNSIGNED, [], () => unsigned.delete(actor.id));
      }
    },
    notePoll(actor, revision) {
      if (polled.get(actor.id) === revision) return;
      polled.set(actor.id, revision);
      store(actor, POLL, [revision, new Date(clock.now())], () => polled.delete(actor.id));
    },
  };
}

export const CLIENT_VERSION_HEADER = "quarterdeck-client-version";
