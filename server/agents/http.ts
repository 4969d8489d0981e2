/** The route by which a machine joins a workspace: `POST /api/v1/join`. */
import { z } from "zod";
import { type AgentRoute, jsonAnswer } from "../access/agent-api-types.ts";
import { readJson } from "../access/read-json.ts";
import { AppError } from "../errors/app-error.ts";
import type { Bus } from "../events/index.ts";
import type { AnswerKeys } from "../platform/answer-keys.ts";
import type { Database } from "../platform/db.ts";
import { joinedView, joinRequest } from "./enrolment-token-schema.ts";
import { join } from "./join.ts";

const BEARER = /^bearer +(\S+) *$/i;

export interface EnrolmentRoutesOptions {
  readonly db: Database;
  readonly bus: Bus;
  readonly answerKeys: Pick<AnswerKeys, "complete">;
}

export function enrolmentRoutes({ db, bus, answerKeys }: EnrolmentRoutesOptions): readonly AgentRoute[] {
  return [
    {
      method: "POST",
      path: "/api/v1/join",
      access: "open",
      takesCredentials: true,
      takes: ["application/json"],
      async handle(request) {
        const wanted = readJson(await request.body(), joinRequest);
        const [, token = ""] = BEARER.exec(request.header("authorization") ?? "") ?? [];
        if (token === "") throw new AppError("enrolment_token_invalid");
        const joined = await join(db, bus, token, wanted);
        const key = answerKeys.complete(joined.key);
        return jsonAnswer({ ...joined, key }, 201, { "cache-control": "no-store" });
      },
      docs: {
        summary:
          "Exchanges an enrolment token, as `Authorization: Bearer qdj_...`, for an agent with a key of its own.",
        headers: {
          Authorization: { schema: z.string().optional(), description: "`Bearer` and the enrolment token." },
        },
        body: { "application/json": joinRequest },
        answers: {
          201: {
            description: "The new agent. Its key is shown this once.",
            body: { "application/json": joinedView },
          },
        },
        errors: [
          ...(["enrolment_token_invalid", "enrolment_token_over", "name_taken", "too_many_attempts"] as const),
          ...(["database_away", "database_busy"] as const),
        ],
      },
    },
  ];
}
