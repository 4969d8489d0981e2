/** The gateway's own answers, by path alone: the agent API, the tRPC router of agents, health, metrics. */

import { setMaxListeners } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { AgentAnswer, AgentRoute } from "../access/agent-api-types.ts";
import type { ReadClientInfo } from "../access/client-info.ts";
import { enrolmentRoutes } from "../agents/http.ts";
import { questionRoutes } from "../approvals/http.ts";
import { budgetRoutes } from "../budgets/http.ts";
import { telemetryRoutes } from "../client-telemetry/http.ts";
import { gatewayRouter } from "../composition/gateway-router.ts";
import type { Metrics } from "../composition/metrics.ts";
import { denialRoutes } from "../decisions/http.ts";
import { dispatchRoutes } from "../dispatches/http.ts";
import { drillRoutes } from "../drills/http.ts";
import { AppError } from "../errors/app-error.ts";
import { executorFiles } from "../local-executor/http.ts";
import { isAdminScript } from "../people/http.ts";
import { systemClock } from "../platform/clock.ts";
import { shareOf } from "../platform/share.ts";
import { policyRoutes } from "../policies/http.ts";
import type { App } from "../trpc/context.ts";
import { ADMISSION_LIMITS, type AdmissionLimits, createAdmission } from "./admission.ts";
import { agentApi } from "./agent-api.ts";
import { type BodyBudgets, createBodyBudgets } from "./body.ts";
import { countedShedding } from "./counted-shedding.ts";
import { createCredentialThrottle } from "./credential-throttle.ts";
import { sendAnswer } from "./exchange.ts";
import { sendFailure } from "./failure.ts";
import { createGatewayStatus } from "./gateway-status.ts";
import { createHealth, type ReadinessCheck, sendJson } from "./health.ts";
import { isDirectLoopbackRequest } from "./loopback.ts";
import { noteUnsignedQuestions } from "./note-unsigned-questions.ts";
import { openApiRoute } from "./openapi.ts";
import type { RequestHandler } from "./start.ts";
import { trpcHandler } from "./trpc.ts";

export interface RoutesOptions {
  readonly app: App;
  readonly metrics: Metrics;
  readonly whenceOf: ReadClientInfo;
  /** By name: "database", "spawner". */
  readonly checks: Readonly<Record<string, ReadinessCheck>>;
  /** Aborted when the shutdown begins. */
  readonly draining: AbortSignal;
  /** Aborted when the shutdown waits no longer; never when absent. */
  readonly ending?: AbortSignal;
  /** Shared with what is forwarded. */
  readonly bodies?: BodyBudgets;
  /** Told of every connection that showed valid credentials. */
  readonly onProven?: (socket: Socket) => void;
  readonly admissionLimits?: Partial<AdmissionLimits>;
}

export interface Routes {
  readonly handler: RequestHandler;
  /** Agent requests being answered now. */
  readonly underWay: () => number;
}

