/** tRPC over HTTP: its own node:http adapter behind our limits, with event streams that end when we do. */

import type { IncomingMessage, ServerResponse } from "node:http";
import type { AnyRouter } from "@trpc/server";
import { nodeHTTPRequestHandler } from "@trpc/server/adapters/node-http";
import { placed, type ReadClientInfo } from "../access/client-info.ts";
import { HEARD_HEADER } from "../access/heard-schema.ts";
import { checkShape, textOf } from "../access/json-text.ts";
import type { LoadClass } from "../access/load-class.ts";
import { AppError, asAppError } from "../errors/app-error.ts";
import { type Identity, identityOf, isStillAllowed } from "../people/http.ts";
import { inInstallation } from "../platform/scope.ts";
import { shareOf } from "../platform/share.ts";
import { BATCH_CALLS_MAX } from "../trpc/batch-schema.ts";
import type { App } from "../trpc/context.ts";
import type { Admission } from "./admission.ts";
import { callerMsOf, isOverloadError, type PathHandler, type Shedding, UNKNOWN_PATH } from "./agent-api.ts";
import type { BodyBudgets, BodyLease } from "./body.ts";
import { contentTypeOf } from "./content-type.ts";
import type { CredentialThrottle } from "./credential-throttle.ts";
import { type Crowd, createCrowd } from "./crowd.ts";
import { sendFailure } from "./failure.ts";
import { refuseForeignOrigin } from "./origin.ts";
import { unescaped } from "./upstreams.ts";

export interface TrpcOptions {
  readonly app: App;
  /** The procedures of this process; those of the other process are not found here. */
  readonly router: AnyRouter;
  readonly whenceOf: ReadClientInfo;
  readonly bodies: BodyBudgets;
  /** The limit for agents' requests, in a process that serves agents. */
  readonly admission?: Admission;
  readonly shedding: Shedding;
  readonly credentialThrottle: CredentialThrottle;
  readonly draining: AbortSignal;
  readonly onFailure: (code: string) => void;
  /** Told of each call of an agent, where they are served: null once it was answered, else the code of the refusal. */
  readonly onAnswer?: (code: string | null) => void;
  /** Told of every request that showed valid credentials. */
  readonly onProven: OnProven;
}

export type OnProven = (request: IncomingMessage, response: ServerResponse) => void;

const PREFIX = "/api/trpc/";
const EVENT_STREAM = "text/event-stream";
/** A procedure's body is parsed on the event loop that serves gates; plain HTTP uses worker threads for larger ones. */
const AGENT_BYTES_MAX = 512 * 1024;
/** Limits for requests without credentials: each queries the database, which agents need. */
const STRANGER_LIMITS = { perClientMax: 16, totalMax: 64 };
/** The depth of superjson's wrapper around a body: `{"0": {"json": ...}}`. */
const WRAPPER_DEPTH = 4;

/** The options, with the state that outlives a request. */
interface TrpcWorld extends TrpcOptions {
  readonly isSubscription: (path: string) => boolean;
  /** Answers that have begun and are not closed. */
  readonly open: Set<ServerResponse>;
  readonly strangers: Crowd;
}

/** A request whose sender is known. */
interface TrpcCall {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly path: string;
  readonly identity: Identity;
  readonly lease: BodyLease;
  /** True without an account: the body holds a link or an invitation. */
  readonly isLink: boolean;
}

export function trpcHandler(options: TrpcOptions): PathHandler {
  const { app, router, draining } = options;
  const strangers = createCrowd(shareOf(STRANGER_LIMITS, app.workerRpc.workers));
  const world: TrpcWorld = { ...options, isSubscription: subscriptionsOf(router), open: new Set(), strangers };
  draining.addEventListener("abort", () => {
    // A stream would go on for hours. Cut off, its viewer asks again, of the server that comes next.
    for (const response of world.open) if (isEventStream(response)) response.destroy();
  });

  return (request, response, path) => {
    handle(world, request, response, path).catch((thrown: unknown) => {
      const failure = asAppError(thrown);
      noteRefusal(world, request, path, failure);
      const allow = failure.code === "method_not_allowed" ? { allow: "GET, POST" } : {};
      options.onFailure(sendFailure(response, failure, app.log, allow).code);
    });
  };
}

