/** Parts of an answer in Claude Code's format, which Qwen Code and partly Gemini CLI adopted. */
import { type Body, type EventRenderer, nested, textField } from "./render-table.ts";
import type { Ruling } from "./ruling.ts";

export function toolVerdict(ruling: Ruling): Body {
  if (ruling.refusal !== null) return { permissionDecision: "deny", permissionDecisionReason: ruling.refusal };
  if (!ruling.asks && !ruling.allows) return {};
  return {
    permissionDecision: ruling.asks ? "ask" : "allow",
    ...textField("permissionDecisionReason", ruling.reason),
  };
}

export function permissionAnswer(ruling: Ruling): Body {
  if (ruling.refusal !== null) return { decision: { behavior: "deny", message: ruling.refusal } };
  if (!ruling.allows) return {};
  return { decision: { behavior: "allow", ...(ruling.updatedInput && { updatedInput: ruling.updatedInput }) } };
}

export function stopFields(reason: string | null): Body {
  return reason === null ? {} : { continue: false, stopReason: reason };
}

export const renderBlock: EventRenderer = (ruling) => ({
  ...(ruling.refusal !== null && { decision: "block", reason: ruling.refusal }),
  ...textField("systemMessage", ruling.message),
});

export const renderPrompt: EventRenderer = (ruling, context) => ({
  ...renderBlock(ruling, context),
  ...(ruling.refusal === null && nested(context.event, textField("additionalContext", ruling.context))),
});

export const renderContext: EventRenderer = (ruling, { event }) => ({
  ...textField("systemMessage", ruling.message),
  ...nested(event, textField("additionalContext", ruling.context)),
});
