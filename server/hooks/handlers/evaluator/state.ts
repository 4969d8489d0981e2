/** The data that an evaluator is sent: nothing else of the input leaves the executor. */
import type { HookInput } from "../../contract/input.ts";

type State = Readonly<Record<string, unknown>>;

/** The tool call, for a verdict. */
export function guardState({ tool_name, tool_input, tool_category }: HookInput): State {
  return { tool_name: tool_name ?? "", tool_input: tool_input ?? null, tool_category: tool_category ?? "" };
}

const OPTIONAL = ["previous_output", "output", "conversation"] as const;

/** The task, for a route: the request always, the rest where there is any. */
export function routingState(input: HookInput): State {
  const given = OPTIONAL.map((field) => [field, input[field]] as const).filter(([, value]) => !isEmpty(value));
  return { input: typeof input.input === "string" ? input.input : "", ...Object.fromEntries(given) };
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0);