async function handle(world: TrpcWorld, request: IncomingMessage, response: ServerResponse, path: string) {
  const { app, credentialThrottle, draining } = world;
  response.setHeader("cache-control", "no-store");
  const method = request.method ?? "GET";
  if (method !== "GET" && method !== "POST") throw new AppError("method_not_allowed");
  if (method === "POST") refuseForeignOrigin(request, app.url);
  refuseStreamedBatch(request);
  if (draining.aborted && request.headers.accept?.includes(EVENT_STREAM)) throw new AppError("draining");
  const { authorization } = request.headers;
  const find = () => inInstallation(() => identityOf(request.headers, app));
  const identity = await (authorization === undefined
    ? find()
    : credentialThrottle.lookUp(request, authorization, find));
  const isLink = identity.actor === null && method === "POST";
  if (isLink) credentialThrottle.checkBodies(request);
  if (identity.setCookie !== null) response.setHeader("set-cookie", identity.setCookie);
  if (identity.actor !== null) world.onProven(request, response);
  const lease = leaseOf(world, identity, request);
  try {
    await serve(world, { request, response, path, identity, lease, isLink });
  } catch (error) {
    lease.release();
    throw error;
  }
}

async function serve(world: TrpcWorld, call: TrpcCall): Promise<void> {
  const { request, response, identity, lease } = call;
  const body = request.method === "POST" ? await bodyOf(world, call) : undefined;
  if (call.isLink && body !== undefined) world.credentialThrottle.check(request, body);
  const leaveStreams = enterStreams(world, call);
  response.once("close", () => leaveStreams?.());
  await turnOf(world, call);
  const leave = enter(world, call);
  world.open.add(response);
  response.once("close", () => {
    world.open.delete(response);
    leave?.();
  });
  onceEnded(response, () => lease.release());
  if (identity.actor?.kind === "agent" && body !== undefined)
    response.once("finish", () => void (response.statusCode < 400 && world.onAnswer?.(null)));
  await runProcedures(world, call, body);
}

function leaseOf({ bodies, credentialThrottle }: TrpcWorld, { actor }: Identity, request: IncomingMessage): BodyLease {
  if (actor === null) return bodies.lease("stranger", credentialThrottle.clientOf(request));
  return bodies.lease(actor.kind === "agent" ? "agent" : "person", actor.id);
}

/** tRPC refuses a stream within it, behind a 200; this refusal comes before. */
function enterStreams({ app, isSubscription }: TrpcWorld, { identity, path }: TrpcCall): (() => void) | undefined {
  const { actor, session } = identity;
  if (actor === null || actor.kind === "agent") return undefined;
  return isSubscription(path) ? app.streams.enter(actor, session) : undefined;
}

/** Reads of pages wait for a moment before they are refused; `gone` ends the wait of a closed page. */
async function turnOf({ shedding }: TrpcWorld, { identity, request, response, path }: TrpcCall): Promise<void> {
  const of = identity.actor === null ? null : loadClassOf(identity, request, path);
  if (of !== "console") return;
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  await shedding.turn(of, gone.signal);
}

function enter(world: TrpcWorld, { identity, request, path }: TrpcCall): (() => void) | undefined {
  const { strangers, credentialThrottle, shedding, admission } = world;
  const { actor } = identity;
  const of = loadClassOf(identity, request, path);
  if (actor === null) return strangers.enter(credentialThrottle.clientOf(request));
  if (of === null) return undefined;
  try {
    shedding.check(of, callerMsOf(request));
    return actor.kind === "agent" ? admission?.enter(actor.id, of) : undefined;
  } catch (error) {
    if (isOverloadError(error)) shedding.count(actor.workspaceId, of);
    throw error;
  }
}

async function bodyOf({ credentialThrottle }: TrpcWorld, { request, lease, identity }: TrpcCall): Promise<string> {
  contentTypeOf(request.headers, ["application/json"]);
  const { actor } = identity;
  const isAgent = actor?.kind === "agent";
  const bytes = await lease.read(request, isAgent ? AGENT_BYTES_MAX : undefined).catch((error: unknown) => {
    if (actor === null) credentialThrottle.bodyFailed(request, error);
    throw isAgent && error instanceof AppError && error.code === "body_too_large" ? tooLargeForProcedure() : error;
  });
  const text = textOf(bytes);
  checkShape(text, 64 + WRAPPER_DEPTH);
  return text;
}

