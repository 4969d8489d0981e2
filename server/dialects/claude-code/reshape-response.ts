/**
 * A replaced tool result in the shape of the tool that gave it. Claude Code silently ignores a replacement of another shape,
 * and the original reaches the model.
 */
import { isObject, parseJson } from "../ruling.ts";

/** The result with the text in its place; undefined when no shape is known to work. */
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

/** Blocks of text, as MCP tools and sub-agents answer. Images and other blocks go with the text that replaces them. */
function isTextBlocks(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every((block) => isObject(block) && "type" in block);
}

/** The native text of all other results was the object as JSON: the replacement must still be one, with the same keys and kinds. */
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
