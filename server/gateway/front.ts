/**
 * The routes of a process that only forwards to the console: health checks, and an error that directs agents to a
 * gateway.
 */
import { AppError } from "../errors/app-error.ts";
import type { Log } from "../platform/log.ts";
import type { GatewayStatusView } from "../platform/schema.ts";
import { sendFailure } from "./failure.ts";
import { createHealth, type ReadinessCheck, sendJson } from "./health.ts";
import type { RequestHandler } from "./start.ts";

export interface FrontOptions {
  /** By name. */
  readonly checks: Readonly<Record<string, ReadinessCheck>>;
  readonly draining: AbortSignal;
  readonly log: Log;
}

const ELSEWHERE = "This process serves the console's pages. Agents call a gateway.";
const STATUS: GatewayStatusView = {
  ...{ state: "elsewhere", since: null, reasons: [], refused: 0, checks: {}, figuresBehindMs: null },
};

export function frontRoutes({ checks, draining, log }: FrontOptions): RequestHandler {
  const health = createHealth(checks, draining);
  return (request, response) => {
    const [path] = (request.url ?? "/").split("?");
    if (path === "/healthz") return health.alive(response);
    if (path === "/readyz") return health.ready(response);
    if (path === "/gateway-status") return sendJson(response, 200, STATUS);
    sendFailure(response, new AppError("not_found", undefined, { says: ELSEWHERE }), log);
    return undefined;
  };
}
