import { type HookInput, hookInput } from "@quarterdeck/hooks/contract/input";
import { AppError } from "../errors/app-error.ts";

/**
 * Checks `value` as hook input and returns it unchanged: unknown fields stay, also those with names like `__proto__`.
 *
 * Errors: `invalid_input` with a JSON pointer to the first field of a wrong type; `within` is the pointer of `value`.
 */
export function parseHookInput(value: unknown, within = ""): HookInput {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new AppError("invalid_input", undefined, { says: "A hook input is a JSON object.", pointer: within });
  const parsed = hookInput.safeParse(value);
  // Holds: the schema changes nothing, so accepted input has its type; the schema's copy would lose unusual names.
  if (parsed.success) return value as HookInput;
  throw invalidInputError(parsed.error.issues[0], within);
}

/** The refusal for the first thing zod complains about. */
export function invalidInputError(
  issue: { readonly path: readonly PropertyKey[]; readonly message: string } | undefined,
  within = "",
): AppError {
  const path = issue?.path ?? [];
  const pointer = within + path.map((step) => `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
  const what = (issue?.message ?? "wrong type").replace(/^Invalid input: /, "");
  return new AppError("invalid_input", undefined, { says: `${pointer.slice(1) || "The input"}: ${what}.`, pointer });
}
