/**
 * Parses a model's reply as a decision: one JSON object with one `decision`, alone or in a code fence. An object within other text
 * may be a quotation, so it counts only if it denies.
 */

import { topLevelKeys } from "../../contract/json-keys.ts";
import type { JudgeCause } from "../../contract/judge.ts";
import { goTrim } from "../../contract/trim.ts";

export const JUDGED = ["allow", "ask", "deny"] as const;

export interface Judgement {
  readonly decision: (typeof JUDGED)[number];
  readonly reason: string;
}

/** A reply that does not answer the question. */
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
 * Errors: a ReplyError for an empty reply, for no object or several objects, for fields that are not strings, for an unknown
 * decision, and for an ambiguous reply.
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

/** A code fence with an optional language name, and its content. */
const FENCED = /^```[a-zA-Z0-9]*[ \t]*\r?\n([\s\S]*)\n[ \t]*```$/;

/** The text from the first brace to the last. `isWhole` if the reply, or its fence, has no other text. */
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

/** The normalized text: letters that differ in case, width or form become equal. */
const folded = (text: string): string =>
  text
    .normalize("NFKC")
    .replaceAll(/[\p{Cf}\p{M}\s]/gu, "")
    .toLowerCase();

/** The word in lower case; "" unless all letters are Latin, whose case has no other forms. */
function verdictWord(said: string): string {
  const word = goTrim(said);
  return /^[a-zA-Z]+$/.test(word) ? word.toLowerCase() : "";
}

/** True if a value is a verdict, or has a field with that name at any depth. */
function holdsVerdict(value: unknown): boolean {
  if (typeof value === "string") return JUDGED.some((known) => known === folded(value));
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([key, inner]) => folded(key) === "decision" || holdsVerdict(inner));
}

function parsed(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>; // holds: the text starts with a brace
  } catch (error) {
    throw unparsable(`parse decision json: ${error instanceof Error ? error.message : "no JSON"}`);
  }
}
