/** Native output to the answer that Claude Code reads. */
import {
  permissionAnswer,
  renderBlock,
  renderContext,
  renderPrompt,
  stopFields,
  toolVerdict,
} from "../claude-words.ts";
import { createRender, type EventRenderer, nested, textField } from "../render-table.ts";
import { RESULT_UNCHANGEABLE, withCompleteRewrite, withoutRewrite } from "../ruling.ts";
import { reshapeResponse } from "./reshape-response.ts";

const renderPreToolUse: EventRenderer = (native, { event, payload }) => {
  const ruling = withCompleteRewrite(native, payload.tool_input);
  return {
    ...stopFields(ruling.stop),
    ...textField("systemMessage", ruling.message),
    ...nested(event, {
      ...toolVerdict(ruling),
      ...(ruling.updatedInput && { updatedInput: ruling.updatedInput }),
      ...textField("additionalContext", ruling.context),
    }),
  };
};

/** A rewrite is possible only together with an approval: without one, it would answer in the person's place. */
const renderPermissionRequest: EventRenderer = (native, { event, payload }) => {
  const ruling = native.allows ? withCompleteRewrite(native, payload.tool_input) : withoutRewrite(native);
  return {
    ...stopFields(ruling.stop),
    ...textField("systemMessage", ruling.message),
    ...nested(event, permissionAnswer(ruling)),
  };
};

/** The run ends on a block. A result that cannot be replaced never reaches the model: that ends the run, too. */
const renderPostToolUse: EventRenderer = (ruling, { event, payload }) => {
  const replaces = ruling.updatedResponse !== null;
  const response = replaces
    ? reshapeResponse(payload.tool_name, payload.tool_response, ruling.updatedResponse ?? "")
    : undefined;
  const stop = ruling.refusal ?? (replaces && response === undefined ? RESULT_UNCHANGEABLE : null);
  return {
    ...stopFields(stop),
    ...textField("systemMessage", ruling.message),
    ...nested(event, {
      ...(response !== undefined && { updatedToolOutput: response }),
      ...(stop === null && textField("additionalContext", ruling.context)),
    }),
  };
};

export const renderClaudeCode = createRender({
  PreToolUse: renderPreToolUse,
  PermissionRequest: renderPermissionRequest,
  PostToolUse: renderPostToolUse,
  PostToolUseFailure: renderContext,
  UserPromptSubmit: renderPrompt,
  SessionStart: renderContext,
  PreCompact: renderBlock,
});
