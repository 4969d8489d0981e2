/** Zero values in Gemini CLI's dialect: an empty list of messages replaces none, and an error that is false is none. */
import { expect, it } from "vitest";
import { CALL_UNCHANGEABLE } from "../ruling.ts";
import { readGemini } from "./read.ts";
import { renderGemini } from "./render.ts";

it("lets a model call be whose messages nobody replaced, and denies one that it cannot change", () => {
  const answerTo = (updated_messages: { role: string; content: string }[]) =>
    renderGemini({ hook_specific_output: { updated_messages } }, { event: "BeforeModel", payload: {} });
  expect(answerTo([])).toEqual({});
  expect(answerTo([{ role: "user", content: "Hello." }])).toEqual({ decision: "deny", reason: CALL_UNCHANGEABLE });
});

it("reads a tool's error by what is said in it", () => {
  const isError = (error: unknown) =>
    readGemini({ tool_name: "glob", tool_response: { llmContent: "none", error } }, "AfterTool").native.tool_error;
  for (const error of ["no such folder", { type: "invalid_path" }]) expect(isError(error)).toBe(true);
  for (const error of [false, "", null, undefined]) expect(isError(error)).toBeUndefined();
});
