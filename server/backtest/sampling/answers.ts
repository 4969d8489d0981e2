/**
 * The answers of judges in a backtest. Each question is asked once in a run: its answer is stored as it arrives, and an equal question
 * gets the same answer at no cost.
 */
import {
  type Evaluator,
  type EvaluatorClient,
  JudgeRefusal,
  type ModelClient,
  type ModelQuestion,
  redactText,
} from "@quarterdeck/hooks";
import { printExactJson } from "@quarterdeck/hooks/contract/exact-json";
import { VERDICT_CACHE } from "@quarterdeck/hooks/contract/judge";
import { z } from "zod";
import type { Pool } from "../../platform/db.ts";
import { uuidv7 } from "../../platform/ids.ts";
import { sha256 } from "../../platform/secrets.ts";
import { indexKeyText, JUDGE_KEY_MAX, pgText } from "../../recording/index.ts";
import type { RunKey } from "./sample-repository.ts";

/** The questions of one call. */
export interface QuestionCounts {
  asked: number;
  reused: number;
}

/** The call that asks, with its counts. */
export interface AskingCall {
  readonly agentName: string;
  readonly sessionId: string;
  readonly counts: QuestionCounts;
}

interface Known {
  readonly reply: string;
  readonly model: string | undefined;
}

interface Facts {
  readonly costNanoUsd?: bigint | null | undefined;
  readonly provider?: string | undefined;
  readonly model?: string | undefined;
}

export interface AnswerStore {
  /** The known answer to the question, else that of `ask`. Errors: those of `ask`. */
  once<Answer extends Facts>(question: StoredQuestion<Answer>): Promise<Answer>;
}

export interface StoredQuestion<Answer> {
  readonly key: string;
  readonly model: string;
  readonly call: AskingCall;
  ask(): Promise<Answer>;
  /** The stored text of an answer, and the answer of a stored text. */
  textOf(answer: Answer): string;
  known(found: Known): Answer;
}

const REPLY_CHARS_MAX = 16_384;

export function createAnswerStore(pool: Pool, run: RunKey): AnswerStore {
  /** The last asker of each question; settles without an error. */
  const underWay = new Map<string, Promise<void>>();
  return {
    async once(question) {
      const { key } = question;
      const before = underWay.get(key) ?? Promise.resolve();
      const answer = before.then(() => answerOnce(pool, run, question));
      const ended = answer.then(ignore, ignore);
      underWay.set(key, ended);
      await ended;
      if (underWay.get(key) === ended) underWay.delete(key);
      return answer;
    },
  };
}

const ignore = (): void => undefined;

async function answerOnce<Answer extends Facts>(
  pool: Pool,
  run: RunKey,
  { key, model, call, ask, textOf, known }: StoredQuestion<Answer>,
): Promise<Answer> {
  const { counts } = call;
  const found = await find(pool, run, key);
  if (found) {
    counts.reused += 1;
    return known(found);
  }
  try {
    const answer = await ask();
    if (answer.provider === VERDICT_CACHE) {
      counts.reused += 1;
      return answer;
    }
    counts.asked += 1;
    await insert(pool, run, { key, model, call, reply: textOf(answer), cause: "", facts: answer });
    return answer;
  } catch (error) {
    // A question without a provider was never put.
    if (error instanceof JudgeRefusal && error.spent.provider !== undefined) {
      counts.asked += 1;
      await insert(pool, run, { key, model, call, reply: null, cause: error.code, facts: error.spent });
    }
    throw error;
  }
}

async function find(pool: Pool, run: RunKey, key: string): Promise<Known | null> {
  const { rows } = await pool.query<{ reply: string; answered_by: string | null }>({
    name: "backtest_answer_find",
    text: `SELECT reply, answered_by FROM backtest_answer
           WHERE workspace_id = $1 AND run_id = $2 AND question = $3 AND reply IS NOT NULL LIMIT 1`,
    values: [run.workspaceId, run.id, key],
  });
  const [row] = rows;
  return row ? { reply: row.reply, model: row.answered_by ?? undefined } : null;
}

interface NewAnswer {
  readonly key: string;
  readonly model: string;
  readonly call: AskingCall;
  readonly reply: string | null;
  readonly cause: string;
  readonly facts: Facts;
}

async function insert(pool: Pool, run: RunKey, { key, model, call, reply, cause, facts }: NewAnswer): Promise<void> {
  const kept = reply === null ? null : pgText(redactText(reply));
  await pool.query({
    name: "backtest_answer_insert",
    text: `INSERT INTO backtest_answer (workspace_id, id, run_id, question, model, reply, answered_by, cost_nano, cause, agent_name, session_id)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    values: [
      ...[run.workspaceId, uuidv7(), run.id, key, indexKeyText(model, JUDGE_KEY_MAX)],
      // A reply that is cut could not be read.
      ...[kept !== null && kept.length <= REPLY_CHARS_MAX ? kept : null],
      ...[facts.model === undefined ? null : pgText(facts.model), facts.costNanoUsd?.toString() ?? null, cause],
      ...[call.agentName, call.sessionId],
    ],
  });
}

/** The question without its random mark; equal for both texts of a backtest. */
function keyOf({ model, schema, system, user, boundary }: ModelQuestion): string {
  const text = boundary === undefined ? user : user.replaceAll(boundary, "");
  return sha256(JSON.stringify(["model", model, schema?.name ?? "", system, text])).toString("hex");
}

const free = { costNanoUsd: 0n, provider: VERDICT_CACHE };

/** Asks `client` each question once. `now` says which call asks. */
export function onceModels(client: ModelClient, store: AnswerStore, now: () => AskingCall): ModelClient {
  return {
    ask: (question, signal) =>
      store.once({
        ...{ key: keyOf(question), model: question.model, call: now() },
        ask: () => client.ask(question, signal),
        textOf: ({ text }) => text,
        known: ({ reply, model }) => ({ ...free, text: reply, model }),
      }),
  };
}

const keptAnswer = z.object({
  type: z.string().optional(),
  choice: z.string().optional(),
  probability: z.number().optional(),
  probabilities: z.record(z.string(), z.number()).optional(),
});

/** The same for evaluators. */
export function onceEvaluators(client: EvaluatorClient, store: AnswerStore, now: () => AskingCall): EvaluatorClient {
  return {
    ...client,
    evaluatorOf(name, agent, defined) {
      const found = client.evaluatorOf(name, agent, defined);
      return found && onceEvaluator(found, defined ?? name, store, now);
    },
  };
}

function onceEvaluator(
  evaluator: Evaluator,
  definition: unknown,
  store: AnswerStore,
  now: () => AskingCall,
): Evaluator {
  return {
    ...evaluator,
    evaluate: (question, signal) =>
      store.once({
        key: sha256(`evaluation ${printExactJson([definition, question.state])}`).toString("hex"),
        ...{ model: evaluator.model, call: now() },
        async ask() {
          const answer = await evaluator.evaluate(question, signal);
          if (answer === null) throw new JudgeRefusal("provider_error", "the evaluator gave no answer");
          return answer;
        },
        textOf: ({ type, choice, probability, probabilities }) =>
          JSON.stringify({ type, choice, probability, probabilities }),
        known: ({ reply, model }) => ({ ...keptAnswer.parse(JSON.parse(reply)), ...free, model }),
      }),
  };
}
