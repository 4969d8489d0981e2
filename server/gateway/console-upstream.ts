/** The console process (Next, behind a unix socket) as the gateway asks it: small bodies, a policy per page. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { WhenceOf } from "../access/whence.ts";
import { AppError } from "../errors/app-error.ts";
import type { Log } from "../platform/log.ts";
import { shareOf } from "../platform/share.ts";
import type { BodyBudgets } from "./body.ts";
import { clientKey } from "./client-key.ts";
import { createCrowd } from "./crowd.ts";
import { sendFailure } from "./failure.ts";
import type { ForwardedBy } from "./forwarded-headers.ts";
import { createForwarder } from "./forwarder.ts";
import { sayPagesAway } from "./pages-away.ts";
import { pagePolicy } from "./security-headers.ts";
import { CONSOLE_METHODS, isConsoleMethod, mayHaveBody } from "./upstreams.ts";

export interface ConsoleOptions {
  readonly socketPath: string;
  readonly development: boolean;
  readonly bodies: BodyBudgets;
  readonly whenceOf: WhenceOf;
  /** Where people reach this server. */
  readonly url: string;
  readonly log: Log;
  /** The number of processes that answer; one by default. */
  readonly workers?: number;
}

export interface ConsoleUpstream {
  web(request: IncomingMessage, response: ServerResponse): void;
  upgrade(request: IncomingMessage, client: Duplex, head: Buffer): void;
  close(): void;
}

/** A whole office may be behind one address; what waits for Next beyond this would only wait. */
const CROWD_LIMITS = { perClientMax: 256, totalMax: 1_024 };

export function createConsole(options: ConsoleOptions): ConsoleUpstream {
  const { bodies, whenceOf, development, log } = options;
  const forwarder = createForwarder({ socketPath: options.socketPath, sayAway: sayPagesAway });
  const own = new URL(options.url);
  const crowd = createCrowd(shareOf(CROWD_LIMITS, options.workers ?? 1));
  const isHttps = own.protocol === "https:";

  function forwardedBy(request: IncomingMessage): ForwardedBy {
    const isOwn = request.headers.host?.toLowerCase() === own.host;
    return { address: whenceOf(request).ip, protocol: isHttps && isOwn ? "https" : "http" };
  }

  /** Nobody's credentials are looked at here, so a body is a stranger's. */
  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!isConsoleMethod(request.method)) throw new AppError("method_not_allowed");
    const by = forwardedBy(request);
    const client = clientKey(by.address);
    const leave = crowd.enter(client);
    const lease = bodies.lease("stranger", client);
    response.once("close", () => {
      leave();
      lease.release();
    });
    let body: Buffer | null = null;
    if (mayHaveBody(request.method)) body = await lease.read(request);
    else request.resume();
    if (response.destroyed) return lease.release();
    const page = pagePolicy(development);
    response.setHeader("content-security-policy", page.policy);
    // Next finds the nonce for its scripts in the policy, our own code in a header of its own.
    const headers = { "content-security-policy": page.policy, "x-nonce": page.nonce };
    forwarder.web(request, response, { by, headers, body });
  }

  return {
    web(request, response) {
      forward(request, response).catch((thrown: unknown) => {
        const isMethod = thrown instanceof AppError && thrown.code === "method_not_allowed";
        sendFailure(response, thrown, log, isMethod ? { allow: CONSOLE_METHODS.join(", ") } : {});
      });
    },
    upgrade: (request, client, head) => forwarder.upgrade(request, client, head, forwardedBy(request)),
    close: forwarder.close,
  };
}
