/**
 * Mounts the features' agent routes on HTTP: finds the route, authenticates the agent by its key, calls the handler and
 * writes the answer. Decides nothing itself.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AgentActor } from "../access/actor.ts";
import type { AgentRoute, KeyedRoute, OpenRoute } from "../access/agent-api-types.ts";
import { may } from "../access/permissions.ts";
import { AppError, asAppError } from "../errors/app-error.ts";
import type { Authenticator } from "../people/http.ts";
import { WAIT_HEADER } from "../platform/answer-mac.ts";
import type { Log } from "../platform/log.ts";
import { inWorkspace } from "../platform/scope.ts";
import type { App } from "../trpc/context.ts";
import type { Admission } from "./admission.ts";
import type { BodyBudgets, BodyLease } from "./body.ts";
import type { CredentialThrottle } from "./credential-throttle.ts";
import { bearerOf, type ExchangeWorld, KeyedExchange, OpenExchange, sendAnswer } from "./exchange.ts";
import { logFault, sendFailure } from "./failure.ts";
import { type Found, routeTable } from "./route-table.ts";

export interface AgentApiOptions extends ExchangeWorld {
  readonly routes: readonly AgentRoute[];
  readonly authenticator: Authenticator;
  readonly bodies: BodyBudgets;
  readonly credentialThrottle: CredentialThrottle;
  /** Told of every request that showed a valid key. */
  readonly onProven: (request: IncomingMessage, response: ServerResponse) => void;
  readonly admission: Admission;
  /** Counts requests refused because of load, and is checked before each request. */
  readonly shedding: Shedding;
  readonly log: Log;
  /** Told of every refusal, by its code. */
  readonly onFailure: (code: string) => void;
  /** Counts refused requests by their key. */
  readonly requestLog: App["requestLog"];
  /** Told of each event of an agent: null once it was answered, else the code of the refusal. */
  readonly onAnswer: (code: string | null) => void;
}

/** The check that refuses requests which give way to gates. */
export type Shedding = Pick<App["shedding"], "check" | "turn" | "count">;

/** A client waits at least this much longer than it states for people. */
const ANSWER_MS = 2_000;

/** Milliseconds that the caller waits for its answer; undefined where it does not say. */
export function callerMsOf({ headers }: IncomingMessage): number | undefined {
  const stated = Number(headers[WAIT_HEADER]);
  return stated > 0 ? stated * 1_000 + ANSWER_MS : undefined;
}

/** True for errors caused by load, after which a client may retry. */
export const isOverloadError = (error: unknown): boolean =>
  error instanceof AppError && (error.code === "busy" || error.code === "overloaded");

export type PathHandler = (request: IncomingMessage, response: ServerResponse, path: string, search: string) => void;

/** The route of a request to no route: its path is the client's own text, and is not logged. */
export const UNKNOWN_PATH = "unknown path";

export function agentApi(options: AgentApiOptions): PathHandler {
  const table = routeTable(options.routes);
  return (request, response, path, search) => {
    const { found, allow } = table(request.method ?? "GET", path);
    if (found)
      answer(options, { request, response, found, search }).catch((thrown: unknown) =>
        fail(options, { request, response, found, search }, thrown),
      );
    else if (allow.length === 0) refuse(options, { request, response, route: UNKNOWN_PATH }, new AppError("not_found"));
    else if (request.method === "OPTIONS") response.writeHead(204, { allow: allow.join(", ") }).end();
    else {
      const headers = { allow: allow.join(", ") };
      refuse(options, { request, response, route: UNKNOWN_PATH }, new AppError("method_not_allowed"), headers);
    }
  };
}

/** A request whose route is known. */
interface RoutedCall {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly found: Found;
  readonly search: string;
}

async function answer(options: AgentApiOptions, call: RoutedCall): Promise<void> {
  const { route } = call.found;
  if (route.access === "open") return answerOpen(options, call, route);
  // Authenticates before any byte of the body is read.
  const actor = await holderOf(options, call.request);
  options.onProven(call.request, call.response);
  if (!may(actor, route.access)) throw new AppError("key_not_for_this", route.access);
  return answerKeyed(options, call, route, actor);
}

