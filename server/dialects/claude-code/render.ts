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

/** Claude Code accepts a rewrite only with an approval. A rewrite without one is denied, because it would answer for the user. */
const renderPermissionRequest: EventRenderer = (native, { event, payload }) => {
  const ruling = native.allows ? withCompleteRewrite(native, payload.tool_input) : withoutRewrite(native);
  return {
    ...stopFields(ruling.stop),
    ...textField("systemMessage", ruling.message),
    ...nested(event, permissionAnswer(ruling)),
  };
};

/** A block ends the run. A result that must be replaced but cannot be also ends the run, so it never reaches the model. */
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
