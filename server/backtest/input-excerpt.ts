/** The beginning of a stored input: the argument that a person reads first, or the text where it is no call of a tool. */
import { argumentExcerpt } from "../recording/index.ts";

const EXCERPT_CHARS = 240;

export function excerptOf(input: string): string {
  try {
    const value: unknown = JSON.parse(input);
    const argument = typeof value === "object" && value !== null && "tool_input" in value ? value.tool_input : null;
    if (typeof argument !== "object" || argument === null) return input.slice(0, EXCERPT_CHARS);
    return argumentExcerpt({ ...argument });
  } catch {
    // It was cut.
    return input.slice(0, EXCERPT_CHARS);
  }
}
