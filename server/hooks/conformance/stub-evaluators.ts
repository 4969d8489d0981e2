/** Evaluator stubs that return a case's scripted answers and record their questions. */
import { setTimeout as wait } from "node:timers/promises";
import { type Evaluator, type EvaluatorAnswer, type EvaluatorClient, EvaluatorRefusal } from "../index.ts";
import type { EvaluatorStub, EvaluatorStubs } from "./cases.ts";

export interface EvaluatorCall {
  readonly evaluator: string;
  readonly agent: string;
  readonly state: Readonly<Record<string, unknown>>;
}

export function stubEvaluators(
  stubs: EvaluatorStubs,
  defaultAgent: string | undefined,
  calls: EvaluatorCall[],
): EvaluatorClient {
  const stubOf = (name: string, agent: string): EvaluatorStub | undefined => {
    const stub = Object.hasOwn(stubs, name) ? stubs[name] : undefined;
    if (!stub || !("agents" in stub)) return stub;
    return Object.hasOwn(stub.agents, agent) ? stub.agents[agent] : undefined;
  };
  return {
    defaultAgentOf: () => defaultAgent,
    evaluatorOf(name, agent) {
      const stub = stubOf(name, agent);
      return stub && stubbed(stub, (state) => calls.push({ evaluator: name, agent, state }));
    },
  };
}

function stubbed(stub: EvaluatorStub, asked: (state: EvaluatorCall["state"]) => void): Evaluator {
  return {
    model: "stub",
    async evaluate({ state }, signal) {
      asked(JSON.parse(JSON.stringify(state)) as EvaluatorCall["state"]); // holds: an object of JSON
      if (stub.delay_ms) await wait(stub.delay_ms, undefined, { signal });
      if (stub.terminal_error !== undefined) throw new EvaluatorRefusal(stub.terminal_error);
      if (stub.error !== undefined) throw new Error(stub.error);
      return stub.result ? answerOf(stub.result) : null;
    },
  };
}

function answerOf(result: NonNullable<EvaluatorStub["result"]>): EvaluatorAnswer {
  const { probability, probabilities, ...rest } = result;
  const numbers = Object.entries(probabilities ?? {}).map(([choice, value]) => [choice, Number(value)]);
  return {
    ...rest,
    ...(probability !== undefined && { probability: Number(probability) }),
    ...(probabilities && { probabilities: Object.fromEntries(numbers) }),
  };
}
