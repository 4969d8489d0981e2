/** The fields of a payload that affect an answer, with each client's own keys. Every text in a result contains a secret. */
import type { Json } from "../client-effect.ts";

export const SECRET = "tok_live_1";
export const ARGUMENTS = { command: "git push --force", description: "d" };

const text = { type: "text", text: SECRET };
const CLAUDE_RESULTS: readonly (readonly [tool: string, response: unknown])[] = [
  ["Bash", { stdout: SECRET, stderr: SECRET, interrupted: false, isImage: false }],
  ["Read", { type: "text", file: { filePath: "/workspace/.env", content: SECRET, numLines: 1 } }],
  ["Agent", { status: "completed", content: [text], totalTokens: 5 }],
  ["WebFetch", { bytes: 9, code: 200, result: SECRET }],
  ["Grep", { mode: "content", filenames: [], content: SECRET }],
  ["TaskCreate", { task: { id: "1", subject: SECRET } }],
  ["Glob", [SECRET]],
  ["Later", SECRET],
  ["Nothing", null],
  ["mcp__echo__add", [text, text]],
  ["mcp__echo__add", SECRET],
];

export function samplePayloads(client: string, event: string): readonly Json[] {
  const call = { tool_name: "Bash", tool_input: ARGUMENTS };
  switch (client) {
    case "claude-code":
      return CLAUDE_RESULTS.map(([tool_name, tool_response]) => ({ ...call, tool_name, tool_response }));
    case "copilot":
      if (event === "permissionRequest" || event === "PermissionRequest") return [{ toolInput: ARGUMENTS }];
      return /^[a-z]/.test(event)
        ? [{ toolArgs: ARGUMENTS, toolResult: { resultType: "success", textResultForLlm: SECRET } }]
        : [{ ...call, tool_result: { result_type: "success", text_result_for_llm: SECRET } }];
    case "cursor":
      return [
        { ...call, tool_name: "Shell", tool_output: SECRET },
        { ...call, tool_name: "MCP:add", tool_output: SECRET },
      ];
    case "cline":
      return [{ tool_call: { name: "run_commands", input: ARGUMENTS }, tool_result: { output: [{ result: SECRET }] } }];
    case "gemini":
    case "qwen":
      return [{ ...call, tool_response: { llmContent: SECRET } }];
    default:
      return [{ ...call, tool_response: SECRET }];
  }
}
