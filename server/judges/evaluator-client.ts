/** Puts the questions of evaluator hooks to the evaluators that their policies define, over the workspace's connections. */
import {
  type Evaluator,
  type EvaluatorAnswer,
  type EvaluatorClient,
  type EvaluatorQuestion,
  EvaluatorRefusal,
  JudgeRefusal,
} from "@quarterdeck/hooks";
import { VERDICT_CACHE } from "@quarterdeck/hooks/contract/judge";
import type { ResolvedEvaluator } from "@quarterdeck/hooks/contract/resolved-evaluator";
import { timeLimit } from "@quarterdeck/hooks/contract/time-limit";
import { z } from "zod";
import { type AskOptions, accountsOf, askConnection, type ConnectedModel, connectedModel } from "./ask-connection.ts";
import { askEvaluator, evaluatorRequest } from "./ask-evaluator.ts";
import type { Budget } from "./model-client.ts";
import type { Endpoint } from "./provider-answer.ts";
import type { Account } from "./repository.ts";
import { EVALUATOR_PROVIDER } from "./schema.ts";
import { evaluationKey, type VerdictCache } from "./verdict-cache.ts";

interface CachedAskOptions extends AskOptions {
  readonly cache: VerdictCache;
}

/** The evaluators of one workspace's policies. With a budget, their questions count against it and against their connection. */
export function createEvaluatorClient(
  workspaceId: string,
  options: CachedAskOptions,
  budget?: Budget,
): EvaluatorClient {
  return {
    evaluatorOf: (_name, _agent, defined) => defined && evaluatorOf(workspaceId, defined, options, budget),
    defaultAgentOf: (_agent, defined) => defined?.default_agent,
  };
}

function evaluatorOf(
  workspaceId: string,
  evaluator: ResolvedEvaluator,
  options: CachedAskOptions,
  budget?: Budget,
): Evaluator {
  const model = `${evaluator.provider}/${evaluator.model}`;
  return {
    model,
    instructions: evaluator.instructions,
    async evaluate({ state, asker }, signal) {
      const advice = "add a connection of the provider TypeSafe on the Judges page";
      const found = await connectedModel(options, workspaceId, model, advice);
      return askReusing(workspaceId, { evaluator, state, asker }, options, async () => {
        if (budget) {
          const onSpent = (account: Account) => budget.spent(account === budget ? "budget" : "cap");
          const accounts = [found.connection, budget];
          return ask(workspaceId, found, { evaluator, state, accounts }, signal, { ...options, onSpent });
        }
        const accounts = await accountsOf(options, workspaceId, found.connection, asker);
        return ask(workspaceId, found, { evaluator, state, accounts }, signal, options);
      });
    },
  };
}

type Question = Pick<EvaluatorQuestion, "state" | "asker"> & { readonly evaluator: ResolvedEvaluator };

const keptAnswer = z.object({
  type: z.string().optional(),
  choice: z.string().optional(),
  probability: z.number().optional(),
  probabilities: z.record(z.string(), z.number()).optional(),
});

/**
 * The kept answer to the same question, else the answer of `ask`. Only guards keep an answer, so a route never has one.
 * A kept answer costs nothing and counts against no cap.
 */
async function askReusing(
  workspaceId: string,
  { evaluator, state, asker }: Question,
  { cache, connections }: CachedAskOptions,
  ask: () => Promise<EvaluatorAnswer>,
): Promise<EvaluatorAnswer> {
  const { origin, name } = asker;
  const [{ reusesVerdicts }, version] = await Promise.all([
    connections.capOf(workspaceId, origin.policy ?? "", name),
    connections.versionOf(workspaceId),
  ]);
  const key = reusesVerdicts ? evaluationKey(asker, evaluator, state, { workspaceId, version }) : null;
  if (key === null) return ask();
  const kept = cache.find(key);
  if (kept) {
    const answer = keptAnswer.parse(JSON.parse(kept.text));
    return { ...answer, ...(kept.model && { model: kept.model }), costNanoUsd: 0n, provider: VERDICT_CACHE };
  }
  const answer = await ask();
  const { type, choice, probability, probabilities, model } = answer;
  const text = JSON.stringify({ type, choice, probability, probabilities });
  return { ...answer, keep: (isAllow) => cache.keep(key, { text, model }, isAllow) };
}

export interface EvaluatorAsking {
  readonly evaluator: ResolvedEvaluator;
  readonly state: Readonly<Record<string, unknown>>;
  readonly accounts: readonly Account[];
}

/** Asks an evaluator over one connection, within the evaluator's own time. Errors: a `JudgeRefusal`. */
export async function ask(
  workspaceId: string,
  found: ConnectedModel,
  { evaluator, state, accounts }: EvaluatorAsking,
  signal: AbortSignal,
  options: AskOptions & { onSpent?: (account: Account) => void },
): Promise<EvaluatorAnswer> {
  const { name, provider } = found.connection;
  if (provider !== EVALUATOR_PROVIDER)
    throw new JudgeRefusal("no_model", `the connection ${name} has no evaluators; use one of the provider TypeSafe`);
  const body = evaluatorRequest({ ...evaluator, model: found.modelId }, state);
  const ending = AbortSignal.any([signal, timeLimit(evaluator.timeout_ms)]);
  const question = {
    bytes: Buffer.byteLength(body),
    put: (endpoint: Endpoint) => askEvaluator(endpoint, evaluator, body, ending),
  };
  try {
    const { answer, costNanoUsd } = await askConnection(workspaceId, found, question, accounts, ending, options);
    const { usage } = answer;
    return { ...answer.answer, ...(usage && { usage }), costNanoUsd, provider: name };
  } catch (error) {
    // A route falls back after a provider's failure, but not after a spent budget.
    if (error instanceof JudgeRefusal && error.code === "over_budget") throw new EvaluatorRefusal(error.message);
    throw error;
  }
}
