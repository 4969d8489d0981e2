/** The agent that a hook of a control event chose, and the hook or the evaluator that chose it. */
import { contractOf, EVENTS, type EventName, WIDEST_PROFILE } from "@quarterdeck/hooks/contract/events";
import { z } from "zod";
import { wordIn } from "./word-schema.ts";

/** Events on which a hook may transfer the run to another agent. */
export const CONTROL_EVENTS: readonly string[] = (Object.keys(EVENTS) as EventName[]) // holds: its own keys
  .filter((event) => contractOf(event, WIDEST_PROFILE).control);

const answer = z.looseObject({
  hook_specific_output: z.looseObject({
    transition: z.looseObject({ agent: z.string().min(1) }),
    metadata: z.record(z.string(), z.unknown()).nullish().catch(null),
  }),
});
const hooks = z.array(z.looseObject({ name: z.string(), said: z.string() }));

export interface Route {
  readonly agent: string;
  /** The hook that chose it; null where none is stored. */
  readonly hook: string | null;
  readonly evaluator: string | null;
  readonly choice: string | null;
  /** The reason why the evaluator's answer was not used and the default agent works. */
  readonly fallback: string | null;
}

/** The route in the stored answer of a control event; null without one, or if the answer is truncated. */
export function routeOf(answerText: string | null, hooksText: string | null): Route | null {
  const specific = answer.safeParse(parsed(answerText)).data?.hook_specific_output;
  if (!specific) return null;
  const { metadata } = specific;
  const metadataText = (name: string) => {
    const value = metadata?.[name];
    return typeof value === "string" && value !== "" ? value : null;
  };
  return {
    agent: specific.transition.agent,
    hook: hooks.safeParse(parsed(hooksText)).data?.find(({ said }) => said === "route")?.name ?? null,
    evaluator: metadataText("evaluator"),
    choice: metadataText("evaluator_choice"),
    fallback: metadataText("fallback_reason"),
  };
}

/** The reasons for the default agent in spite of an evaluator; another word as it is stored. */
const FALLBACKS: Readonly<Record<string, string>> = {
  evaluator_failed: "the evaluator failed",
  invalid_result: "its answer was not valid",
  unknown_choice: "its choice has no route",
  tie: "two choices were equally likely",
  below_threshold: "its choice was not likely enough",
};

/** "Routed to writer by evaluator topics: billing". */
export function routeWords({ agent, hook, evaluator, choice, fallback }: Route): string {
  const by = evaluator !== null ? ` by evaluator ${evaluator}` : hook !== null ? ` by hook ${hook}` : "";
  if (fallback !== null) return `Routed to ${agent}${by}, as the default: ${wordIn(FALLBACKS, fallback)}`;
  return `Routed to ${agent}${by}${choice === null ? "" : `: ${choice}`}`;
}

function parsed(json: string | null): unknown {
  if (json === null) return null;
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}
