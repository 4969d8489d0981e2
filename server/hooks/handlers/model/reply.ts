/** A model's reply, read as a decision. Tolerates fences and prose around the one JSON object, and nothing else. */
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
 * Errors: a ReplyError for an empty reply, for no object, for more than one, for fields that are no texts and for a
 * decision that is none of the three.
 */
export function readJudgement(reply: string): Judgement {
  const { decision: said, reason } = decodeDecision(objectText(reply));
  const decision = JUDGED.find((known) => known === goTrim(said).toLowerCase());
  if (!decision) {
    throw new ReplyError("unparsable", `invalid decision ${JSON.stringify(said)} (want ${JUDGED.join("|")})`);
  }
  return { decision, reason: goTrim(reason) || "no reason provided" };
}

const FENCE = "```";

/** From the first brace to the last, outside a fence. */
function objectText(reply: string): string {
  let text = goTrim(reply);
  if (text === "") throw new ReplyError("empty", "empty model reply");
  if (text.startsWith(FENCE)) {
    text = goTrim(text.slice(text.indexOf("\n") + 1));
    if (text.endsWith(FENCE)) text = text.slice(0, -FENCE.length);
  }
  const first = text.indexOf("{");
  const last = text.lastIndexOf("}");
  if (first < 0 || last < first) throw new ReplyError("unparsable", "no JSON object in reply");
  return text.slice(first, last + 1);
}

/** Keys in any case, like the original's decoder; two of its letters have a third form. */
const FIELDS = { decision: /^decision$/iu, reason: /^reason$/iu } as const;

function decodeDecision(text: string): { decision: string; reason: string } {
  const decoded = { decision: "", reason: "" };
  for (const [key, value] of Object.entries(parsed(text))) {
    const field = FIELDS.decision.test(key) ? "decision" : FIELDS.reason.test(key) ? "reason" : undefined;
    if (!field || value === null) continue;
    if (typeof value !== "string") throw new ReplyError("unparsable", `parse decision json: ${field} is not a text`);
    decoded[field] = value;
  }
  return decoded;
}

function parsed(text: string): object {
  try {
    return JSON.parse(text) as object; // holds: it starts with a brace
  } catch (error) {
    throw new ReplyError("unparsable", `parse decision json: ${error instanceof Error ? error.message : "no JSON"}`);
  }
}
