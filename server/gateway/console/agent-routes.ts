/** The routes of the agent API that the console's process serves: what agents report there can wait. */
import type { AgentRoute } from "../../access/agent-api-types.ts";
import { telemetryRoutes } from "../../client-telemetry/http.ts";
import { loginRoutes } from "../../device-login/http.ts";
import { extensionRoutes } from "../../extensions/http.ts";
import { systemClock } from "../../platform/clock.ts";
import type { App } from "../../trpc/context.ts";

export const consoleAgentRoutes = ({
  dispatcher,
  clientSigns,
  statedPeople,
  deviceLogins,
  db,
  bus,
}: Pick<App, "dispatcher" | "clientSigns" | "statedPeople" | "deviceLogins" | "db" | "bus">): readonly AgentRoute[] => [
  ...telemetryRoutes({ dispatcher, clientSigns, statedPeople, clock: systemClock }),
  ...extensionRoutes({ db, bus }),
  ...loginRoutes(deviceLogins),
];
