/** `transform_json`: keeps only the named top-level fields of a tool's JSON result. */
import { escapeForHtml, JsonTextError, topLevelFields } from "./json-text.ts";
import type { Builtin } from "./kind.ts";

export const transformJson: Builtin = {
  name: "transform_json",
  run({ event, input: { tool_error, tool_response }, args }) {
    if (event !== "tool_response_transform" || tool_error === true || args.length === 0) return null;
    if (typeof tool_response !== "string") throw new Error("transform_json: expected JSON text");
    const fields = fieldsOf(tool_response);
    const kept = [...new Set(args)].flatMap((name) => {
      const value = fields.get(name);
      return value === undefined ? [] : [{ name: Buffer.from(name), text: `${goString(name)}:${value}` }];
    });
    kept.sort((one, other) => Buffer.compare(one.name, other.name));
    const updated_tool_response = `{${kept.map(({ text }) => text).join(",")}}`;
    return { hook_specific_output: { hook_event_name: event, updated_tool_response } };
  },
};

function fieldsOf(text: string): ReadonlyMap<string, string> {
  try {
    return topLevelFields(text);
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
    throw new Error(`transform_json: ${error.message}`);
  }
}

/** A text in Go's JSON form. */
function goString(text: string): string {
  return escapeForHtml(JSON.stringify(text));
}
