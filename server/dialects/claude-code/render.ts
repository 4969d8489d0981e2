/** Native output to the answer that Claude Code reads. */
import { type Body, createRender, type EventRenderer, nested, textField } from "../render-table.ts";
import { RESULT_UNCHANGEABLE, type Ruling, withCompleteRewrite, withoutRewrite } from "../ruling.ts";
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

const renderBlock: EventRenderer = (ruling) => ({
  ...(ruling.refusal !== null && { decision: "block", reason: ruling.refusal }),
  ...textField("systemMessage", ruling.message),
});

const renderPrompt: EventRenderer = (ruling, context) => ({
  ...renderBlock(ruling, context),
  ...(ruling.refusal === null && nested(context.event, textField("additionalContext", ruling.context))),
});

const renderContext: EventRenderer = (ruling, { event }) => ({
  ...textField("systemMessage", ruling.message),
  ...nested(event, textField("additionalContext", ruling.context)),
});

function toolVerdict(ruling: Ruling): Body {
  if (ruling.refusal !== null) return { permissionDecision: "deny", permissionDecisionReason: ruling.refusal };
  if (!ruling.asks && !ruling.allows) return {};
  return {
    permissionDecision: ruling.asks ? "ask" : "allow",
    ...textField("permissionDecisionReason", ruling.reason),
  };
}

function permissionAnswer(ruling: Ruling): Body {
  if (ruling.refusal !== null) return { decision: { behavior: "deny", message: ruling.refusal } };
  if (!ruling.allows) return {};
  return { decision: { behavior: "allow", ...(ruling.updatedInput && { updatedInput: ruling.updatedInput }) } };
}

function stopFields(reason: string | null): Body {
  return reason === null ? {} : { continue: false, stopReason: reason };
}

export const renderClaudeCode = createRender({
  PreToolUse: renderPreToolUse,
  PermissionRequest: renderPermissionRequest,
  PostToolUse: renderPostToolUse,
  PostToolUseFailure: renderContext,
  UserPromptSubmit: renderPrompt,
  SessionStart: renderContext,
  PreCompact: renderBlock,
});
