/** The endpoints for telemetry and inventories, with their own limits: there may be much of it, and all of it can wait. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { ReadClientInfo } from "../../access/client-info.ts";
import type { App } from "../../trpc/context.ts";
import { createAdmission } from "../admission.ts";
import { agentApi, type PathHandler, type Shedding } from "../agent-api.ts";
import { BODY_LIMITS, createBodyBudgets } from "../body.ts";
import type { CredentialThrottle } from "../credential-throttle.ts";
import { consoleAgentRoutes } from "./agent-routes.ts";

const MIB = 1024 * 1024;
const BODIES = {
  ...BODY_LIMITS,
  agent: { ...BODY_LIMITS.agent, bytesHeldMax: 32 * MIB, bytesHeldOfOneMax: 8 * MIB, bodiesOfOneMax: 8 },
};
const PLACES = { perAgentMax: 4, totalMax: 16, reportsOfOneMax: 4, reportsMax: 16 };

export interface TelemetryApiOptions {
  readonly app: App;
  readonly credentialThrottle: CredentialThrottle;
  readonly shedding: Shedding;
  readonly draining: AbortSignal;
  readonly onProven: (request: IncomingMessage, response: ServerResponse) => void;
  readonly onFailure: (code: string) => void;
  readonly whenceOf: ReadClientInfo;
}

export function telemetryApi({ app, ...edge }: TelemetryApiOptions): PathHandler {
  return agentApi({
    ...edge,
    routes: consoleAgentRoutes(app),
    authenticator: app.authenticator,
    requestLog: app.requestLog,
    bodies: createBodyBudgets(BODIES),
    admission: createAdmission(PLACES),
    log: app.log,
    ending: edge.draining,
    onAnswer: () => undefined,
  });
}
