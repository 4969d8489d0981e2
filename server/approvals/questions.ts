/**
 * A question that an agent asks people: a request on the Approvals page like that of a call, answered by yes or no and
 * text. It belongs to no call and no rule, so its answer allows nothing.
 */
import { listSecrets, type Masking } from "@quarterdeck/hooks";
import { truncateText } from "@quarterdeck/hooks/contract/truncate-text";
import type { AgentActor } from "../access/actor.ts";
import { AppError } from "../errors/app-error.ts";
import type { Bus } from "../events/index.ts";
import type { MaskingInForce } from "../masking/index.ts";
import type { Pool } from "../platform/db.ts";
import { uuidv7 } from "../platform/ids.ts";
import { sha256 } from "../platform/secrets.ts";
import { principalOfCall } from "../principals/index.ts";
import { indexKeyText, pgText } from "../recording/index.ts";
import { bindingOf, type CallBinding } from "./binding.ts";
import { createLeases } from "./leases.ts";
import {
  QUESTION_TOOL,
  QUESTIONS_HOUR_MAX,
  QUESTIONS_OPEN_MAX,
  type QuestionRequest,
  type QuestionView,
} from "./question-schema.ts";
import { countQuestions, findQuestion, type QuestionRow } from "./questions-repository.ts";
import * as approvals from "./repository.ts";
import { askInTransaction } from "./request-queue.ts";

/** A question can be answered for an hour, and its answer read for as long. */
const QUESTION_MS = 60 * 60_000;
const RETRY_SECONDS = 60;

export interface Questions {
  /**
   * The state of the question: asked now, or earlier with the same words in the session. Errors: `too_many_questions`,
   * `invalid_input` when the session's name is a secret; those of the database.
   */
  ask(actor: AgentActor, asked: QuestionRequest): Promise<QuestionView>;
}

interface QuestionsWorld {
  readonly pool: Pool;
  readonly bus: Bus;
  readonly masking: Pick<MaskingInForce, "of">;
}

export function createQuestions({ pool, bus, masking }: QuestionsWorld): Questions {
  // Nobody is held open for an answer, so no lease is ever taken.
  const leases = createLeases(pool);

  async function request(actor: AgentActor, question: string, bound: CallBinding): Promise<void> {
    const { workspaceId } = actor;
    const asking = requestOf(actor, question, bound, await masking.of(workspaceId));
    const isNew = await approvals.inTransaction(pool, async (client) => {
      await approvals.lockRequests(client, workspaceId);
      const { open, lately } = await countQuestions(client, workspaceId, actor.id, QUESTION_TOOL);
      // The same one, through another gateway a moment ago.
      if (await findQuestion(client, workspaceId, actor.id, bound)) return false;
      if (open >= QUESTIONS_OPEN_MAX || lately >= QUESTIONS_HOUR_MAX) throw tooMany(actor);
      const turn = { request: asking, gate: "question" };
      const [asked] = await askInTransaction(client, leases, workspaceId, [turn]);
      if (asked?.kind === "too_many") throw tooMany(actor);
      return true;
    });
    if (isNew) bus.tell(workspaceId, ["approvals"]);
  }

  return {
    async ask(actor, { question, session_id }) {
      if (listSecrets(session_id).length > 0)
        throw new AppError("invalid_input", undefined, {
          says: "/session_id: a session that is named by a secret cannot stand on record.",
          pointer: "/session_id",
        });
      const bound = bindQuestion(question, session_id);
      const find = () => findQuestion(pool, actor.workspaceId, actor.id, bound);
      const known = await find();
      if (known) return viewOf(known);
      await request(actor, question, bound);
      const made = await find();
      if (made === null) throw new Error("a question is gone that was asked just now");
      return viewOf(made);
    },
  };
}

/**
 * The binding cannot match any call: the binding text of a call's input begins with a brace. Otherwise a yes would
 * allow a call of a tool with the name of questions.
 */
const bindQuestion = (question: string, sessionId: string): CallBinding => ({
  ...bindingOf({ session_id: sessionId, tool_name: QUESTION_TOOL }),
  inputSha256: sha256(`question ${question}`),
});

const tooMany = ({ id }: AgentActor) => new AppError("too_many_questions", id, { retryAfterSeconds: RETRY_SECONDS });

function requestOf(actor: AgentActor, question: string, bound: CallBinding, masking: Masking): approvals.NewRequest {
  const id = uuidv7();
  const masked = pgText(masking.text(question));
  const input = pgText(masking.json(JSON.stringify({ question }), "tool_input"));
  return {
    ...bound,
    ...{ id, callId: id, isWaiting: false, agentId: actor.id, agentName: indexKeyText(actor.name) },
    principal: principalOfCall(actor, { session_id: bound.sessionId }),
    ...{ input, isWhole: input === JSON.stringify({ question }), cwd: "", reason: truncateText(masked, 4_000) },
    ...{ askedBy: [], risk: "", peopleNeeded: 1, forMs: QUESTION_MS },
  };
}

const STATES = {
  pending: "open",
  approved: "allowed",
  denied: "denied",
  withdrawn: "withdrawn",
  lapsed: "lapsed",
} as const satisfies Record<QuestionRow["state"], QuestionView["state"]>;

function viewOf(row: QuestionRow): QuestionView {
  const state = row.state === "pending" && row.isOver ? "lapsed" : STATES[row.state];
  return {
    ...{ number: row.number, state, answer: sentenceOf(state, row) },
    ...{ asked_at: row.askedAt.toISOString(), expires_at: row.expiresAt.toISOString() },
  };
}

function sentenceOf(state: QuestionView["state"], { number, people, words }: QuestionRow): string {
  const who = people.length > 0 ? people.join(" and ") : "Somebody";
  const said = words === "" ? "." : `: ${words}`;
  switch (state) {
    case "open":
      return `QD-${number} is waiting for a person. Ask the same question again to read the answer.`;
    case "allowed":
      return `${who} said yes (QD-${number})${said}`;
    case "denied":
      return `${who} said no (QD-${number})${said}`;
    case "withdrawn":
      return `${who} said yes and withdrew it (QD-${number}).`;
    case "lapsed":
      return `QD-${number} was not answered in time.`;
  }
}
