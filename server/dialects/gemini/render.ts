/** Native output to the answer that Gemini CLI reads. */
import { renderContext, stopFields } from "../claude-words.ts";
import { type Body, createRender, type EventRenderer, nested, textField } from "../render-table.ts";
import { CALL_UNCHANGEABLE, visibleText, withCompleteRewrite, withoutQuestion, withoutRewrite } from "../ruling.ts";

/** A question without a user at the terminal waits forever. It is asked only if the enrolment says that there is a user. */
const renderBeforeTool: EventRenderer = (native, { event, payload, interactive }) => {
  const mayAsk = interactive === true;
  const answerable = mayAsk ? (native.asks ? withoutRewrite(native) : native) : withoutQuestion(native);
  const ruling = withCompleteRewrite(answerable, payload.tool_input);
  if (ruling.asks) {
    return {
      decision: "ask",
      ...textField("reason", ruling.reason),
      ...textField("systemMessage", ruling.message === "" ? ruling.reason : ruling.message),
    };
  }
  return {
    ...denial(ruling.refusal),
    ...stopFields(ruling.stop),
    ...textField("systemMessage", ruling.message),
    ...(ruling.updatedInput && nested(event, { tool_input: ruling.updatedInput })),
  };
};

/** A block ends the run. A replacement arrives as an error text. */
const renderAfterTool: EventRenderer = (ruling, { event }) => ({
  ...(ruling.updatedResponse !== null && denial(visibleText(ruling.updatedResponse))),
  ...stopFields(ruling.refusal),
  ...textField("systemMessage", ruling.message),
  ...(ruling.refusal === null && nested(event, textField("additionalContext", ruling.context))),
});

const renderBeforeAgent: EventRenderer = (ruling, { event }) => ({
  ...denial(ruling.refusal),
  ...textField("systemMessage", ruling.message),
  ...(ruling.refusal === null && nested(event, textField("additionalContext", ruling.context))),
});

/** Gemini CLI cannot replace messages, so such a call must not reach the model. */
const renderBeforeModel: EventRenderer = (ruling) => ({
  ...denial(ruling.refusal ?? (ruling.replacesMessages ? CALL_UNCHANGEABLE : null)),
  ...stopFields(ruling.stop),
  ...textField("systemMessage", ruling.message),
});

function denial(reason: string | null): Body {
  return reason === null ? {} : { decision: "deny", reason };
}

export const renderGemini = createRender({
  BeforeTool: renderBeforeTool,
  AfterTool: renderAfterTool,
  BeforeAgent: renderBeforeAgent,
  BeforeModel: renderBeforeModel,
  SessionStart: renderContext,
});
