/**
 * The public port: node:http with strict limits. Ambiguous requests, and requests for another host, are refused; the
 * others go to the routes or to the console by their path only.
 *
 * Units: milliseconds. Errors: a `StartupError` when the port is not available.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { createClientInfoReader, type ReadClientInfo } from "../access/client-info.ts";
import { type AppError, asAppError } from "../errors/app-error.ts";
import { ERRORS } from "../errors/catalogue.ts";
import type { AnswerKeys } from "../platform/answer-keys.ts";
import type { Log } from "../platform/log.ts";
import { createAnsweredNonces } from "./answered-nonces.ts";
import { type BodyBudgets, createBodyBudgets } from "./body.ts";
import { cannotListen } from "./check-port.ts";
import { type ConnectionLimit, createConnectionLimit } from "./connection-limit.ts";
import { createConsole } from "./console-upstream.ts";
import { failureBody, sendFailure } from "./failure.ts";
import { createHostRule, type HostRule } from "./hosts.ts";
import { connectionNames, refuseAmbiguous, refuseWebSocket } from "./request-rules.ts";
import { DATA_POLICY, securityHeadersOf } from "./security-headers.ts";
import { signAnswers } from "./sign-answers.ts";
import { upstreamOf } from "./upstreams.ts";

export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

/** Work that is ended has this long to be recorded and answered. */
const ENDING_MS_MAX = 1_500;

export interface GatewayOptions {
  readonly host: string;
  readonly port: number;
  readonly log: Log;
  /** The agent API, the tRPC router of agents, health and metrics. */
  readonly routes: RequestHandler;
  /** Where the console listens; null when it runs elsewhere. */
  readonly consoleSocket: string | null;
  /** Where people reach this server; by default this machine. */
  readonly url?: string;
  /** By default the names of this machine, and those of `url` and `host`. */
  readonly hosts?: HostRule;
  /** By default the address of the connection. */
  readonly whenceOf?: ReadClientInfo;
  /** Shared with the routes. */
  readonly bodies?: BodyBudgets;
  readonly connectionLimit?: ConnectionLimit;
  /** Called for each request that is refused before routing. */
  readonly onRefused?: (request: IncomingMessage, failure: AppError) => void;
  /** Signs answers to hook questions; without it they are not signed. */
  readonly answerKeys?: AnswerKeys;
  /** The number of processes that answer, this one included; each has its share of a node's limits. One by default. */
  readonly workers?: number;
  /** Called when a shutdown waits no longer, a moment before it cuts off: what runs can still end and be answered. */
  readonly onEnding?: () => void;
  /** In development WebSockets are passed on and the browser may evaluate code: hot reload needs both. */
  readonly development: boolean;
  /** The longest time a request may take to arrive, body included; 30 seconds by default. An answer may take hours. */
  readonly requestMs?: number;
}

export interface Gateway {
  readonly port: number;
  /**
   * Stops accepting, lets requests finish, aborts their work shortly before the limit, and closes the rest at the
   * limit.
   */
  drain(limitMs: number): Promise<void>;
}

export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { requestMs = 30_000, connectionLimit = createConnectionLimit() } = options;
  const edge = createEdge(options, connectionLimit.prove);
  const server = createServer(
    {
      headersTimeout: Math.min(10_000, requestMs),
      requestTimeout: requestMs,
      connectionsCheckingInterval: Math.min(1_000, requestMs),
      keepAliveTimeout: 30_000,
      maxHeaderSize: 16 * 1024,
      noDelay: true,
    },
    (request, response) => answer(edge, request, response),
  );
  server.maxHeadersCount = 100;
  // Holds: node:http passes its own sockets.
  server.on("clientError", (error, socket) => failedByClient(edge, error, socket as Socket));
  server.on("connection", (socket) => {
    if (!connectionLimit.accept(socket)) {
      socket.destroy();
      return;
    }
    edge.connections.add(socket);
    socket.on("close", () => edge.connections.delete(socket));
  });
  // Without a listener Node treats an Upgrade as a plain request, which is right in production.
  if (options.development) server.on("upgrade", (request, socket, head) => upgrade(edge, request, socket, head));
  await listen(server, options);

  return {
    port: (server.address() as AddressInfo).port, // a TCP server's address, once it listens
    drain: (limitMs) => drain(server, edge, limitMs),
  };
}