async function answerOpen(options: AgentApiOptions, call: RoutedCall, route: OpenRoute): Promise<void> {
  const { request, response, found, search } = call;
  const { credentialThrottle, bodies } = options;
  const credential = route.takesCredentials === true ? (request.headers.authorization ?? "") : null;
  if (credential !== null) credentialThrottle.check(request, credential);
  const lease = bodies.lease("stranger", credentialThrottle.clientOf(request));
  const exchange = new OpenExchange(request, response, found, search, options, lease);
  const answered = released(lease, () => route.handle(exchange)).catch((error: unknown) => {
    // Counts failed credentials.
    if (credential !== null && error instanceof AppError && error.status === 401)
      credentialThrottle.failed(request, credential);
    throw error;
  });
  sendAnswer(response, await answered);
}

async function answerKeyed(
  options: AgentApiOptions,
  call: RoutedCall,
  route: KeyedRoute,
  actor: AgentActor,
): Promise<void> {
  const { request, response, found, search } = call;
  const { admission, bodies, shedding } = options;
  const of = route.loadClass?.(found.parameters) ?? "gate";
  let leave: (() => void) | undefined;
  try {
    shedding.check(of, callerMsOf(request));
    if (route.isHeldOpen !== true) leave = admission.enter(actor.id, of);
    const lease = bodies.lease("agent", actor.id);
    const setAside = () => {
      leave?.();
      lease.release();
    };
    const confirm = async () => {
      await options.authenticator.confirm(bearerOf(request));
    };
    const exchange = new KeyedExchange(actor, confirm, setAside, request, response, found, search, options, lease);
    const handled = () => inWorkspace(actor.workspaceId, () => route.handle(exchange));
    const answered = await released(lease, handled);
    sendAnswer(response, answered);
    if (answered.failure) {
      if (isOverloadError(answered.failure)) shedding.count(actor.workspaceId, of);
      note(options, { request, route: found.route.path }, answered.failure);
    }
    // A policy may be answered from memory.
    else if (request.method === "POST") options.onAnswer(null);
  } catch (error) {
    if (isOverloadError(error)) shedding.count(actor.workspaceId, of);
    throw error;
  } finally {
    leave?.();
  }
}

/**
 * Authenticates a key: recently used keys from the cache, others by a lookup, which is queued for addresses with many
 * invalid ones.
 */
async function holderOf(
  { authenticator, credentialThrottle }: AgentApiOptions,
  request: IncomingMessage,
): Promise<AgentActor> {
  const key = bearerOf(request);
  return authenticator.recall(key) ?? credentialThrottle.lookUp(request, key, () => authenticator.authenticate(key));
}

type RefusedRoute = { readonly request: IncomingMessage; readonly route: string };

function note(options: AgentApiOptions, of: RefusedRoute, failure: AppError): void {
  const { log, onFailure, onAnswer } = options;
  noteRefusal(options, of, failure);
  if (!failure.expected) logFault(failure, failure, log);
  onFailure(failure.code);
  onAnswer(failure.code);
}

function noteRefusal(
  { requestLog, whenceOf }: Pick<AgentApiOptions, "requestLog" | "whenceOf">,
  { request, route }: RefusedRoute,
  failure: AppError,
): void {
  const { headers, method = "GET" } = request;
  requestLog.note({ headers, method, route, client: whenceOf(request).ip }, failure);
}

/** Answers an internal failure with a denial, if the route has one. An invalid request gets its own error. */
function fail(options: AgentApiOptions, { request, response, found }: RoutedCall, thrown: unknown): void {
  const { route, parameters } = found;
  const failure = asAppError(thrown);
  const isOurs = failure.status >= 500 || failure.status === 429;
  const denial = isOurs && route.access !== "open" ? route.denial?.(parameters, failure) : null;
  if (denial && !response.headersSent) {
    note(options, { request, route: route.path }, failure);
    sendAnswer(response, denial);
  } else refuse(options, { request, response, route: route.path }, thrown);
}

function refuse(
  options: AgentApiOptions,
  { response, ...of }: RefusedRoute & { readonly response: ServerResponse },
  thrown: unknown,
  headers?: Record<string, string>,
): void {
  const { log, onFailure, onAnswer } = options;
  noteRefusal(options, of, asAppError(thrown));
  const { code } = sendFailure(response, thrown, log, headers);
  onFailure(code);
  onAnswer(code);
}

/** The answer of `work`; the bytes that its request holds are given back however it ends. */
async function released<T>(lease: BodyLease, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    lease.release();
  }
}
