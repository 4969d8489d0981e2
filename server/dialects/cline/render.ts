/** Native output to the answer that Cline reads. Its only refusal ends the whole run; it cannot ask, and rewrites nothing. */
import { createRender, type EventRenderer, textField } from "../render-table.ts";
import { RESULT_UNCHANGEABLE, withoutQuestion, withoutRewrite } from "../ruling.ts";

const renderToolCall: EventRenderer = (native) => {
  const ruling = withoutRewrite(withoutQuestion(native));
  return ruling.refusal === null ? textField("contextModification", ruling.context) : cancel(ruling.refusal);
};

/** A result that must change may not reach the model: the run ends before. */
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
