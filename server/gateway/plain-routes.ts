/** The paths next to the agent API that are read and only read: health, status, metrics, the executor's files. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AgentAnswer } from "../access/agent-api-types.ts";
import type { Metrics } from "../composition/metrics.ts";
import { AppError } from "../errors/app-error.ts";
import { executorFiles } from "../local-executor/http.ts";
import { isAdminScript } from "../people/http.ts";
import type { App } from "../trpc/context.ts";
import { sendAnswer } from "./exchange.ts";
import { sendFailure } from "./failure.ts";
import type { GatewayStatus } from "./gateway-status.ts";
import { type Health, sendJson } from "./health.ts";
import { isDirectLoopbackRequest } from "./loopback.ts";

/** The paths, and by whom each may be read. Any other path is the operator's. */
export const PLAIN_ROUTES: Readonly<Record<string, "anyone" | "operator">> = {
  "/healthz": "anyone",
  "/readyz": "anyone",
  "/gateway-status": "anyone",
  /** Allowed from this machine itself, or with the admin token. */
  "/metrics": "operator",
  ...Object.fromEntries(Object.keys(executorFiles).map((path) => [path, "anyone"])),
};

const READ_ONLY = { allow: "GET, HEAD, OPTIONS" };

export interface PlainRoutesOptions {
  readonly app: App;
  readonly metrics: Metrics;
  readonly health: Health;
  readonly status: GatewayStatus;
  /** Aborted when the shutdown begins. */
  readonly draining: AbortSignal;
  readonly onFailure: (code: string) => void;
}

type PlainAnswer = (response: ServerResponse) => unknown;

export function plainRoutes(options: PlainRoutesOptions) {
  const { app, onFailure } = options;
  const answers = answersOf(options);

  async function answer(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    const write = Object.hasOwn(answers, path) ? answers[path] : undefined;
    if (!write) throw new AppError("not_found");
    if (request.method === "OPTIONS") response.writeHead(204, READ_ONLY).end();
    else if (request.method !== "GET" && request.method !== "HEAD") throw new AppError("method_not_allowed");
    else {
      const isOpen = PLAIN_ROUTES[path] === "anyone" || isDirectLoopbackRequest(request, app);
      if (!isOpen && !(await isAdminScript(request.headers, app))) throw new AppError("forbidden");
      await write(response);
    }
  }

  return (request: IncomingMessage, response: ServerResponse, path: string): void => {
    answer(request, response, path).catch((thrown: unknown) => {
      const failure = sendFailure(response, thrown, app.log, READ_ONLY);
      onFailure(failure.code);
    });
  };
}

function answersOf({ metrics, health, status, draining }: PlainRoutesOptions): Readonly<Record<string, PlainAnswer>> {
  async function showStatus(response: ServerResponse): Promise<void> {
    const now = await status.read(await health.ask());
    sendJson(response, 200, draining.aborted ? { ...now, state: "stopping" } : now);
  }

  async function showMetrics(response: ServerResponse): Promise<void> {
    const text = await metrics.text();
    response.writeHead(200, { "content-type": metrics.contentType, "cache-control": "no-store" }).end(text);
  }

  const served = (file: () => Promise<AgentAnswer>) => async (response: ServerResponse) =>
    sendAnswer(response, await file());

  return {
    "/healthz": health.alive,
    "/readyz": health.ready,
    "/gateway-status": showStatus,
    "/metrics": showMetrics,
    ...Object.fromEntries(Object.entries(executorFiles).map(([path, file]) => [path, served(file)])),
  };
}