export function createRoutes({ app, metrics, whenceOf, checks, draining, ...rest }: RoutesOptions): Routes {
  const { bodies = createBodyBudgets(), onProven = () => undefined } = rest;
  const { ending = new AbortController().signal } = rest;
  // Every request that is held open listens to them.
  setMaxListeners(0, draining, ending);
  const admission = createAdmission({ ...shareOf(ADMISSION_LIMITS, app.workerRpc.workers), ...rest.admissionLimits });
  const health = createHealth(checks, draining);
  const status = createGatewayStatus({
    workerRpc: app.workerRpc,
    clock: systemClock,
    figuresBehindMs: metrics.figuresBehindMs,
  });
  const onFailure = (code: string) => metrics.failed(code);
  const onAnswer = (code: string | null) => (code === null ? status.answered() : status.refused(code));
  const guesses = createCredentialThrottle(whenceOf, app.credentials);
  const shedding = countedShedding(app.shedding, metrics);
  const agents = {
    app,
    router: gatewayRouter,
    whenceOf,
    bodies,
    admission,
    shedding,
    guesses,
    draining,
    onFailure,
    onAnswer,
  };
  const trpc = trpcHandler({ ...agents, onProven: ({ socket }) => onProven(socket) });
  const api = agentApi({
    routes: agentRoutes(app),
    authenticator: app.authenticator,
    onProven: ({ socket }) => onProven(socket),
    guesses,
    bodies,
    admission,
    shedding,
    draining,
    ending,
    log: app.log,
    onFailure,
    onAnswer,
  });

  async function showStatus(response: ServerResponse): Promise<void> {
    const now = await status.read(await health.ask());
    sendJson(response, 200, draining.aborted ? { ...now, state: "stopping" } : now);
  }

  async function showMetrics(response: ServerResponse): Promise<void> {
    const text = await metrics.text();
    response.writeHead(200, { "content-type": metrics.contentType, "cache-control": "no-store" }).end(text);
  }

  const plain: Readonly<Record<string, (response: ServerResponse) => unknown>> = {
    "/healthz": health.alive,
    "/readyz": health.ready,
    "/gateway-status": showStatus,
    "/metrics": showMetrics,
    ...Object.fromEntries(Object.entries(executorFiles).map(([path, file]) => [path, served(file)])),
  };

  async function answerPlain(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    const answer = Object.hasOwn(plain, path) ? plain[path] : undefined;
    if (!answer) throw new AppError("not_found");
    if (request.method === "OPTIONS") response.writeHead(204, READ_ONLY).end();
    else if (request.method !== "GET" && request.method !== "HEAD") throw new AppError("method_not_allowed");
    else {
      const isOpen = PLAIN_ROUTES[path] === "anyone" || isDirectLoopbackRequest(request, app);
      if (!isOpen && !(await isAdminScript(request.headers, app))) throw new AppError("forbidden");
      await answer(response);
    }
  }

  return {
    underWay: () => admission.underWay,
    handler(request, response) {
      const url = request.url ?? "/";
      const mark = url.indexOf("?");
      const path = mark === -1 ? url : url.slice(0, mark);
      const search = mark === -1 ? "" : url.slice(mark + 1);
      if (path.startsWith("/api/v1/")) api(request, response, path, search);
      else if (path.startsWith("/api/trpc/")) trpc(request, response, path, search);
      else
        answerPlain(request, response, path).catch((thrown: unknown) => {
          const failure = sendFailure(response, thrown, app.log, READ_ONLY);
          onFailure(failure.code);
        });
    },
  };
}

const served = (file: () => Promise<AgentAnswer>) => async (response: ServerResponse) =>
  sendAnswer(response, await file());

/** The paths beside the API, which are read and only read, and by whom. What is not here is the operator's. */
export const PLAIN_ROUTES: Readonly<Record<string, "anyone" | "operator">> = {
  "/healthz": "anyone",
  "/readyz": "anyone",
  "/gateway-status": "anyone",
  /** From this machine itself, or with the admin token. */
  "/metrics": "operator",
  ...Object.fromEntries(Object.keys(executorFiles).map((path) => [path, "anyone"])),
};

const READ_ONLY = { allow: "GET, HEAD, OPTIONS" };

/** Every route of the agent API. */
export function agentRoutes(
  app: Pick<
    App,
    "dispatcher" | "plans" | "bus" | "secrets" | "answerKeys" | "db" | "log" | "clientSigns" | "executorCalls"
  >,
): readonly AgentRoute[] {
  const { dispatcher, ...rest } = app;
  const routes = [
    ...noteUnsignedQuestions(dispatchRoutes({ dispatcher, ...rest, clock: systemClock }), rest.clientSigns),
    ...policyRoutes(rest),
    ...enrolmentRoutes(rest),
    ...drillRoutes(rest),
    ...denialRoutes(rest),
    ...budgetRoutes(rest),
    ...questionRoutes(rest),
  ];
  // The console's process serves these; whoever reads the document finds both behind one address.
  const { db, bus, clientSigns } = rest;
  const ofConsole = telemetryRoutes({ dispatcher, db, bus, clientSigns, clock: systemClock });
  return [...routes, openApiRoute([...routes, ...ofConsole])];
}
