/**
 * Native output to the answer that Codex reads. A single unknown key makes Codex discard the whole answer and run the tool, so
 * only keys that are known to work are sent.
 */
import { type Body, createRender, type EventRenderer, nested, textField } from "../render-table.ts";
import { type Ruling, visibleText, withCompleteRewrite, withoutQuestion, withoutRewrite } from "../ruling.ts";

const renderPreToolUse: EventRenderer = (native, { event, payload }) => {
  const ruling = withCompleteRewrite(withoutQuestion(native), payload.tool_input);
  return {
    ...(ruling.refusal !== null && textField("systemMessage", ruling.message)),
    ...nested(event, { ...toolVerdict(ruling), ...textField("additionalContext", ruling.context) }),
  };
};

/** An approval without a rewrite is an invalid answer, and a rewrite without an approval is ignored. */
function toolVerdict(ruling: Ruling): Body {
  if (ruling.refusal !== null) return { permissionDecision: "deny", permissionDecisionReason: ruling.refusal };
  return ruling.updatedInput ? { permissionDecision: "allow", updatedInput: ruling.updatedInput } : {};
}

const renderPermissionRequest: EventRenderer = (native, { event }) => {
  const ruling = withoutRewrite(native);
  if (ruling.refusal !== null) return nested(event, { decision: { behavior: "deny", message: ruling.refusal } });
  return ruling.allows ? nested(event, { decision: { behavior: "allow" } }) : {};
};

/** The reason replaces the result. Codex cannot end a run here. */
const renderPostToolUse: EventRenderer = (ruling, { event }) => {
  const result = ruling.refusal ?? (ruling.updatedResponse === null ? null : visibleText(ruling.updatedResponse));
  if (result !== null) return { decision: "block", reason: result };
  return nested(event, textField("additionalContext", ruling.context));
};

const renderPrompt: EventRenderer = (ruling, context) =>
  ruling.refusal === null ? renderContext(ruling, context) : { decision: "block", reason: ruling.refusal };

const renderContext: EventRenderer = (ruling, { event }) =>
  nested(event, textField("additionalContext", ruling.context));

const renderPreCompact: EventRenderer = (ruling) =>
  ruling.refusal === null ? {} : { continue: false, stopReason: ruling.refusal };

export const renderCodex = createRender({
  PreToolUse: renderPreToolUse,
  PermissionRequest: renderPermissionRequest,
  PostToolUse: renderPostToolUse,
  UserPromptSubmit: renderPrompt,
  SessionStart: renderContext,
  SubagentStart: renderContext,
  PreCompact: renderPreCompact,
});
