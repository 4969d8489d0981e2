/** The data that is sent to an evaluator. No other input leaves the executor. */
import { parseExactJson, printExactJson } from "../../contract/exact-json.ts";
import type { HookInput } from "../../contract/input.ts";

type State = Readonly<Record<string, unknown>>;

/** The tool call, for a verdict. */
export function guardState({ tool_name, tool_input, tool_category }: HookInput): State {
  return { tool_name: tool_name ?? "", tool_input: tool_input ?? null, tool_category: tool_category ?? "" };
}

const OPTIONAL = ["previous_output", "output", "conversation"] as const;

/** The task, for a route: always the request, and other fields if present. */
export function routingState(input: HookInput): State {
  const given = OPTIONAL.map((field) => [field, input[field]] as const).filter(([, value]) => !isEmpty(value));
  return { input: typeof input.input === "string" ? input.input : "", ...Object.fromEntries(given) };
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0);

export type RedactState = (json: string, input: HookInput) => string | Promise<string>;

/** The state with its JSON text redacted. `redact` keeps the structure of a JSON text. */
export async function redactState(state: State, input: HookInput, redact: RedactState): Promise<State> {
  const json = printExactJson(state);
  const redacted = await redact(json, input);
  return redacted === json ? state : (parseExactJson(redacted) as State); // holds: the structure is kept
}
