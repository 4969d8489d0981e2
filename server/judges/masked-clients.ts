/**
 * Clients that send no more than the workspace stores. Questions of gates are masked before they are recorded; this also covers those
 * from older records, in trials, known calls and backtests.
 */
import type { EvaluatorClient, Masking, ModelClient } from "@quarterdeck/hooks";
import { parseExactJson, printExactJson } from "@quarterdeck/hooks/contract/exact-json";

/** Errors: those of the database; then the question is not asked. */
type MaskingOf = () => Promise<Masking>;

export function maskedModels(client: ModelClient, maskingOf: MaskingOf): ModelClient {
  return {
    async ask(question, signal) {
      const { ownOnly } = await maskingOf();
      return client.ask({ ...question, user: ownOnly.text(question.user) }, signal);
    },
  };
}

export function maskedEvaluators(client: EvaluatorClient, maskingOf: MaskingOf): EvaluatorClient {
  return {
    defaultAgentOf: client.defaultAgentOf,
    evaluatorOf(name, agent, defined) {
      const evaluator = client.evaluatorOf(name, agent, defined);
      return (
        evaluator && {
          ...evaluator,
          async evaluate(question, signal) {
            const { ownOnly } = await maskingOf();
            const json = printExactJson(question.state);
            const safe = ownOnly.json(json, "input");
            // Holds: masking keeps the shape of a JSON text.
            const state = safe === json ? question.state : (parseExactJson(safe) as typeof question.state);
            return evaluator.evaluate({ ...question, state }, signal);
          },
        }
      );
    },
  };
}
