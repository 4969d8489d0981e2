/** Native output to the answer that Cursor reads. A wrong value on a permission event blocks, so each event has its own renderer. */
import { truncateText } from "@quarterdeck/hooks/contract/truncate-text";
import { type Body, createRender, type EventRenderer, textField } from "../render-table.ts";
import { type Ruling, withCompleteRewrite, withoutQuestion, withoutRewrite } from "../ruling.ts";

/** Cursor drops a longer context, and counts it as a failure on events whose hook must not fail. */
const CONTEXT_CHARS_MAX = 10_000;

const renderPreToolUse: EventRenderer = (native, { payload }) => {
  const ruling = withCompleteRewrite(native, payload.tool_input);
  return {
    ...permission(ruling),
    ...(ruling.updatedInput && { updated_input: ruling.updatedInput }),
    ...contextField(ruling),
  };
};

const renderExecution: EventRenderer = (native) => permission(withoutRewrite(native));

/** A read can only be allowed or denied, without a message for the model. */
const renderRead: EventRenderer = (native) => {
  const ruling = withoutRewrite(withoutQuestion(native));
  if (ruling.refusal !== null) return { permission: "deny", user_message: ruling.refusal };
  return ruling.allows ? { permission: "allow" } : {};
};

function permission(ruling: Ruling): Body {
  if (ruling.refusal !== null) {
    return { permission: "deny", user_message: ruling.refusal, agent_message: ruling.refusal };
  }
  if (ruling.asks) return { permission: "ask", ...textField("user_message", ruling.reason) };
  return ruling.allows ? { permission: "allow" } : {};
}

/** Cursor can replace results of MCP tools, but not of built-in tools, and it cannot end a run. */
const renderPostToolUse: EventRenderer = (ruling, { payload }) => ({
  ...(ruling.updatedResponse !== null &&
    isMcpTool(payload.tool_name) && { updated_mcp_tool_output: ruling.updatedResponse }),
  ...contextField(ruling),
});

function isMcpTool(tool: unknown): boolean {
  return typeof tool === "string" && tool.startsWith("MCP:");
}

const renderPrompt: EventRenderer = (ruling) =>
  ruling.refusal === null ? contextField(ruling) : { continue: false, user_message: ruling.refusal };

const renderContext: EventRenderer = (ruling) => contextField(ruling);

function contextField(ruling: Ruling): Body {
  return textField("additional_context", truncateText(ruling.context, CONTEXT_CHARS_MAX));
}

export const renderCursor = createRender({
  preToolUse: renderPreToolUse,
  beforeShellExecution: renderExecution,
  beforeMCPExecution: renderExecution,
  beforeReadFile: renderRead,
  beforeTabFileRead: renderRead,
  postToolUse: renderPostToolUse,
  postToolUseFailure: renderContext,
  beforeSubmitPrompt: renderPrompt,
  sessionStart: renderContext,
});
