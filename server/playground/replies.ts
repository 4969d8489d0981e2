/** The clients for trying a policy: those that ask no model, and those that play back a case's stored replies. */
import { type EvaluatorAnswer, type EvaluatorClient, EvaluatorRefusal, JudgeRefusal } from "@quarterdeck/hooks";
import { z } from "zod";
import type { JudgeReply } from "./schema.ts";
import type { JudgeClients } from "./world.ts";

const UNASKED = "not asked: the playground asks judges only on request";

/** Clients that ask no model and call `onUnasked` with the path of each hook that would ask. */
export function unaskedClients(onUnasked: (path: string) => void): JudgeClients {
  return storedClients([], onUnasked);
}

/** Clients that play back a case's stored reply for the hook, by path or else by name, and otherwise ask no model. */
export function storedClients(replies: readonly JudgeReply[], onUnasked: (path: string) => void): JudgeClients {
  const storedFor = ({ path, name }: { readonly path: string; readonly name: string }) => {
    const stored = replies.find(({ hook }) => hook === path) ?? replies.find(({ hook }) => hook === name);
    if (!stored) onUnasked(path);
    return stored;
  };
  return {
    models: {
      async ask({ asker }) {
        const stored = storedFor(asker);
        if (!stored) throw new JudgeRefusal("cancelled", UNASKED);
        if ("fails" in stored) throw new JudgeRefusal(stored.fails, failsBy(stored.fails));
        return { text: stored.reply };
      },
    },
    evaluators: evaluatorsOf(async ({ asker }) => {
      const stored = storedFor(asker);
      // Final, because an evaluator that was not asked chooses no route.
      if (!stored) throw new EvaluatorRefusal(UNASKED, "cancelled");
      if ("fails" in stored) throw new JudgeRefusal(stored.fails, failsBy(stored.fails));
      return answerOf(stored.reply);
    }),
  };
}

const failsBy = (cause: string): string => `the case says that it fails: ${cause}`;

type Evaluate = NonNullable<ReturnType<EvaluatorClient["evaluatorOf"]>>["evaluate"];

const evaluatorsOf = (evaluate: Evaluate): EvaluatorClient => ({
  evaluatorOf: (_name, _agent, defined) =>
    defined && { model: `${defined.provider}/${defined.model}`, instructions: defined.instructions, evaluate },
  defaultAgentOf: (_agent, defined) => defined?.default_agent,
});

/** An evaluator's reply as a record has it. */
const storedAnswer = z.object({
  type: z.string().optional(),
  choice: z.string().optional(),
  probability: z.number().optional(),
  probabilities: z.record(z.string(), z.number()).optional(),
});

function answerOf(reply: string): EvaluatorAnswer {
  try {
    const read = storedAnswer.safeParse(JSON.parse(reply));
    if (read.success) return read.data;
  } catch {
    // No JSON: as unusable as JSON of another shape.
  }
  throw new JudgeRefusal("unparsable", "the stored reply is no answer of an evaluator");
}
