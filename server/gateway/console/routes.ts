/** The console's answers, by path alone: its procedures, the accounts, downloads, reports of clients, and pages for the rest. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { createClientInfoReader } from "../../access/client-info.ts";
import type { Metrics } from "../../composition/metrics.ts";
import { consoleRouter } from "../../composition/router.ts";
import { AppError } from "../../errors/app-error.ts";
import type { App } from "../../trpc/context.ts";
import { accountApi } from "../account-api.ts";
import { type BodyBudgets, createBodyBudgets } from "../body.ts";
import { countedShedding } from "../counted-shedding.ts";
import { createCredentialThrottle } from "../credential-throttle.ts";
import { sendFailure } from "../failure.ts";
import { PROVEN_HEADER } from "../forwarder.ts";
import type { RequestHandler } from "../start.ts";
import { trpcHandler } from "../trpc.ts";
import { downloadApi } from "./download-api.ts";
import { telemetryApi } from "./telemetry-api.ts";

export interface ConsoleRoutesOptions {
  readonly app: App;
  readonly metrics: Pick<Metrics, "failed" | "shed">;
  /** Aborted when the shutdown begins: event streams end. */
  readonly draining: AbortSignal;
  readonly pages: RequestHandler;
  readonly bodies?: BodyBudgets;
}

/** The client's address as the gateway reports it: only the gateway can reach the socket. */
const whenceOf = createClientInfoReader(() => true);

/**
 * Behind the gateway only. The gateway reports the client's address; these routes report back which requests showed
 * valid credentials.
 */
export function createConsoleRoutes(options: ConsoleRoutesOptions): RequestHandler {
  const { app, metrics, draining, pages, bodies = createBodyBudgets() } = options;
  const onFailure = (code: string) => metrics.failed(code);
  const credentialThrottle = createCredentialThrottle(whenceOf, app.credentials);
  const shedding = countedShedding(app.shedding, metrics);
  const onProven = (_request: IncomingMessage, response: ServerResponse) => void response.setHeader(PROVEN_HEADER, "1");
  const shared = { app, whenceOf, bodies, credentialThrottle, onFailure };
  const trpc = trpcHandler({ ...shared, router: consoleRouter, shedding, draining, onProven });
  const accounts = accountApi(shared);
  const downloads = downloadApi({ app, whenceOf, credentialThrottle, shedding, draining, onProven, onFailure });
  const telemetry = telemetryApi({ app, credentialThrottle, shedding, draining, onProven, onFailure, whenceOf });

  return (request, response) => {
    const url = request.url ?? "/";
    const mark = url.indexOf("?");
    const path = mark === -1 ? url : url.slice(0, mark);
    const search = mark === -1 ? "" : url.slice(mark + 1);
    if (path.startsWith("/api/trpc/")) return trpc(request, response, path, search);
    if (path.startsWith("/api/auth/")) return accounts(request, response, path, search);
    if (path.startsWith("/api/download/")) return downloads(request, response, path, search);
    if (path.startsWith("/api/otlp/") || path === "/api/v1/inventory" || /^\/api\/v1\/login(?:\/|$)/.test(path))
      return telemetry(request, response, path, search);
    if (path === "/api" || path.startsWith("/api/")) {
      onFailure(sendFailure(response, new AppError("not_found"), app.log).code);
      return undefined;
    }
    return pages(request, response);
  };
}
