/**
 * Models of the clients: the effect of an answer to one event, including the quirks that void an answer. They share no code with
 * the renderers, so an error in a renderer cannot hide here. Drills use them too.
 */
import { z } from "zod";
import { type Effect, type Json, NO_EFFECT } from "./client-effect.ts";

export interface Asked {
  readonly event: string;
  readonly payload: Json;
  readonly interactive: boolean;
}
export type ClientModel = (body: Json, asked: Asked) => Effect;

const text = (value: unknown): value is string => typeof value === "string" && value !== "";
const object = (value: unknown): Json => (typeof value === "object" && value !== null ? (value as Json) : {});

/** `continue: false` without a verdict before a tool ends the run, but the tool call still happens. */
const claudeCode: ClientModel = (body, { event, payload }) => {
  const specific = object(body.hookSpecificOutput);
  const isForEvent = specific.hookEventName === event;
  const verdict = isForEvent ? specific.permissionDecision : undefined;
  const base = { ...NO_EFFECT, input: payload.tool_input, ended: body.continue === false };
  if (event === "PreToolUse") {
    const input = isForEvent && specific.updatedInput !== undefined ? specific.updatedInput : base.input;
    return { ...base, refused: verdict === "deny", asked: verdict === "ask", approved: verdict === "allow", input };
  }
  if (event === "PermissionRequest") {
    const decision = object(isForEvent ? specific.decision : undefined);
    const input = decision.behavior === "allow" ? (decision.updatedInput ?? base.input) : base.input;
    return { ...base, refused: decision.behavior === "deny", approved: decision.behavior === "allow", input };
  }
  if (event === "PostToolUse") {
    const output = isForEvent ? specific.updatedToolOutput : undefined;
    const isTaken = output !== undefined && fitsTool(payload, output);
    return { ...base, result: isTaken ? output : undefined };
  }
  const isBlockable = event === "UserPromptSubmit" || event === "PreCompact";
  return { ...base, ended: false, refused: isBlockable && body.decision === "block" };
};

/** Claude Code accepts a string only for MCP tools. Any other replacement must have the types and keys of the tool's own result. */
function fitsTool(payload: Json, output: unknown): boolean {
  const response = payload.tool_response;
  const isMcp = String(payload.tool_name).startsWith("mcp__");
  if (isMcp && (typeof output === "string" || Array.isArray(output))) return true;
  return typeof output === "object" && shapeOf(output) === shapeOf(response);
}

function shapeOf(value: unknown): string {
  if (Array.isArray(value)) return "array";
  if (typeof value !== "object" || value === null) return value === null ? "null" : typeof value;
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${key}:${Array.isArray((value as Json)[key]) ? "array" : typeof (value as Json)[key]}`).join()}}`;
}

/** Like Claude Code, but rewrites are ignored, and `stopReason` replaces a result. */
const qwen: ClientModel = (body, asked) => {
  const effect = claudeCode(body, asked);
  if (asked.event === "PreToolUse") {
    const blocks = body.continue === false || body.decision === "deny" || body.decision === "block";
    return { ...effect, refused: effect.refused || blocks, input: asked.payload.tool_input };
  }
  if (asked.event === "PermissionRequest") return { ...effect, input: asked.payload.tool_input };
  if (asked.event !== "PostToolUse") return effect;
  const isReplaced = body.continue === false && text(body.stopReason);
  return { ...effect, ended: false, result: isReplaced ? body.stopReason : undefined };
};

const context = z.string().optional();
const codexNested = <Shape extends z.ZodRawShape>(event: string, fields: Shape) =>
  z.strictObject({ ...fields, hookEventName: z.literal(event), additionalContext: context });
const DENY = z.strictObject({
  systemMessage: context,
  hookSpecificOutput: codexNested("PreToolUse", {
    permissionDecision: z.literal("deny"),
    permissionDecisionReason: z.string().min(1),
  }),
});
const REWRITE = z.strictObject({
  hookSpecificOutput: codexNested("PreToolUse", {
    permissionDecision: z.literal("allow").optional(),
    updatedInput: z.record(z.string(), z.unknown()),
  }),
});
const PERMISSION = z.strictObject({
  hookSpecificOutput: codexNested("PermissionRequest", {
    decision: z.discriminatedUnion("behavior", [
      z.strictObject({ behavior: z.literal("deny"), message: z.string().min(1) }),
      z.strictObject({ behavior: z.literal("allow") }),
    ]),
  }),
});
const BLOCK = z.strictObject({ decision: z.literal("block"), reason: z.string().min(1) });
const STOP = z.strictObject({ continue: z.literal(false), stopReason: z.string().min(1) });

/** One unknown key voids the whole answer, and the call runs. */
const codex: ClientModel = (body, { event, payload }) => {
  const base = { ...NO_EFFECT, input: payload.tool_input };
  if (event === "PreToolUse") {
    const rewrite = REWRITE.safeParse(body).data?.hookSpecificOutput;
    const isTaken = rewrite?.permissionDecision === "allow";
    return { ...base, refused: DENY.safeParse(body).success, input: isTaken ? rewrite.updatedInput : base.input };
  }
  if (event === "PermissionRequest") {
    const behavior = PERMISSION.safeParse(body).data?.hookSpecificOutput.decision.behavior;
    return { ...base, refused: behavior === "deny", approved: behavior === "allow" };
  }
  const block = BLOCK.safeParse(body);
  if (event === "PostToolUse") return { ...base, result: block.data?.reason };
  if (event === "UserPromptSubmit") return { ...base, refused: block.success };
  return { ...base, refused: event === "PreCompact" && STOP.safeParse(body).success };
};

