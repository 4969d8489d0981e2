/**
 * A model's reply, read as a decision: one JSON object with one `decision`, alone or in a code fence. An object with other text
 * around it can be a quotation, so it counts only where it denies.
 */

import { topLevelKeys } from "../../contract/json-keys.ts";
import type { JudgeCause } from "../../contract/judge.ts";
import { goTrim } from "../../contract/trim.ts";

export const JUDGED = ["allow", "ask", "deny"] as const;

export interface Judgement {
  readonly decision: (typeof JUDGED)[number];
  readonly reason: string;
}

/** A reply that is no answer to what was asked. */
export class ReplyError extends Error {
  readonly code: Extract<JudgeCause, "empty" | "unparsable">;

  constructor(code: ReplyError["code"], message: string) {
    super(message);
    this.name = "ReplyError";
    this.code = code;
  }
}

/**
 * The decision in a reply.
 *
 * Errors: a ReplyError for an empty reply, for no object, for more than one, for fields that are no texts, for a decision that is
 * none of the three, and for a reply that could be read in two ways.
 */
export function readJudgement(reply: string): Judgement {
  const { object, isWhole } = findObject(reply);
  const { decision: said, reason } = decodeDecision(object);
  const decision = JUDGED.find((known) => known === verdictWord(said));
  if (!decision) throw unparsable(`invalid decision ${JSON.stringify(said)} (want ${JUDGED.join("|")})`);
  if (!isWhole && decision !== "deny")
    throw unparsable(`the reply has text around its JSON object, so its "${decision}" may be a quotation`);
  return { decision, reason: goTrim(reason) || "no reason provided" };
}

const unparsable = (message: string) => new ReplyError("unparsable", message);

/** A code fence with at most the name of a language, and everything in it. */
const FENCED = /^```[a-zA-Z0-9]*[ \t]*\r?\n([\s\S]*)\n[ \t]*```$/;

/** From the first brace to the last; whole where nothing else is in the reply or its fence. */
function findObject(reply: string): { object: string; isWhole: boolean } {
  const text = goTrim(reply);
  if (text === "") throw new ReplyError("empty", "empty model reply");
  const inside = goTrim(FENCED.exec(text)?.[1] ?? text);
  const first = inside.indexOf("{");
  const last = inside.lastIndexOf("}");
  if (first < 0 || last < first) throw unparsable("no JSON object in reply");
  return { object: inside.slice(first, last + 1), isWhole: first === 0 && last === inside.length - 1 };
}

const FIELDS = ["decision", "reason"] as const;

function decodeDecision(text: string): { decision: string; reason: string } {
  const fields = parsed(text);
  const seen = new Set<string>();
  for (const key of topLevelKeys(text)) {
    const field = FIELDS.find((known) => known === folded(key));
    if (field !== undefined && field !== key)
      throw unparsable(`parse decision json: ${JSON.stringify(key)} is not written as "${field}"`);
    if (seen.has(key)) throw unparsable(`parse decision json: ${JSON.stringify(key)} is there twice`);
    seen.add(key);
  }
  const { decision, reason, ...others } = fields;
  if (Object.values(others).some((value) => holdsVerdict(value)))
    throw unparsable("parse decision json: another field holds a verdict, too");
  return { decision: textOf("decision", decision), reason: textOf("reason", reason) };
}

function textOf(field: string, value: unknown): string {
  if (value === undefined || value === null) return "";
  if (typeof value !== "string") throw unparsable(`parse decision json: ${field} is not a text`);
  return value;
}

/** The text in the form in which letters of another case, width or shape are equal. */
const folded = (text: string): string =>
  text
    .normalize("NFKC")
    .replaceAll(/[\p{Cf}\p{M}\s]/gu, "")
    .toLowerCase();

/** The word in small letters; "" for anything but Latin letters, whose case has no other forms. */
function verdictWord(said: string): string {
  const word = goTrim(said);
  return /^[a-zA-Z]+$/.test(word) ? word.toLowerCase() : "";
}

/** True if a value is a verdict, or has a field of that name somewhere in it. */
function holdsVerdict(value: unknown): boolean {
  if (typeof value === "string") return JUDGED.some((known) => known === folded(value));
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([key, inner]) => folded(key) === "decision" || holdsVerdict(inner));
}

function parsed(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>; // holds: it starts with a brace
  } catch (error) {
    throw unparsable(`parse decision json: ${error instanceof Error ? error.message : "no JSON"}`);
  }
}
