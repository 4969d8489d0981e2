/** The JSON text of an input for the form: its value, and its errors with their places. Pure. */
import { hookInput } from "@quarterdeck/hooks/contract/input";

export interface ReadInput {
  /** Null while the text is no JSON object. */
  readonly value: Readonly<Record<string, unknown>> | null;
  readonly problems: readonly InputProblem[];
}

export interface InputProblem {
  /** A JSON pointer; "" for the whole. */
  readonly pointer: string;
  readonly message: string;
}

export function readInput(text: string): ReadInput {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : "it cannot be read";
    return { value: null, problems: [{ pointer: "", message: `Invalid JSON: ${why}` }] };
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return { value: null, problems: [{ pointer: "", message: "The input must be a JSON object." }] };
  const parsed = hookInput.safeParse(value);
  const problems = (parsed.error?.issues ?? []).map(({ path, message }) => ({
    pointer: path.map((step) => `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`).join(""),
    message: message.replace(/^Invalid input: /, ""),
  }));
  return { value: value as Record<string, unknown>, problems }; // holds: an object that is no array
}

/** The text with one field put, or taken away for undefined; every other field stays where it is. */
export function withField(value: Readonly<Record<string, unknown>>, field: string, next: unknown): string {
  const rest = Object.entries({ ...value, [field]: next }).filter(([, one]) => one !== undefined);
  return JSON.stringify(Object.fromEntries(rest), null, 2);
}
