/** Parses a model's reply as a guard's decision: one JSON object with exactly two keys and no other text. */
import { repeatedKey } from "../../contract/json-keys.ts";
import { goTrim } from "../../contract/trim.ts";
import { ReplyError } from "./reply.ts";

export interface GuardDecision {
  readonly decision: "allow" | "deny";
  readonly reason: string;
}

const KEYS = ["decision", "reason"];

/** Errors: a ReplyError unless the reply is an object with the two keys, each once and of the right type. */
export function readGuardDecision(reply: string): GuardDecision {
  const text = goTrim(reply);
  if (text === "") throw new ReplyError("empty", "empty model reply");
  const fields = parsed(text);
  const repeated = repeatedKey(text);
  if (repeated !== undefined) throw unreadable(`the key ${JSON.stringify(repeated)} is there twice`);
  const stray = Object.keys(fields).find((key) => !KEYS.includes(key));
  if (stray !== undefined) throw unreadable(`unknown key ${JSON.stringify(stray)}`);
  const { decision, reason } = fields;
  if (decision !== "allow" && decision !== "deny") throw unreadable("decision must be allow or deny");
  if (typeof reason !== "string") throw unreadable("reason must be a text");
  return { decision, reason };
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw unreadable("the reply is not one JSON object");
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw unreadable("the reply is not one JSON object");
  return value as Readonly<Record<string, unknown>>; // holds: an object of JSON
}

const unreadable = (message: string) => new ReplyError("unparsable", `parse guard decision: ${message}`);