type Edge = ReturnType<typeof createEdge>;

/** The parts that answer requests, and the connections of the port. */
function createEdge(options: GatewayOptions, onProven: (socket: Socket) => void) {
  const { log, development, consoleSocket: socketPath, workers = 1, url = "http://127.0.0.1" } = options;
  const { hosts = createHostRule({ url, host: options.host, allowed: "" }) } = options;
  const { bodies = createBodyBudgets(), whenceOf = createClientInfoReader(() => false) } = options;
  const unanswered: Unanswered = new WeakMap();
  return {
    ...{ options, hosts, unanswered, securityHeaders: securityHeadersOf(url), nonces: createAnsweredNonces() },
    console: createConsole({ socketPath, development, bodies, whenceOf, url, log, onProven, workers }),
    connections: new Set<Socket>(),
    /** The newest answer of each connection. */
    answering: new WeakMap<Socket, ServerResponse>(),
    /** Connections on which no further request is read. */
    ending: new WeakSet<Socket>(),
    isDraining: false,
  };
}

function answer(edge: Edge, request: IncomingMessage, response: ServerResponse): void {
  const { options, console, ending, unanswered } = edge;
  // A request that ends its connection is the last one: later ones are ignored.
  if (ending.has(request.socket)) return;
  if (wantsClose(request)) ending.add(request.socket);
  if (openAnswers(unanswered, request.socket) >= PIPELINED_MAX) {
    request.socket.destroy();
    return;
  }
  edge.answering.set(request.socket, response);
  follow(unanswered, request.socket, response);
  for (const [name, value] of edge.securityHeaders) response.setHeader(name, value);
  response.setHeader("content-security-policy", DATA_POLICY);
  if (edge.isDraining) response.setHeader("connection", "close");
  if (options.answerKeys) signAnswers(request, response, { keys: options.answerKeys, nonces: edge.nonces });
  try {
    refuseAmbiguous(request, edge.hosts);
    refuseWebSocket(request);
  } catch (error) {
    // Further bytes on this connection may belong to the refused request.
    ending.add(request.socket);
    options.onRefused?.(request, asAppError(error));
    sendFailure(response, error, options.log, { connection: "close" });
    return;
  }
  const to = upstreamOf(request.url ?? "/");
  if (to === "routes") runRoutes(options, request, response);
  else if (to === "procedures") console.procedure(request, response);
  else console.page(request, response);
}

function failedByClient({ answering, ending }: Edge, error: NodeJS.ErrnoException, socket: Socket): void {
  const response = answering.get(socket);
  // Bytes after the last request of a connection do not affect its answer.
  if (error.code === "HPE_CLOSED_CONNECTION" && isAnswering(response)) return;
  if (ending.has(socket) && response?.headersSent) socket.destroySoon();
  else refuse(error, socket, response);
}

function upgrade({ hosts, console }: Edge, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  try {
    refuseAmbiguous(request, hosts);
    if (upstreamOf(request.url ?? "/") !== "pages") refuseWebSocket(request);
  } catch (error) {
    refuseUpgrade(error, socket);
    return;
  }
  console.upgrade(request, socket, head);
}

async function drain(server: Server, edge: Edge, limitMs: number): Promise<void> {
  const { options, console, connections, answering } = edge;
  edge.isDraining = true;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // Node spares a connection that never sent a request; browsers open such ones ahead of need.
  const closeIdle = () => {
    for (const socket of connections) if (!isAnswering(answering.get(socket))) socket.destroy();
  };
  closeIdle();
  console.drain();
  const sweep = setInterval(closeIdle, 25);
  const ending = setTimeout(() => options.onEnding?.(), limitMs - Math.min(ENDING_MS_MAX, limitMs / 2));
  const cutOff = setTimeout(() => server.closeAllConnections(), limitMs);
  await closed;
  console.close();
  clearInterval(sweep);
  clearTimeout(ending);
  clearTimeout(cutOff);
}

