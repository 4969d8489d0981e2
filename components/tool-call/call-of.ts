/** The tool call in a hook's input, as it is shown. Pure. */
import type { ShownCall } from "@/components/tool-call/read-call";

/** Null for an input without a tool or without arguments. */
export function callOf(input: Readonly<Record<string, unknown>> | null): ShownCall | null {
  if (input === null) return null;
  const { tool_name: tool, tool_input, cwd } = input;
  if (typeof tool !== "string" || tool === "" || tool_input === undefined || tool_input === null) return null;
  return { tool, input: tool_input, directory: typeof cwd === "string" && cwd !== "" ? cwd : null };
}

/** The call in an input's JSON text; null for a text that is cut or is not an object. */
export function callInText(text: string): ShownCall | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? callOf({ ...value }) : null;
  } catch {
    return null;
  }
}
