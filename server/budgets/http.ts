/** The agent API for the budgets of the calling agent. */
import { z } from "zod";
import { type AgentRoute, jsonAnswer } from "../access/agent-api-types.ts";
import { AppError } from "../errors/app-error.ts";
import type { Database } from "../platform/db.ts";
import { type AgentBudgetsQuery, agentBudgetsQuery, agentBudgetsView } from "./agent-budget-schema.ts";
import { agentBudgets } from "./agent-budgets.ts";

export function budgetRoutes({ db }: { readonly db: Database }): readonly AgentRoute[] {
  return [
    {
      method: "GET",
      path: "/api/v1/budgets",
      access: "agent:policy",
      loadClass: () => "report",
      handle: async ({ actor, query }) =>
        jsonAnswer(await agentBudgets(db, actor, read(query)), 200, { "cache-control": "no-store" }),
      docs: {
        summary: "The budgets that the calling agent spends from, and what is left of each.",
        query: {
          session_id: {
            schema: z.string().max(1_000).optional(),
            description: "With it, also what this session has left of budgets for each session.",
          },
        },
        answers: { 200: { description: "The budgets, by name.", body: { "application/json": agentBudgetsView } } },
        errors: ["invalid_input"],
      },
    },
  ];
}

/** Errors: `invalid_input`. */
function read(query: URLSearchParams): AgentBudgetsQuery {
  const parsed = agentBudgetsQuery.safeParse({ session_id: query.get("session_id") ?? undefined });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new AppError("invalid_input", undefined, { says: `${issue?.path.join("/") ?? ""}: ${issue?.message ?? ""}` });
}
