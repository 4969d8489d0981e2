/** tRPC on the public port: its own node:http adapter behind our limits, with event streams that end when we do. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { nodeHTTPRequestHandler } from "@trpc/server/adapters/node-http";
import { checkShape, textOf } from "../access/json-text.ts";
import type { LoadClass } from "../access/load-class.ts";
import { placed } from "../access/whence.ts";
import { AppError, asAppError } from "../errors/app-error.ts";
import { type Identity, identityOf } from "../people/http.ts";
import { inInstallation } from "../platform/scope.ts";
import type { App } from "../trpc/context.ts";
import { appRouter } from "../trpc/root.ts";
import type { Admission } from "./admission.ts";
import { isTurnedAway, type PathHandler, type Shedding } from "./agent-api.ts";
import type { BodyReader } from "./body.ts";
import { contentTypeOf } from "./content-type.ts";
import { sendFailure } from "./failure.ts";
import type { Guesses } from "./guesses.ts";
import { refuseForeignOrigin } from "./origin.ts";

export interface TrpcOptions {
  readonly app: App;
  readonly bodies: BodyReader;
  readonly admission: Admission;
  readonly shedding: Shedding;
  readonly guesses: Guesses;
  readonly draining: AbortSignal;
  readonly onFailure: (code: string) => void;
}

const PREFIX = "/api/trpc/";
const EVENT_STREAM = "text/event-stream";
const BATCH_MAX = 20;
/** What superjson wraps around a body: `{"0": {"json": ...}}`. */
const WRAPPER_DEPTH = 4;

export function trpcHandler(options: TrpcOptions): PathHandler {
  const { app, bodies, admission, shedding, guesses, draining } = options;
  const open = new Set<ServerResponse>();
  draining.addEventListener("abort", () => {
    // A stream would go on for hours. Cut off, its viewer asks again, of the server that comes next.
    for (const response of open) if (isEventStream(response)) response.destroy();
  });

  async function handle(request: IncomingMessage, response: ServerResponse, path: string) {
    response.setHeader("cache-control", "no-store");
    const method = request.method ?? "GET";
    if (method !== "GET" && method !== "POST") throw new AppError("method_not_allowed");
    if (method === "POST") refuseForeignOrigin(request, app.url);
    if (draining.aborted && request.headers.accept?.includes(EVENT_STREAM)) throw new AppError("draining");
    // Whoever brings a token, or acts as nobody (a link, an invitation), may be guessing.
    const mayGuess = request.headers.authorization !== undefined || method === "POST";
    if (mayGuess) guesses.check(request);
    const identity = await inInstallation(() => identityOf(request.headers, app)).catch((error: unknown) => {
      if (error instanceof AppError && error.status === 401) guesses.failed(request);
      throw error;
    });
    if (identity.setCookie !== null) response.setHeader("set-cookie", identity.setCookie);
    const body = method === "POST" ? await bodyOf(request) : undefined;
    const of = loadClassOf(identity, request, path);
    const leave = enter(identity, of);
    open.add(response);
    response.once("close", () => {
      open.delete(response);
      leave?.();
      // 207: a batch in which not everything failed. 404: a link that leads nowhere.
      if (mayGuess && identity.actor === null && [207, 401, 404].includes(response.statusCode)) guesses.failed(request);
    });
    await adapter(request, response, path, identity, body);
  }

  function enter({ actor }: Identity, of: LoadClass | null): (() => void) | undefined {
    if (actor === null || of === null) return undefined;
    try {
      shedding.check(of);
      return actor.kind === "agent" ? admission.enter(actor.id, of) : undefined;
    } catch (error) {
      if (isTurnedAway(error)) shedding.count(actor.workspaceId, of);
      throw error;
    }
  }

  async function bodyOf(request: IncomingMessage): Promise<string> {
    contentTypeOf(request.headers, ["application/json"]);
    const text = textOf(await bodies.read(request));
    checkShape(text, 64 + WRAPPER_DEPTH);
    return text;
  }

  function adapter(
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
    { actor, session }: Identity,
    body: string | undefined,
  ) {
    return nodeHTTPRequestHandler({
      router: appRouter,
      // The adapter takes a body that was read already from this property.
      req: body === undefined ? request : Object.assign(request, { body }),
      res: response,
      path: path.slice(PREFIX.length),
      maxBatchSize: BATCH_MAX,
      createContext: () => ({
        db: app.db,
        actor: placed(actor, app.whenceOf(request)),
        from: app.whenceOf(request),
        app,
        session,
        setHeader: (name: string, value: string) => void response.setHeader(name, value),
      }),
    });
  }

  return (request, response, path) => {
    handle(request, response, path).catch((thrown: unknown) => {
      const failure = asAppError(thrown);
      const allow = failure.code === "method_not_allowed" ? { allow: "GET, POST" } : {};
      options.onFailure(sendFailure(response, failure, app.log, allow).code);
    });
  };
}

/** Null for what is never turned away: what people change, and streams that are open. */
function loadClassOf({ actor }: Identity, request: IncomingMessage, path: string): LoadClass | null {
  if (actor?.kind === "agent") return path.includes("agent.report") ? "report" : "gate";
  const isQuery = request.method === "GET" && !request.headers.accept?.includes(EVENT_STREAM);
  // The doctor is who tells why.
  return isQuery && !path.includes("doctor.") ? "console" : null;
}

function isEventStream(response: ServerResponse): boolean {
  return String(response.getHeader("content-type") ?? "").startsWith(EVENT_STREAM);
}
