import type { EventName, HookInput } from "@quarterdeck/hooks";
import { AppError } from "../errors/app-error.ts";
import { type Cost, memberSources, parseCost } from "../recording/index.ts";

/** The cost in an input's text, from its digits. Errors: `invalid_input` at /cost. */
export function readCost(event: EventName, input: HookInput, text: string): Cost | null {
  // The parsed input decides if there is a cost, whatever the escapes in its key; the text is read only for the digits.
  if (event !== "after_llm_call" || input.cost === undefined || input.cost === null) return null;
  const digits = memberSources(text).get("cost");
  if (digits === undefined || digits === "null") return null;
  const cost = parseCost(digits);
  if (typeof cost === "string") throw new AppError("invalid_input", undefined, { says: `${cost}.`, pointer: "/cost" });
  return cost;
}