/** A question without a terminal hangs forever, so the model throws. A denial without a reason is ignored. */
const gemini: ClientModel = (body, { event, payload, interactive }) => {
  const specific = object(body.hookSpecificOutput);
  const denies = (body.decision === "deny" || body.decision === "block") && text(body.reason);
  if (body.decision === "ask" && !interactive) throw new Error("Gemini CLI waits for ever.");
  const ended = body.continue === false;
  if (event === "AfterTool") return { ...NO_EFFECT, result: denies ? body.reason : undefined, ended };
  const isGate = event === "BeforeTool" || event === "BeforeAgent" || event === "BeforeModel";
  const input = event === "BeforeTool" ? (specific.tool_input ?? payload.tool_input) : payload.tool_input;
  return { ...NO_EFFECT, refused: isGate && denies, asked: body.decision === "ask", input, ended };
};

/** Only PascalCase events read the nested form. `continue: false` is always ignored. */
const copilot: ClientModel = (body, { event, payload }) => {
  const isPascal = /^[A-Z]/.test(event);
  const name = event.charAt(0).toLowerCase() + event.slice(1);
  const nested = isPascal ? object(body.hookSpecificOutput) : {};
  const input = payload.toolArgs ?? payload.tool_input ?? payload.toolInput;
  const base = { ...NO_EFFECT, input };
  if (name === "preToolUse") {
    const verdict = nested.permissionDecision ?? body.permissionDecision;
    const rewritten = isPascal ? (verdict === undefined ? nested.updatedInput : undefined) : body.modifiedArgs;
    return {
      ...base,
      refused: verdict === "deny",
      asked: verdict === "ask",
      approved: verdict === "allow",
      input: rewritten ?? input,
    };
  }
  if (name === "permissionRequest") {
    return { ...base, refused: body.behavior === "deny", approved: body.behavior === "allow" };
  }
  if (name === "postToolUse") {
    const modified = object(body.modifiedResult);
    const isTaken = text(modified.resultType) && typeof modified.textResultForLlm === "string";
    return { ...base, result: isTaken ? modified.textResultForLlm : undefined };
  }
  const isHandled = body.handled === true && text(body.responseContent);
  if (event === "userPromptSubmitted") return { ...base, refused: isHandled };
  return { ...base, refused: event === "UserPromptSubmit" && body.decision === "block" };
};

const CURSOR_VERDICTS: Readonly<Record<string, readonly unknown[]>> = {
  preToolUse: ["allow", "deny", "ask"],
  beforeShellExecution: ["allow", "deny", "ask"],
  beforeMCPExecution: ["allow", "deny", "ask"],
  beforeReadFile: ["allow", "deny"],
  beforeTabFileRead: ["allow", "deny"],
};

/** A wrong value on a permission event blocks. */
const cursor: ClientModel = (body, { event, payload }) => {
  const verdicts = CURSOR_VERDICTS[event];
  const base = { ...NO_EFFECT, input: payload.tool_input };
  if (verdicts) {
    const isWrong = body.permission !== undefined && !verdicts.includes(body.permission);
    return {
      ...base,
      refused: body.permission === "deny" || isWrong,
      asked: body.permission === "ask",
      approved: body.permission === "allow",
      input: event === "preToolUse" ? (body.updated_input ?? base.input) : base.input,
    };
  }
  if (event === "postToolUse") {
    const isMcp = String(payload.tool_name).startsWith("MCP:");
    return { ...base, result: isMcp ? body.updated_mcp_tool_output : undefined };
  }
  return { ...base, refused: event === "beforeSubmitPrompt" && body.continue === false };
};

/** `cancel` ends the run. Before a call, the call does not run; after it, the model does not read the result. */
const cline: ClientModel = (body, { event, payload }) => {
  const cancels = body.cancel === true && text(body.errorMessage);
  const input = object(payload.tool_call).input;
  if (event === "tool_result") return { ...NO_EFFECT, input, ended: cancels };
  const isGate = event === "tool_call" || event === "prompt_submit";
  return { ...NO_EFFECT, input, refused: cancels && isGate, ended: cancels && isGate };
};

/** Our plugin throws on a denial and assigns complete arguments and results. It cannot ask. */
const opencode: ClientModel = (body, { event, payload }) => {
  const specific = object(body.hook_specific_output);
  const denies = specific.permission_decision === "deny" && text(specific.permission_decision_reason);
  const input = specific.updated_input ?? payload.tool_input;
  if (event === "pre_tool_use") return { ...NO_EFFECT, refused: denies, input };
  if (event === "post_tool_use") return { ...NO_EFFECT, result: specific.updated_tool_response };
  return { ...NO_EFFECT, refused: event === "user_prompt_submit" && body.decision === "block" && text(body.reason) };
};

export const clientModels = { "claude-code": claudeCode, cline, codex, copilot, cursor, gemini, opencode, qwen };
