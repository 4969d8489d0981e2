import type { Masking } from "@quarterdeck/hooks";
import type { Actor, ClientInfo } from "../access/actor.ts";
import type { FailureThrottle } from "../access/failure-throttle.ts";
import type { ChangePosition } from "../access/heard-schema.ts";
import type { RequestBody } from "../access/request-body.ts";
import type { Streams } from "../access/streams.ts";
import type { AnswerKeys } from "../platform/answer-keys.ts";
import type { Database } from "../platform/db.ts";
import type { Log } from "../platform/log.ts";
import type { AddressRule } from "../platform/outgoing/address-rule.ts";
import type { Secrets } from "../platform/secrets.ts";
import type { WorkerRpc } from "../platform/worker-rpc.ts";

/** The changes of workspaces, as this process receives them. */
export interface Changes {
  /** The changes received so far. */
  position(): ChangePosition;
  /** Calls `listener` with null for all workspaces. Returns a function that unsubscribes. */
  subscribe(listener: (workspaceId: string | null, topics: readonly string[]) => void | Promise<void>): () => void;
}

/**
 * The parts of the running server, which the gateway passes to every edge. Each feature declares its own part next to
 * its router; the shared parts are here.
 */
export interface App {
  readonly db: Database;
  readonly log: Log;
  readonly secrets: Secrets;
  /** The other processes of this node. */
  readonly workerRpc: WorkerRpc;
  readonly changes: Changes;
  /** Resolves when every process of this node has processed all earlier commits. */
  readonly untilHeardEverywhere: () => Promise<void>;
  /** The masking of workspaces, also for texts that people type. */
  readonly masking: { of(workspaceId: string): Promise<Masking> };
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

/** The context of a procedure. `app` is absent while pages are prefetched: only the database is available then. */
export interface Context {
  readonly db: Database;
  readonly actor: Actor | null;
  readonly app: App | null;
  /** The browser session's token, when the request carried one. */
  readonly session: string | null;
  /**
   * The time when the person last confirmed their identity in this browser; if absent or null, step-up acts ask for it.
   */
  readonly confirmedAt?: Date | null;
  /** Checks that the request's credentials are still valid; absent without a stream. */
  readonly isStillAllowed?: () => Promise<boolean>;
  /** The value of the header `quarterdeck-heard`, of a viewer that follows the stream of changes. */
  readonly heard?: string | undefined;
  /** Where the request came from; absent where pages are prefetched. */
  readonly from?: ClientInfo;
  /** The body as received, with the digits that parsed numbers lose; absent without a body. */
  readonly body?: RequestBody;
  /** Sets a response header; does nothing without a response. */
  readonly setHeader: (name: string, value: string) => void;
}
