/**
 * The agent API for drills: a nonce at the beginning, the results at the end. The calls between arrive through hooks.
 */
import { type AgentRoute, jsonAnswer } from "../access/agent-api-types.ts";
import { readJson } from "../access/read-json.ts";
import { drillReport, reportedDrill, startDrill, startedDrill } from "./schema.ts";
import { type DrillContext, report, start } from "./service.ts";

const JSON_TYPE = "application/json";
const UNCACHED = { "cache-control": "no-store" };

export function drillRoutes(context: DrillContext): readonly AgentRoute[] {
  return [
    {
      method: "POST",
      path: "/api/v1/drills",
      access: "agent:dispatch",
      takes: [JSON_TYPE],
      loadClass: () => "report",
      handle: async (request) =>
        jsonAnswer(await start(context, request.actor, readJson(await request.body(), startDrill)), 201, UNCACHED),
      docs: {
        summary: "Begins a drill: a nonce that marks calls of this key as known-bad ones, which never have an effect.",
        body: { [JSON_TYPE]: startDrill },
        answers: {
          201: {
            description: "The nonce, and for how many seconds it marks calls.",
            body: { [JSON_TYPE]: startedDrill },
          },
        },
        errors: ["too_many_drills", "not_utf8", "database_away", "database_busy"],
      },
    },
    {
      method: "POST",
      path: "/api/v1/drills/report",
      access: "agent:dispatch",
      takes: [JSON_TYPE],
      loadClass: () => "report",
      handle: async (request) =>
        jsonAnswer(await report(context, request.actor, readJson(await request.body(), drillReport)), 200, UNCACHED),
      docs: {
        summary: "Reports the results of a drill with its nonce, once; the nonce marks nothing afterwards.",
        body: { [JSON_TYPE]: drillReport },
        answers: {
          200: {
            description: "The results as they are stored: what the gate saw goes before what the client says.",
            body: { [JSON_TYPE]: reportedDrill },
          },
        },
        errors: ["drill_over", "not_utf8", "database_away", "database_busy"],
      },
    },
  ];
}
