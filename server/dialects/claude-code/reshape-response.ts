/**
 * A replaced tool result in the shape of the tool's original result. Claude Code silently ignores a replacement with another
 * shape, and the model reads the original.
 */
import { isObject, parseJson } from "../ruling.ts";

/** The result with its text replaced; undefined if no working shape is known. */
export function reshapeResponse(tool: unknown, response: unknown, text: string): unknown {
  const isMcp = typeof tool === "string" && tool.startsWith("mcp__");
  if (isTextBlocks(response) || (isMcp && Array.isArray(response))) return [{ type: "text", text }];
  if (typeof response === "string") return isMcp ? text : undefined;
  if (!isObject(response)) return undefined;
  if (typeof response.stdout === "string") {
    return { ...response, stdout: text, ...("stderr" in response && { stderr: "" }) };
  }
  const { file } = response;
  if (isObject(file) && typeof file.content === "string") return { ...response, file: { ...file, content: text } };
  if (isTextBlocks(response.content)) return { ...response, content: [{ type: "text", text }] };
  if (typeof response.result === "string") return { ...response, result: text };
  return sameShape(response, parseJson(text));
}

/** True for text blocks, as MCP tools and sub-agents return them. The replacement text also replaces images and other blocks. */
function isTextBlocks(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every((block) => isObject(block) && "type" in block);
}

/** The native text of any other result was its JSON. The replacement must still be an object with the same keys and types. */
function sameShape(response: Record<string, unknown>, replacement: unknown): unknown {
  if (!isObject(replacement)) return undefined;
  const keys = Object.keys(response);
  const isSame = keys.length === Object.keys(replacement).length && keys.every((key) => isSameKind(key));
  return isSame ? replacement : undefined;

  function isSameKind(key: string): boolean {
    return (
      Object.hasOwn(replacement as object, key) &&
      kindOf(response[key]) === kindOf((replacement as Record<string, unknown>)[key])
    );
  }
}

function kindOf(value: unknown): string {
  return value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
}
