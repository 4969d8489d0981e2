/**
 * The agent API as its handlers see it: the agent, the request and the answer. The gateway handles HTTP; a handler
 * never sees a socket.
 */
import { printExactJson } from "@quarterdeck/hooks/contract/exact-json";
import type { z } from "zod";
import type { AppError } from "../errors/app-error.ts";
import type { ErrorCode } from "../errors/catalogue.ts";
import type { AgentActor } from "./actor.ts";
import type { LoadClass } from "./load-class.ts";
import type { AgentPermission } from "./permissions.ts";

export interface OpenRequest {
  /** The values for each `{name}` of the route's path, decoded, in order. */
  readonly parameters: readonly string[];
  readonly query: URLSearchParams;
  /** The client's address; null if it cannot be known. */
  readonly address: string | null;
  /** The header's value; the names are lower case. */
  header(name: string): string | undefined;
  /** The whole body, once. Errors: too large, too slow, cut off, or of another content type than the route takes. */
  body(): Promise<Buffer>;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
  /** Aborted when the server shuts down. */
  readonly draining: AbortSignal;
  /** Aborted at the end of the shutdown's grace period, with the error to answer. */
  readonly ending: AbortSignal;
}

export interface AgentRequest extends OpenRequest {
  readonly actor: AgentActor;
  /**
   * Looks up the key again, without caches: before a held request is answered. Errors: `key_revoked`, `agent_retired`.
   */
  confirm(): Promise<void>;
  /** Releases the slot and the bytes of a request that only waits from here on. May be called repeatedly. */
  setAside(): void;
}

export interface AgentAnswer {
  readonly status: number;
  /** All headers except content-length, which the gateway sets. Lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Absent with 204 and 304. */
  readonly body?: string | Buffer;
  /** The failure behind this answer; it is counted like the error it replaces. */
  readonly failure?: AppError;
}

/** The description of a route in the OpenAPI document. */
export interface RouteDocs {
  readonly summary: string;
  readonly parameters?: Readonly<Record<string, ParameterDocs>>;
  readonly query?: Readonly<Record<string, ParameterDocs>>;
  readonly headers?: Readonly<Record<string, ParameterDocs>>;
  /** By content type. */
  readonly body?: Readonly<Record<string, z.ZodType>>;
  readonly answers: Readonly<Record<number, AnswerDocs>>;
  /** The route's own errors, in addition to those of every route. */
  readonly errors: readonly ErrorCode[];
}

export interface ParameterDocs {
  readonly schema: z.ZodType;
  readonly description: string;
}

export interface AnswerDocs {
  readonly description: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** By content type. */
  readonly body?: Readonly<Record<string, z.ZodType>>;
}

interface RouteShape {
  readonly method: "GET" | "POST";
  /** `/api/v1/hooks/{event}`: whole segments, after the fixed ones. */
  readonly path: string;
  /** Content types of the body; absent for a route without a body. */
  readonly takes?: readonly string[];
  /** Content encodings that `body` passes on undecoded; without any, a compressed body is refused. */
  readonly encodings?: readonly string[];
  /** By content type: the number of additional bytes that a body may have. */
  readonly headroom?: Readonly<Record<string, number>>;
  readonly docs: RouteDocs;
}

/** A route that needs no key. */
export interface OpenRoute extends RouteShape {
  readonly access: "open";
  /** True for a route that reads its own credentials: a client that repeatedly sends invalid ones is refused. */
  readonly takesCredentials?: boolean;
  handle(request: OpenRequest): Promise<AgentAnswer> | AgentAnswer;
}

/** A route for agents whose key has the scope. */
export interface KeyedRoute extends RouteShape {
  readonly access: AgentPermission;
  /** True for a request that may be held open for long and limits itself: it does not count as work under way. */
  readonly isHeldOpen?: boolean;
  /** The load class for shedding; `gate`, which is refused last, when absent. */
  readonly loadClass?: (parameters: readonly string[]) => LoadClass;
  handle(request: AgentRequest): Promise<AgentAnswer> | AgentAnswer;
  /**
   * For routes whose clients ignore an error's status: the denial that answers an internal failure before `handle`.
   * Null: the error itself.
   */
  readonly denial?: (parameters: readonly string[], failure: AppError) => AgentAnswer | null;
}

export type AgentRoute = OpenRoute | KeyedRoute;

/** A JSON answer. */
export function jsonAnswer(value: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): AgentAnswer {
  return { status, headers: { "content-type": "application/json", ...headers }, body: printExactJson(value) };
}
