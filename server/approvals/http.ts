/** The agent API for questions to people that are not about a call. */
import { type AgentRoute, jsonAnswer } from "../access/agent-api-types.ts";
import { readJson } from "../access/read-json.ts";
import type { Bus } from "../events/index.ts";
import type { MaskingInForce } from "../masking/index.ts";
import type { Database } from "../platform/db.ts";
import { QUESTIONS_HOUR_MAX, QUESTIONS_OPEN_MAX, questionRequest, questionView } from "./question-schema.ts";
import { createQuestions } from "./questions.ts";

const JSON_TYPE = "application/json";

export interface QuestionRoutesOptions {
  readonly db: Database;
  readonly bus: Bus;
  readonly masking: Pick<MaskingInForce, "of">;
}

export function questionRoutes({ db, bus, masking }: QuestionRoutesOptions): readonly AgentRoute[] {
  const questions = createQuestions({ pool: db.pool, bus, masking });
  return [
    {
      method: "POST",
      path: "/api/v1/questions",
      access: "agent:dispatch",
      takes: [JSON_TYPE],
      loadClass: () => "report",
      async handle(request) {
        const view = await questions.ask(request.actor, readJson(await request.body(), questionRequest));
        return jsonAnswer(view, 200, { "cache-control": "no-store" });
      },
      docs: {
        summary: `Asks people a question; the same question again within an hour reads its answer. At most ${QUESTIONS_OPEN_MAX} are open at once, and ${QUESTIONS_HOUR_MAX} are asked in an hour. An answer lets no call pass.`,
        body: { [JSON_TYPE]: questionRequest },
        answers: { 200: { description: "The question and its answer so far.", body: { [JSON_TYPE]: questionView } } },
        errors: ["too_many_questions", "not_utf8", "too_deep", "too_many_keys", "too_many_values"],
      },
    },
  ];
}
