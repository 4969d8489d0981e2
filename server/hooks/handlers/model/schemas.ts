/** The readers of replies, by the name a hook gives as its `schema`. */
import { contractOf } from "../../contract/events.ts";
import { GUARD_DECISION, PRE_TOOL_USE_DECISION } from "../../contract/judge.ts";
import { DEFAULT_PROFILE, PROFILE_RULES, type Profile } from "../../contract/profiles.ts";
import { goTrim } from "../../contract/trim.ts";
import type { HandlerCall, HandlerReply } from "../../engine/ports.ts";
import type { ReplyShape } from "./client.ts";
import { readGuardDecision } from "./guard-decision.ts";
import { JUDGED, readJudgement } from "./reply.ts";

type Output = Extract<HandlerReply, { kind: "answered" }>["output"];

type Asked = Pick<HandlerCall, "event" | "lane" | "profile">;

export interface ReplySchema {
  readonly name: string;
  /** The reason why no model is asked for such a reply; undefined when one is. */
  refuses?(call: Asked): string | undefined;
  /** Asked of providers that can hold a model to it. */
  readonly shape?: ReplyShape;
  /**
   * The hook output that a reply means for the event; null for nothing.
   *
   * Errors: a ReplyError, or any other: the hook has failed.
   */
  read(reply: string, call: Asked): Output;
}

/** A verdict on one tool call. */
export const preToolUseDecision: ReplySchema = {
  name: PRE_TOOL_USE_DECISION,
  shape: {
    name: PRE_TOOL_USE_DECISION,
    strict: true,
    jsonSchema: {
      type: "object",
      properties: {
        decision: { type: "string", enum: [...JUDGED], description: "Whether the tool call may run." },
        reason: { type: "string", description: "Why, in one sentence for the user." },
      },
      required: ["decision", "reason"],
      additionalProperties: false,
    },
  },
  read(reply, { event }) {
    const { decision, reason } = readJudgement(reply);
    return {
      system_message: `\u{1F916} model judge: ${decision} \u2014 ${reason}`,
      hook_specific_output: {
        hook_event_name: event,
        permission_decision: decision,
        permission_decision_reason: reason,
      },
    };
  },
};

/** A yes or no of a guard; no verdict on a tool call. */
const guardDecision: ReplySchema = {
  name: GUARD_DECISION,
  shape: {
    name: GUARD_DECISION,
    strict: true,
    jsonSchema: {
      type: "object",
      properties: {
        decision: { type: "string", enum: ["allow", "deny"], description: "Whether it may go on." },
        reason: { type: "string", description: "Why, in one sentence; may be empty." },
      },
      required: ["decision", "reason"],
      additionalProperties: false,
    },
  },
  refuses: ({ event, profile, lane }) =>
    contractOf(event, profile, lane).canBlock ? undefined : `${GUARD_DECISION} requires a blocking event`,
  read(reply) {
    const { decision, reason } = readGuardDecision(reply);
    return decision === "allow" ? { continue: true } : { decision: "block", reason };
  },
};

/** Without a schema a reply is text for the model, whatever it looks like. */
const plainText: ReplySchema = {
  name: "",
  read(reply, { event }) {
    const additional_context = goTrim(reply);
    if (additional_context === "") return null;
    return { hook_specific_output: { hook_event_name: event, additional_context } };
  },
};

/** The schema a hook names; nothing when there is none of that name, or when a profile does not know it. */
export type SchemaLookup = (name: string, profile?: Profile) => ReplySchema | undefined;

/** Ours and the embedder's; of two with one name the later counts. Throws when one has no name. */
export function replySchemas(more: readonly ReplySchema[] = []): SchemaLookup {
  const byName = new Map([preToolUseDecision, guardDecision, ...more].map((schema) => [schema.name, schema]));
  if (byName.has("")) throw new Error("a reply schema needs a name");
  byName.set("", plainText);
  const added = new Set(more.map(({ name }) => name));
  return (name, profile = DEFAULT_PROFILE) => {
    const isOurs = name === "" || added.has(name) || PROFILE_RULES[profile].replySchemas.includes(name);
    return isOurs ? byName.get(name) : undefined;
  };
}
