/** The gateway's own answers, by path alone: the agent API, the tRPC router of agents, health, metrics. */

import { setMaxListeners } from "node:events";
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { AgentRoute } from "../access/agent-api-types.ts";
import type { ReadClientInfo } from "../access/client-info.ts";
import { enrolmentRoutes } from "../agents/http.ts";
import { questionRoutes } from "../approvals/http.ts";
import { budgetRoutes } from "../budgets/http.ts";
import { gatewayRouter } from "../composition/gateway-router.ts";
import type { Metrics } from "../composition/metrics.ts";
import { denialRoutes } from "../decisions/http.ts";
import { dispatchRoutes } from "../dispatches/http.ts";
import { drillRoutes } from "../drills/http.ts";
import type { AppError } from "../errors/app-error.ts";
import { systemClock } from "../platform/clock.ts";
import { shareOf } from "../platform/share.ts";
import { policyRoutes } from "../policies/effective/http.ts";
import type { App } from "../trpc/context.ts";
import { ADMISSION_LIMITS, type AdmissionLimits, createAdmission } from "./admission.ts";
import { agentApi, UNKNOWN_PATH } from "./agent-api.ts";
import { type BodyBudgets, createBodyBudgets } from "./body.ts";
import { consoleAgentRoutes } from "./console/agent-routes.ts";
import { countedShedding } from "./counted-shedding.ts";
import { createCredentialThrottle } from "./credential-throttle.ts";
import { createGatewayStatus } from "./gateway-status.ts";
import { createHealth, type ReadinessCheck } from "./health.ts";
import { noteUnsignedQuestions } from "./note-unsigned-questions.ts";
import { openApiRoute } from "./openapi.ts";
import { plainRoutes } from "./plain-routes.ts";
import { routeTable } from "./route-table.ts";
import type { RequestHandler } from "./start.ts";
import { procedureRoute, trpcHandler } from "./trpc.ts";

export interface RoutesOptions {
  readonly app: App;
  readonly metrics: Metrics;
  readonly whenceOf: ReadClientInfo;
  /** Readiness checks by name: "database", "spawner". */
  readonly checks: Readonly<Record<string, ReadinessCheck>>;
  /** Aborted when the shutdown begins. */
  readonly draining: AbortSignal;
  /** Aborted when the shutdown waits no longer; never when absent. */
  readonly ending?: AbortSignal;
  /** Shared with the forwarder. */
  readonly bodies?: BodyBudgets;
  /** Told of every connection that showed valid credentials. */
  readonly onProven?: (socket: Socket) => void;
  readonly admissionLimits?: Partial<AdmissionLimits>;
}

export interface Routes {
  readonly handler: RequestHandler;
  /** Logs a request that was refused before routing. */
  readonly refused: (request: IncomingMessage, failure: AppError) => void;
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
  const credentialThrottle = createCredentialThrottle(whenceOf, app.credentials);
  const shedding = countedShedding(app.shedding, metrics);
  const agents = {
    app,
    router: gatewayRouter,
    whenceOf,
    bodies,
    admission,
    shedding,
    credentialThrottle,
    draining,
    onFailure,
    onAnswer,
  };
  const trpc = trpcHandler({ ...agents, onProven: ({ socket }) => onProven(socket) });
  const api = agentApi({
    routes: agentRoutes(app),
    authenticator: app.authenticator,
    requestLog: app.requestLog,
    whenceOf,
    onProven: ({ socket }) => onProven(socket),
    credentialThrottle,
    bodies,
    admission,
    shedding,
    draining,
    ending,
    log: app.log,
    onFailure,
    onAnswer,
  });

  const table = routeTable(agentRoutes(app));
  const routeOf = (method: string, path: string) =>
    path.startsWith("/api/trpc/")
      ? procedureRoute(gatewayRouter, path)
      : (table(method, path).found?.route.path ?? UNKNOWN_PATH);
  const plain = plainRoutes({ app, metrics, health, status, draining, onFailure });

  return {
    underWay: () => admission.underWay,
    refused(request, failure) {
      const { headers, method = "GET", url = "/" } = request;
      const route = routeOf(method, url.split("?")[0] ?? "/");
      app.requestLog.note({ headers, method, route, client: whenceOf(request).ip }, failure);
    },
    handler(request, response) {
      const url = request.url ?? "/";
      const mark = url.indexOf("?");
      const path = mark === -1 ? url : url.slice(0, mark);
      const search = mark === -1 ? "" : url.slice(mark + 1);
      if (path.startsWith("/api/v1/")) api(request, response, path, search);
      else if (path.startsWith("/api/trpc/")) trpc(request, response, path, search);
      else plain(request, response, path);
    },
  };
}

/** Every route of the agent API. */
export function agentRoutes(
  app: Pick<
    App,
    | "dispatcher"
    | "plans"
    | "bus"
    | "secrets"
    | "answerKeys"
    | "db"
    | "log"
    | "clientSigns"
    | "executorCalls"
    | "statedPeople"
    | "deviceLogins"
    | "masking"
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
  // The console's process serves these; the document covers both, since they share one address.
  const ofConsole = consoleAgentRoutes(app);
  return [...routes, openApiRoute([...routes, ...ofConsole])];
}
