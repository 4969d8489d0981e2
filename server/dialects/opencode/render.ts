/**
 * Native output to the answer that our opencode plugin reads: the native format without the parts that a plugin cannot do. A
 * plugin cannot ask and cannot end a run. It can throw before a call, change its arguments and assign its result.
 */
import { type Body, createRender, type EventRenderer, textField } from "../render-table.ts";
import { withCompleteRewrite, withoutQuestion } from "../ruling.ts";

const renderPreToolUse: EventRenderer = (native, { event, payload }) => {
  const ruling = withCompleteRewrite(withoutQuestion(native), payload.tool_input);
  if (ruling.refusal !== null) {
    return answer(event, { permission_decision: "deny", permission_decision_reason: ruling.refusal });
  }
  return answer(event, ruling.updatedInput ? { updated_input: ruling.updatedInput } : {});
};

/** The reason of a block replaces the result. */
const renderPostToolUse: EventRenderer = (ruling, { event }) => {
  const text = ruling.refusal === null ? ruling.updatedResponse : `Tool result blocked: ${ruling.refusal}`;
  return answer(event, text === null ? {} : { updated_tool_response: text });
};

const renderPrompt: EventRenderer = (ruling) =>
  ruling.refusal === null ? {} : { decision: "block", ...textField("reason", ruling.refusal) };

function answer(event: string, fields: Body): Body {
  return Object.keys(fields).length > 0 ? { hook_specific_output: { hook_event_name: event, ...fields } } : {};
}

export const renderOpencode = createRender({
  pre_tool_use: renderPreToolUse,
  post_tool_use: renderPostToolUse,
  user_prompt_submit: renderPrompt,
});
