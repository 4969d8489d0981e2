/** The reply parsers by schema name, as a hook gives it in `schema`. */
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
  /** The reason to ask no model for such a reply; undefined if one may be asked. */
  refuses?(call: Asked): string | undefined;
  /** The schema for providers that can enforce one. */
  readonly shape?: ReplyShape;
  /** The hook output for a reply on the event; null without output. Errors: a ReplyError or any other error fails the hook. */
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

/** A guard's yes or no, which is not a verdict on a tool call. */
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

/** Without a schema, a reply is always text for the model. */
const plainText: ReplySchema = {
  name: "",
  read(reply, { event }) {
    const additional_context = goTrim(reply);
    if (additional_context === "") return null;
    return { hook_specific_output: { hook_event_name: event, additional_context } };
  },
};

/** The schema that a hook names; undefined if the name is unknown, or unknown in the profile. */
export type SchemaLookup = (name: string, profile?: Profile) => ReplySchema | undefined;

/** The built-in schemas and the embedder's. The later of two with the same name counts. Throws if a schema has no name. */
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
