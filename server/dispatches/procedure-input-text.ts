/**
 * The original texts of an agent's input to a procedure, cut from the request body, because parsing loses digits of
 * numbers. These texts are recorded.
 */
import type { RequestBody } from "../access/request-body.ts";
import { AppError } from "../errors/app-error.ts";
import { elementSources, memberSources, parseCost } from "../recording/index.ts";

export interface ProcedureInputText {
  /** Errors: `invalid_input` for what JSON cannot say, and for a cost whose digits are lost. */
  input(parsed: object): string;
  /** The same of each event of a report. */
  events(parsed: readonly object[]): readonly string[];
}

const SAYS_NOTHING: ProcedureInputText = { input: printed, events: (parsed) => parsed.map(printed) };

/** The call's own part of `body`; without one, its values are printed. */
export function procedureInputText(body: RequestBody | undefined, batchIndex: number): ProcedureInputText {
  if (!body) return SAYS_NOTHING;
  const call = body.isBatch ? memberSources(body.text).get(String(batchIndex)) : body.text;
  const members = call === undefined ? undefined : memberSources(call);
  const json = members?.get("json");
  if (members === undefined || json === undefined) return SAYS_NOTHING;
  // Values with a type of their own (a Date, undefined) have another form in the text.
  const values: unknown = JSON.parse(memberSources(members.get("meta") ?? "{}").get("values") ?? "null");
  const isTyped = (field: string) => isNamed(values, field);
  return {
    input(parsed) {
      const source = memberSources(json).get("input");
      if (source === undefined) return printed(parsed);
      return isTyped("input") ? exact(source, parsed, "/input") : source;
    },
    events(parsed) {
      const source = memberSources(json).get("events");
      const sources = source === undefined ? [] : elementSources(source);
      if (sources.length !== parsed.length) return parsed.map(printed);
      return isTyped("events") ? parsed.map((event, at) => exactEvent(sources[at] ?? "{}", event, at)) : sources;
    },
  };
}

/** True if superjson's type tree has an entry at or below `field`, or holds more than paths. */
function isNamed(values: unknown, field: string): boolean {
  if (values === null) return false;
  if (typeof values !== "object" || Array.isArray(values)) return true;
  return Object.keys(values).some((path) => path === field || path.startsWith(`${field}.`));
}

function printed(value: object): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    const says = "The input holds values that JSON cannot say.";
    throw new AppError("invalid_input", undefined, { says, cause: error });
  }
}

/** The printed value, whose cost has all the digits that `source` has. */
function exact(source: string, value: object, pointer: string): string {
  const text = printed(value);
  const cost = memberSources(source).get("cost");
  if (cost === undefined || digitsOf(cost) === digitsOf(memberSources(text).get("cost") ?? "null")) return text;
  const says =
    "cost has more digits than are kept beside values with a type of their own. Send the input as plain JSON.";
  throw new AppError("invalid_input", undefined, { says, pointer: `${pointer}/cost` });
}

function exactEvent(source: string, event: object, at: number): string {
  const input = memberSources(source).get("input");
  const value: unknown = Reflect.get(event, "input");
  if (input?.startsWith("{") && typeof value === "object" && value !== null) exact(input, value, `/events/${at}/input`);
  return printed(event);
}

/** A text that is no amount is compared as it is written. */
function digitsOf(source: string): string {
  const cost = parseCost(source);
  return typeof cost === "string" ? source : cost.usd.replace(/(\.\d*?)0+$/, "$1");
}