const wantsClose = ({ headers }: IncomingMessage): boolean => connectionNames(headers.connection).includes("close");

type Unanswered = WeakMap<Socket, Set<ServerResponse>>;

/** Browsers and agents send one request at a time; a connection with more than this is cut, not queued for. */
const PIPELINED_MAX = 64;
const openAnswers = (unanswered: Unanswered, socket: Socket): number => unanswered.get(socket)?.size ?? 0;

/**
 * Closes an answer with its connection. node:http does so only for the current answer, and forgets those of pipelined
 * requests: code that waits for their close would wait for ever.
 */
function follow(unanswered: Unanswered, socket: Socket, response: ServerResponse): void {
  let responses = unanswered.get(socket);
  if (responses === undefined) {
    const all = new Set<ServerResponse>();
    responses = all;
    unanswered.set(socket, all);
    socket.once("close", () => {
      for (const one of all) {
        if (one.socket !== null) continue;
        one.destroy();
        one.emit("close");
      }
    });
  }
  responses.add(response);
  response.once("close", () => responses.delete(response));
}

function isAnswering(response: ServerResponse | undefined): boolean {
  return response !== undefined && !response.writableFinished && !response.destroyed;
}

function runRoutes(options: GatewayOptions, request: IncomingMessage, response: ServerResponse): void {
  try {
    const answered = options.routes(request, response);
    if (answered instanceof Promise) answered.catch((error: unknown) => routeFailed(options, request, response, error));
  } catch (error) {
    routeFailed(options, request, response, error);
  }
}

/** The routes answer their own failures; this handles their bugs. */
function routeFailed(options: GatewayOptions, request: IncomingMessage, response: ServerResponse, err: unknown): void {
  options.log.error({ err, method: request.method, path: request.url?.split("?")[0] }, "a route failed");
  if (response.headersSent) response.destroy();
  else sendError(response, 500, "internal", ERRORS.internal.says);
}

function sendError(response: ServerResponse, status: number, code: string, message: string): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify({ error: { code, message } }));
}

function refuseUpgrade(error: unknown, socket: Duplex): void {
  const failure = asAppError(error);
  refuseRaw(socket, failure.status, failureBody(failure));
}

/** Refuses what never became a request: broken HTTP, oversized headers, a client slower than the limits. */
function refuse(error: NodeJS.ErrnoException, socket: Socket, response: ServerResponse | undefined): void {
  const underWay = response?.headersSent && isAnswering(response);
  if (error.code === "ECONNRESET" || !socket.writable || underWay) {
    socket.destroy();
    return;
  }
  const [status, code, message] = REFUSALS[error.code ?? ""] ?? [
    400,
    "bad_request",
    "This is not HTTP that we understand.",
  ];
  refuseRaw(socket, status, JSON.stringify({ error: { code, message } }));
}

/** An answer on a socket that has no response of node:http's. */
function refuseRaw(socket: Duplex, status: number, body: string): void {
  const head = `HTTP/1.1 ${status} Refused\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n`;
  socket.end(head + body, () => socket.destroy());
}

const REFUSALS: Record<string, [number, string, string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, "body_too_slow", ERRORS.body_too_slow.says],
  HPE_INVALID_EOF_STATE: [400, "body_incomplete", ERRORS.body_incomplete.says],
  HPE_HEADER_OVERFLOW: [431, "headers_too_large", "The request's headers are larger than 16 KiB."],
};

function listen(server: Server, { host, port }: GatewayOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(cannotListen(error, host, port)));
    server.listen(port, host, () => resolve());
  });
}
