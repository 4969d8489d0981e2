/** Native output to the answer that Qwen Code reads: Claude Code's format, without rewrites of a call and without ending a run. */
import {
  permissionAnswer,
  renderBlock,
  renderContext,
  renderPrompt,
  stopFields,
  toolVerdict,
} from "../claude-words.ts";
import { createRender, type EventRenderer, nested, textField } from "../render-table.ts";
import { visibleText, withoutRewrite } from "../ruling.ts";

/** Qwen Code ignores a rewrite and runs the original call, so a rewrite is a denial. */
const renderPreToolUse: EventRenderer = (native, { event }) => {
  const ruling = withoutRewrite(native);
  return {
    ...stopFields(ruling.stop),
    ...textField("systemMessage", ruling.message),
    ...nested(event, { ...toolVerdict(ruling), ...textField("additionalContext", ruling.context) }),
  };
};

const renderPermissionRequest: EventRenderer = (native, { event }) => {
  const ruling = withoutRewrite(native);
  return {
    ...stopFields(ruling.stop),
    ...textField("systemMessage", ruling.message),
    ...nested(event, permissionAnswer(ruling)),
  };
};

/** `stopReason` replaces the result and the run continues. Used for a block and for a redaction. */
const renderPostToolUse: EventRenderer = (ruling, { event }) => {
  const result = ruling.refusal ?? (ruling.updatedResponse === null ? null : visibleText(ruling.updatedResponse));
  return {
    ...stopFields(result),
    ...textField("systemMessage", ruling.message),
    ...(result === null && nested(event, textField("additionalContext", ruling.context))),
  };
};

export const renderQwen = createRender({
  PreToolUse: renderPreToolUse,
  PermissionRequest: renderPermissionRequest,
  PostToolUse: renderPostToolUse,
  PostToolUseFailure: renderContext,
  UserPromptSubmit: renderPrompt,
  SessionStart: renderContext,
  PreCompact: renderBlock,
});
