/**
 * Native output to the answer that Cline reads. Cline's only refusal ends the whole run. It cannot ask, and it does not support
 * rewrites.
 */
import { createRender, type EventRenderer, textField } from "../render-table.ts";
import { RESULT_UNCHANGEABLE, withoutQuestion, withoutRewrite } from "../ruling.ts";

const renderToolCall: EventRenderer = (native) => {
  const ruling = withoutRewrite(withoutQuestion(native));
  return ruling.refusal === null ? textField("contextModification", ruling.context) : cancel(ruling.refusal);
};

/** A result that must be replaced ends the run, so it never reaches the model. */
const renderToolResult: EventRenderer = (ruling) => {
  const reason = ruling.refusal ?? (ruling.updatedResponse === null ? null : RESULT_UNCHANGEABLE);
  return reason === null ? textField("contextModification", ruling.context) : cancel(reason);
};

const renderPrompt: EventRenderer = (ruling) => (ruling.refusal === null ? {} : cancel(ruling.refusal));

function cancel(reason: string) {
  return { cancel: true, errorMessage: reason };
}

export const renderCline = createRender({
  tool_call: renderToolCall,
  tool_result: renderToolResult,
  prompt_submit: renderPrompt,
});
