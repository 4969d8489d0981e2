/**
 * Native output to the answer that GitHub Copilot CLI reads. Its events have two spellings with two answer formats. The camelCase
 * format ignores the nested form. An approval would override the user's own `--deny-tool`, so none is sent.
 */
import { type Body, createRender, type EventRenderer, nested, textField } from "../render-table.ts";
import { isObject, type Ruling, withCompleteRewrite, withoutRewrite } from "../ruling.ts";

/** Selects the spelling by `timestamp`, which is a number only in camelCase. The address may name the other spelling's event. */
const bySpelling =
  (camel: EventRenderer, pascal: EventRenderer): EventRenderer =>
  (ruling, context) =>
    (typeof context.payload.timestamp === "number" ? camel : pascal)(ruling, context);

const renderCamelToolUse: EventRenderer = (native, { payload }) => {
  const ruling = withCompleteRewrite(native, payload.toolArgs);
  return {
    ...toolVerdict(ruling),
    ...(ruling.updatedInput && { modifiedArgs: ruling.updatedInput }),
    ...textField("additionalContext", ruling.context),
  };
};

/** Copilot accepts a rewrite only without a decision, so a rewrite that also asks is denied. */
const renderPascalToolUse: EventRenderer = (native, { event, payload }) => {
  const ruling = native.asks ? withoutRewrite(native) : withCompleteRewrite(native, payload.tool_input);
  return nested(event, {
    ...toolVerdict(ruling),
    ...(ruling.updatedInput && { updatedInput: ruling.updatedInput }),
    ...textField("additionalContext", ruling.context),
  });
};

function toolVerdict(ruling: Ruling): Body {
  if (ruling.refusal !== null) return { permissionDecision: "deny", permissionDecisionReason: ruling.refusal };
  return ruling.asks ? { permissionDecision: "ask", ...textField("permissionDecisionReason", ruling.reason) } : {};
}

const renderPermissionRequest: EventRenderer = (native) => {
  const ruling = withoutRewrite(native);
  if (ruling.refusal !== null) return { behavior: "deny", message: ruling.refusal };
  return ruling.allows ? { behavior: "allow" } : {};
};

/** The reason of a block replaces the result, because Copilot cannot end a run. */
const renderPostToolUse: EventRenderer = (ruling, { payload }) => {
  const text = ruling.refusal === null ? ruling.updatedResponse : `Tool result blocked: ${ruling.refusal}`;
  return {
    ...(text !== null && { modifiedResult: { resultType: resultType(payload), textResultForLlm: text } }),
    ...textField("additionalContext", ruling.context),
  };
};

function resultType(payload: Readonly<Record<string, unknown>>): string {
  const result = payload.toolResult ?? payload.tool_result;
  const type = isObject(result) ? (result.resultType ?? result.result_type) : undefined;
  return typeof type === "string" && type !== "" ? type : "success";
}

const renderCamelPrompt: EventRenderer = (ruling, context) =>
  ruling.refusal === null ? renderContext(ruling, context) : { handled: true, responseContent: ruling.refusal };

const renderPascalPrompt: EventRenderer = (ruling, context) =>
  ruling.refusal === null ? renderContext(ruling, context) : { decision: "block", reason: ruling.refusal };

/** Both spellings read context from the top level and ignore a nested one. */
const renderContext: EventRenderer = (ruling) => textField("additionalContext", ruling.context);

export const renderCopilot = createRender({
  preToolUse: renderCamelToolUse,
  PreToolUse: bySpelling(renderCamelToolUse, renderPascalToolUse),
  permissionRequest: renderPermissionRequest,
  PermissionRequest: renderPermissionRequest,
  postToolUse: renderPostToolUse,
  PostToolUse: renderPostToolUse,
  postToolUseFailure: renderContext,
  PostToolUseFailure: renderContext,
  userPromptSubmitted: renderCamelPrompt,
  UserPromptSubmit: bySpelling(renderCamelPrompt, renderPascalPrompt),
  sessionStart: renderContext,
  SessionStart: renderContext,
});
