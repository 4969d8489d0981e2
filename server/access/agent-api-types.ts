/**
 * The agent API as its handlers see it: who asks for what, and what is answered. How that travels over HTTP is the
 * gateway's business; a handler never meets a socket.
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
  /** The header's value; the names are lower case. */
  header(name: string): string | undefined;
  /** The whole body, once. Errors: too large, too slow, cut off, or of another content type than the route takes. */
  body(): Promise<Buffer>;
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal;
  /** Aborted when the server shuts down. */
  readonly draining: AbortSignal;
  /** Aborted when the shutdown waits no longer, with the error to answer; what is under way ends now. */
  readonly ending: AbortSignal;
}

export interface AgentRequest extends OpenRequest {
  readonly actor: AgentActor;
  /** Looks the key up again, past every cache: before a request that was held is answered. Errors: `key_revoked`, `agent_retired`. */
  confirm(): Promise<void>;
  /** Gives back the place and the bytes that a request at work holds: it only waits from here on. May be called again. */
  setAside(): void;
}

export interface AgentAnswer {
  readonly status: number;
  /** Beside content-length, which the gateway counts. Lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Absent with 204 and 304. */
  readonly body?: string | Buffer;
  /** The failure that this answer says in the words of its reader; it counts as the refusal it would have been. */
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
  /** The errors it can refuse with, beside those of every route. */
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
  /** Content types of the body; a route without takes none. */
  readonly takes?: readonly string[];
  /** Content encodings that `body` hands over as they came; without any, a compressed body is refused. */
  readonly encodings?: readonly string[];
  /** By content type: how many bytes longer than others a body may be. */
  readonly headroom?: Readonly<Record<string, number>>;
  readonly docs: RouteDocs;
}

/** A route that needs no key. */
export interface OpenRoute extends RouteShape {
  readonly access: "open";
  /** It reads credentials of its own: whoever sends ones that open nothing, again and again, is not heard. */
  readonly takesCredentials?: boolean;
  handle(request: OpenRequest): Promise<AgentAnswer> | AgentAnswer;
}

/** A route for agents whose key is for it. */
export interface KeyedRoute extends RouteShape {
  readonly access: AgentPermission;
  /** It may be held open for long, and bounds itself how many are: such a request is not counted as work under way. */
  readonly isHeldOpen?: boolean;
  /** The load class, by which it is turned away when there is too much to do; as a gate, last, when absent. */
  readonly loadClass?: (parameters: readonly string[]) => LoadClass;
  handle(request: AgentRequest): Promise<AgentAnswer> | AgentAnswer;
  /** The denial of a route whose clients take an error's status for no verdict: a failure of ours before `handle`. Null: the error. */
  readonly denial?: (parameters: readonly string[], failure: AppError) => AgentAnswer | null;
}

export type AgentRoute = OpenRoute | KeyedRoute;

/** A JSON answer. */
export function jsonAnswer(value: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): AgentAnswer {
  return { status, headers: { "content-type": "application/json", ...headers }, body: printExactJson(value) };
}
