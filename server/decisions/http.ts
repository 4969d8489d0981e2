/** The agent API's way to the agent's own denials, and the shapes of a download. */
import { z } from "zod";
import { type AgentRoute, jsonAnswer } from "../access/agent-api-types.ts";
import { AppError } from "../errors/app-error.ts";
import type { Database } from "../platform/db.ts";
import { DENIAL_DAYS, DENIALS_MAX, type DenialsQuery, denialsQuery, denialsView } from "./denial-schema.ts";
import { listDenials } from "./denials.ts";

export {
  type CallsDownload,
  type CallsExportPart,
  callsDownload,
  callsExportPart,
  EXPORT_CALLS_MAX,
} from "./calls-export-schema.ts";

export function denialRoutes({ db }: { readonly db: Database }): readonly AgentRoute[] {
  return [
    {
      method: "GET",
      path: "/api/v1/denials",
      access: "agent:policy",
      loadClass: () => "report",
      handle: async ({ actor, query }) =>
        jsonAnswer(await listDenials(db, actor, read(query)), 200, { "cache-control": "no-store" }),
      docs: {
        summary: `The latest denials of the calling agent, of ${DENIAL_DAYS} days: the rule, and its words.`,
        query: {
          session_id: { schema: z.string().max(1_000).optional(), description: "Only those of this session." },
          limit: {
            schema: z.int().min(1).max(DENIALS_MAX).optional(),
            description: "Maximum number, newest first. Default: 10.",
          },
        },
        answers: { 200: { description: "The denials.", body: { "application/json": denialsView } } },
        errors: ["invalid_input"],
      },
    },
  ];
}

/** Errors: `invalid_input`. */
function read(query: URLSearchParams): DenialsQuery {
  const parsed = denialsQuery.safeParse({
    session_id: query.get("session_id") ?? undefined,
    limit: query.get("limit") ?? undefined,
  });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new AppError("invalid_input", undefined, { says: `${issue?.path.join("/") ?? ""}: ${issue?.message ?? ""}` });
}
