/** The input of a run or a case, from JSON text. */

import { type HookInput, hookInput } from "@quarterdeck/hooks/contract/input";
import { parseInputJson } from "../access/json-text.ts";
import { AppError } from "../errors/app-error.ts";

const PROBLEMS_MAX = 20;

/**
 * Parses `text` as hook input, unchanged: unknown fields stay.
 *
 * Errors: `not_json`, `too_deep`, `too_many_keys`; `invalid_input` with a JSON pointer for each field of a wrong type.
 */
export function inputOf(text: string): HookInput {
  const value = parseInputJson(text);
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new AppError("invalid_input", undefined, { says: "A hook input is a JSON object.", pointer: "" });
  const parsed = hookInput.safeParse(value);
  // Holds: the schema changes nothing, so accepted input has its type; the schema's copy would lose unusual names.
  if (parsed.success) return value as HookInput;
  const problems = parsed.error.issues.slice(0, PROBLEMS_MAX).map(({ path, message }) => ({
    path: path.map((step) => `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`).join(""),
    message: message.replace(/^Invalid input: /, ""),
  }));
  const first = problems[0];
  const says = first ? `${first.path.slice(1)}: ${first.message}.` : "This is no hook input.";
  throw new AppError("invalid_input", undefined, { says, problems });
}