function runProcedures(world: TrpcWorld, call: TrpcCall, body: string | undefined) {
  const { app, router, whenceOf, credentialThrottle } = world;
  const { request, response, path, identity, isLink } = call;
  const { actor, session, confirmedAt } = identity;
  return nodeHTTPRequestHandler({
    router,
    // The adapter takes a body that was read already from this property.
    req: body === undefined ? request : Object.assign(request, { body }),
    res: response,
    path: path.slice(PREFIX.length),
    maxBatchSize: BATCH_CALLS_MAX,
    // Each call of a batch is its own attempt, whatever the status of the whole batch.
    onError({ error }) {
      const failure = asAppError(error.cause ?? error);
      noteRefusal(world, request, path, failure);
      if (actor?.kind === "agent") world.onAnswer?.(failure.code);
      if (isLink && body !== undefined && ATTEMPT_FAILED.has(error.code)) credentialThrottle.failed(request, body);
    },
    createContext: () => ({
      db: app.db,
      actor: placed(actor, whenceOf(request)),
      from: whenceOf(request),
      app,
      session,
      confirmedAt,
      heard: headerText(request.headers[HEARD_HEADER]),
      ...(body !== undefined && { body: { text: body, isBatch: isBatch(request) } }),
      isStillAllowed: () => inInstallation(() => isStillAllowed(identity, request.headers, app)),
      setHeader: (name: string, value: string) => void response.setHeader(name, value),
    }),
  });
}

function noteRefusal(
  { app, router, whenceOf }: TrpcWorld,
  request: IncomingMessage,
  path: string,
  failure: AppError,
): void {
  const { headers, method = "GET" } = request;
  app.requestLog.note({ headers, method, route: procedureRoute(router, path), client: whenceOf(request).ip }, failure);
}

function tooLargeForProcedure(): AppError {
  const says =
    "An agent's procedure takes at most 512 KiB. Send more to POST /api/v1/hooks/{event} or POST /api/v1/events.";
  return new AppError("body_too_large", undefined, { says });
}

const headerText = (value: string | string[] | undefined): string | undefined =>
  typeof value === "string" ? value : undefined;

/** The way tRPC marks a batch. */
const isBatch = ({ url = "" }: IncomingMessage): boolean =>
  new URLSearchParams(url.slice(url.indexOf("?") + 1)).get("batch") === "1";

/** Codes for an invalid token, link or invitation. */
const ATTEMPT_FAILED: ReadonlySet<string> = new Set(["UNAUTHORIZED", "NOT_FOUND"]);

/** A streamed batch answers 200 before its calls have failed, and holds its request's body for as long as it likes. */
function refuseStreamedBatch({ headers }: IncomingMessage): void {
  const accepted = headers["trpc-accept"];
  if (accepted === undefined || accepted === "application/json") return;
  throw new AppError("invalid_input", undefined, {
    says: "Batches are not streamed. Leave trpc-accept out, or send trpc-accept: application/json.",
  });
}

/**
 * Runs `release` when the answer has ended. The adapter ends every answer when its procedures are done, even if the
 * client is gone; its own promise would wait until the client has received the answer.
 */
function onceEnded(response: ServerResponse, release: () => void): void {
  const { end } = response;
  response.end = ((...rest: Parameters<typeof end>) => {
    release();
    return end.apply(response, rest);
  }) as typeof end; // holds: the same arguments, passed on
}

/** Null for requests that are never shed: changes by people, and open streams. */
function loadClassOf({ actor }: Identity, request: IncomingMessage, path: string): LoadClass | null {
  if (actor?.kind === "agent") return path.includes("agent.report") ? "report" : "gate";
  const isQuery = request.method === "GET" && !request.headers.accept?.includes(EVENT_STREAM);
  // The doctor's queries stay available, because they explain the overload.
  return isQuery && !path.includes("doctor.") ? "console" : null;
}

type FlatProcedures = Readonly<Record<string, { readonly _def: { readonly type: string } } | undefined>>;

/** True for a path that names a subscription, alone or with other procedures. */
function subscriptionsOf(router: AnyRouter): (path: string) => boolean {
  // At run time the paths are flat; tRPC's types nest them.
  const procedures = router._def.procedures as unknown as FlatProcedures;
  const isOne = (name: string) => Object.hasOwn(procedures, name) && procedures[name]?._def.type === "subscription";
  return (path) => unescaped(path.slice(PREFIX.length)).split(",").some(isOne);
}

/** The path if it names procedures of the router: an unknown path is the client's own text. */
export function procedureRoute(router: AnyRouter, path: string): string {
  const procedures = router._def.procedures as unknown as FlatProcedures; // at run time the paths are flat
  const names = path.slice(PREFIX.length).split(",");
  return names.every((name) => Object.hasOwn(procedures, name)) ? path : UNKNOWN_PATH;
}

function isEventStream(response: ServerResponse): boolean {
  return String(response.getHeader("content-type") ?? "").startsWith(EVENT_STREAM);
}
