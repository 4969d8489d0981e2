/** The agent API for extensions. The console's process serves it: no gate waits for a report. */
import { type AgentRoute, jsonAnswer } from "../access/agent-api-types.ts";
import { readJson } from "../access/read-json.ts";
import { extensionReport, extensionReported } from "./schema.ts";
import { type ExtensionReports, report } from "./service.ts";

const JSON_TYPE = "application/json";

export function extensionRoutes(world: ExtensionReports): readonly AgentRoute[] {
  return [
    {
      method: "POST",
      path: "/api/v1/inventory",
      access: "agent:report",
      takes: [JSON_TYPE],
      loadClass: () => "report",
      handle: async (request) =>
        jsonAnswer(await report(world, request.actor, readJson(await request.body(), extensionReport)), 200, {
          "cache-control": "no-store",
        }),
      docs: {
        summary: "Reports the skills, plugins, slash commands and MCP servers of one client on the agent's machine.",
        body: { [JSON_TYPE]: extensionReport },
        answers: {
          200: {
            description: "The differences from the client's former report.",
            body: { [JSON_TYPE]: extensionReported },
          },
        },
        errors: ["too_many_inventories", "not_utf8", "database_away", "database_busy"],
      },
    },
  ];
}
