/** The console process (Next, behind a unix socket) as the gateway asks it: small bodies, a policy per page. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { ReadClientInfo } from "../access/client-info.ts";
import { AppError } from "../errors/app-error.ts";
import type { Log } from "../platform/log.ts";
import { shareOf } from "../platform/share.ts";
import type { BodyBudgets } from "./body.ts";
import { clientKey } from "./client-key.ts";
import { type Crowd, createCrowd } from "./crowd.ts";
import { sendFailure } from "./failure.ts";
import { createForwarder } from "./forwarder.ts";
import { sayPagesAway } from "./pages-away.ts";
import { redirectFormer } from "./redirect-former.ts";
import { pagePolicy } from "./security-headers.ts";
import type { ForwardedBy } from "./upstream-request-headers.ts";
import { CONSOLE_METHODS, isConsoleMethod, mayHaveBody } from "./upstreams.ts";

export interface ConsoleOptions {
  /** Null: the console runs elsewhere, and its paths answer 404. */
  readonly socketPath: string | null;
  readonly development: boolean;
  readonly bodies: BodyBudgets;
  readonly whenceOf: ReadClientInfo;
  /** Where people reach this server. */
  readonly url: string;
  readonly log: Log;
  /** The number of processes that answer; one by default. */
  readonly workers?: number;
  /** Told of every connection that showed valid credentials to the console. */
  readonly onProven: (socket: Socket) => void;
}

export interface ConsoleUpstream {
  /** Forwards a page or one of its resources. */
  page(request: IncomingMessage, response: ServerResponse): void;
  /** A procedure or an account route. */
  procedure(request: IncomingMessage, response: ServerResponse): void;
  upgrade(request: IncomingMessage, client: Duplex, head: Buffer): void;
  /** Ends requests that never end by themselves: the development server's WebSockets. */
  drain(): void;
  close(): void;
}

/** A whole office may be behind one address; what waits for Next beyond this would only wait. */
const PAGE_LIMITS = { perClientMax: 256, totalMax: 1_024 };
/**
 * The console authenticates requests and has its own limits; these keep one address from taking every connection to it.
 */
const PROCEDURE_LIMITS = { perClientMax: 1_024, totalMax: 4_096 };

export function createConsole(options: ConsoleOptions): ConsoleUpstream {
  const { bodies, whenceOf, development, log } = options;
  const { socketPath, onProven, workers = 1 } = options;
  const forwarder = socketPath === null ? null : createForwarder({ socketPath, sayAway: sayPagesAway, onProven });
  const own = new URL(options.url);
  const pages = createCrowd(shareOf(PAGE_LIMITS, workers));
  const procedures = createCrowd(shareOf(PROCEDURE_LIMITS, workers));
  const isHttps = own.protocol === "https:";

  function forwardedBy(request: IncomingMessage): ForwardedBy {
    const isOwn = request.headers.host?.toLowerCase() === own.host;
    return { address: whenceOf(request).ip, protocol: isHttps && isOwn ? "https" : "http" };
  }

  function enter(request: IncomingMessage, response: ServerResponse, crowd: Crowd) {
    if (!isConsoleMethod(request.method)) throw new AppError("method_not_allowed");
    if (forwarder === null) throw new AppError("not_found", undefined, { says: ELSEWHERE });
    const by = forwardedBy(request);
    const client = clientKey(by.address);
    response.once("close", crowd.enter(client));
    return { forwarder, by, client };
  }

  /** Credentials are not checked here, so a body counts as a stranger's. */
  async function forwardPage(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (redirectFormer(request, response)) return;
    const { forwarder, by, client } = enter(request, response, pages);
    const lease = bodies.lease("stranger", client);
    response.once("close", () => lease.release());
    let body: Buffer | null = null;
    if (mayHaveBody(request.method)) body = await lease.read(request);
    else request.resume();
    if (response.destroyed) return lease.release();
    const page = pagePolicy(development);
    response.setHeader("content-security-policy", page.policy);
    // Next finds the nonce for its scripts in the policy, our own code in a separate header. A layout is not given the path.
    const [path = "/"] = (request.url ?? "/").split("?", 1);
    const headers = { "content-security-policy": page.policy, "x-nonce": page.nonce, "x-page-path": path };
    forwarder.web(request, response, { by, headers, body });
  }

  /** The console knows whose the body is, and how much of it to read. */
  async function forwardProcedure(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { forwarder, by } = enter(request, response, procedures);
    if (!mayHaveBody(request.method)) request.resume();
    forwarder.web(request, response, { by, headers: {}, body: mayHaveBody(request.method) ? "streamed" : null });
  }

  const answering =
    (forward: typeof forwardPage): ConsoleUpstream["page"] =>
    (request, response) => {
      forward(request, response).catch((thrown: unknown) => {
        const isMethod = thrown instanceof AppError && thrown.code === "method_not_allowed";
        sendFailure(response, thrown, log, isMethod ? { allow: CONSOLE_METHODS.join(", ") } : {});
      });
    };

  return {
    page: answering(forwardPage),
    procedure: answering(forwardProcedure),
    upgrade(request, client, head) {
      if (forwarder === null) client.destroy();
      else forwarder.upgrade(request, client, head, forwardedBy(request));
    },
    drain: () => forwarder?.drain(),
    close: () => forwarder?.close(),
  };
}

const ELSEWHERE = "This process answers agents. The console runs elsewhere.";
