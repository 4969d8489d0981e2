/** The agent API for logins. The console's process serves it: no gate waits for a person. */
import type { z } from "zod";
import { type AgentAnswer, type AgentRoute, jsonAnswer } from "../access/agent-api-types.ts";
import { readJson } from "../access/read-json.ts";
import { AppError } from "../errors/app-error.ts";
import { agentOwnerView, deviceCodeView, loginRequest, loginResult, logoutResult, resultRequest } from "./schema.ts";
import * as service from "./service.ts";

const JSON_TYPE = "application/json";
const NO_STORE = { "cache-control": "no-store" };
/** The answers of the protocol while it runs. They are no refused requests. */
const POLLING: ReadonlySet<string> = new Set(["authorization_pending", "slow_down", "access_denied", "expired_token"]);
const AWAY = ["database_away", "database_busy"] as const;

const answers = (description: string, view: z.ZodType) => ({ 200: { description, body: { [JSON_TYPE]: view } } });

export function loginRoutes(logins: service.DeviceLogins): readonly AgentRoute[] {
  return [
    {
      method: "GET",
      path: "/api/v1/login",
      access: "agent:report",
      loadClass: () => "report",
      handle: async ({ actor }) => jsonAnswer(await service.ownerOf(logins.db, actor), 200, NO_STORE),
      docs: {
        summary: "The person or service that the agent of the key works for.",
        answers: answers("The agent and its owner; null: unknown.", agentOwnerView),
        errors: AWAY,
      },
    },
    {
      method: "POST",
      path: "/api/v1/login",
      access: "agent:report",
      takes: [JSON_TYPE],
      loadClass: () => "report",
      handle: async (request) => {
        const asked = readJson(await request.body(), loginRequest);
        return jsonAnswer(await service.ask(logins, request.actor, asked, request.address), 200, NO_STORE);
      },
      docs: {
        summary:
          "Begins a login (RFC 8628): a person enters the short code in the console, and the agent works for them.",
        body: { [JSON_TYPE]: loginRequest },
        answers: answers("The device authorization response.", deviceCodeView),
        errors: ["too_many_logins", "too_many_attempts", "not_utf8", ...AWAY],
      },
    },
    {
      method: "POST",
      path: "/api/v1/login/result",
      access: "agent:report",
      takes: [JSON_TYPE],
      loadClass: () => "report",
      handle: async (request) => {
        const asked = readJson(await request.body(), resultRequest);
        return service
          .takeResult(logins, request.actor, asked)
          .then((result) => jsonAnswer(result, 200, NO_STORE), pollingAnswer);
      },
      docs: {
        summary: "The result of a login, once, for the key that began it. Ask no more often than `interval` says.",
        body: { [JSON_TYPE]: resultRequest },
        answers: answers("The login was confirmed.", loginResult),
        errors: [
          ...(["authorization_pending", "slow_down", "access_denied", "expired_token", "invalid_grant"] as const),
          ...(["not_utf8", ...AWAY] as const),
        ],
      },
    },
    {
      method: "POST",
      path: "/api/v1/login/end",
      access: "agent:report",
      loadClass: () => "report",
      handle: async ({ actor }) => jsonAnswer(await service.end(logins, actor), 200, NO_STORE),
      docs: {
        summary: "Ends the login of the agent: it works for the person or service from before the login.",
        answers: answers("The owner now, and the person who was logged in.", logoutResult),
        errors: AWAY,
      },
    },
  ];
}

function pollingAnswer(error: unknown): AgentAnswer {
  if (!(error instanceof AppError) || !POLLING.has(error.code)) throw error;
  const { code, message, status } = error;
  return jsonAnswer({ error: { code, message } }, status, NO_STORE);
}
