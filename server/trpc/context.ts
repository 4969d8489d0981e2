import type { Actor, ClientInfo } from "../access/actor.ts";
import type { FailureThrottle } from "../access/failure-throttle.ts";
import type { RequestBody } from "../access/request-body.ts";
import type { Streams } from "../access/streams.ts";
import type { AnswerKeys } from "../platform/answer-keys.ts";
import type { Database } from "../platform/db.ts";
import type { Log } from "../platform/log.ts";
import type { AddressRule } from "../platform/outgoing/address-rule.ts";
import type { Secrets } from "../platform/secrets.ts";
import type { WorkerRpc } from "../platform/worker-rpc.ts";

/** The changes of workspaces, as this process hears of them. */
export interface Changes {
  /** `listener` gets null for all workspaces. Answers how to stop. */
  subscribe(listener: (workspaceId: string | null, topics: readonly string[]) => void | Promise<void>): () => void;
}

/**
 * The parts of the running server. The gateway hands them to every edge. Each feature adds its own line where its router is;
 * here are those of the shared rooms.
 */
export interface App {
  readonly db: Database;
  readonly log: Log;
  readonly secrets: Secrets;
  /** The other processes of this node. */
  readonly workerRpc: WorkerRpc;
  readonly changes: Changes;
  /** Settles when every process of this node has heard of what was committed before. */
  readonly untilHeardEverywhere: () => Promise<void>;
  /** Completes new keys of agents. */
  readonly answerKeys: AnswerKeys;
  /** Counts those who showed credentials that opened nothing. */
  readonly credentials: FailureThrottle;
  /** The open streams, counted by session and by person. */
  readonly streams: Streams;
  /** Where people and agents reach this server, without a trailing slash. */
  readonly url: string;
  /** Where the provider that people sign on by may be. */
  readonly providers: AddressRule;
}

/** The context of a procedure. `app` is absent where pages are prefetched: there only the database is at hand. */
export interface Context {
  readonly db: Database;
  readonly actor: Actor | null;
  readonly app: App | null;
  /** The browser session's token, when the request carried one. */
  readonly session: string | null;
  /** When the person last proved who they are in this browser; absent or null, and the gravest acts ask them to. */
  readonly confirmedAt?: Date | null;
  /** Asks whether the request's credentials still open what they opened; absent where nothing streams. */
  readonly isStillAllowed?: () => Promise<boolean>;
  /** Where the request came from; absent where pages are prefetched. */
  readonly from?: ClientInfo;
  /** The body as it came, which has the digits that numbers lose; absent where there was none. */
  readonly body?: RequestBody;
  /** Sets a response header; without effect where there is no response. */
  readonly setHeader: (name: string, value: string) => void;
}
