/** Cline's results that say of themselves that they failed, one by one or as a whole. */
import { describe, expect, it } from "vitest";
import { dialectOf } from "../registry.ts";

const cline = dialectOf("cline");

/** The native fields of a result, with the older twin that Cline sends beside it. */
function native(tool_result: object, postToolUse: object) {
  const payload = { hookName: "tool_result", taskId: "t", tool_result: { name: "run_commands", ...tool_result } };
  return cline.read({ ...payload, postToolUse }, "PostToolUse").native;
}

describe("a result of Cline", () => {
  it("failed when one of its parts did", () => {
    const output = [
      { query: "ls", result: "a.ts", success: true },
      { query: "cat b.ts", result: "no such file", success: false },
    ];
    expect(native({ output }, { success: true })).toMatchObject({
      tool_response: "a.ts\nno such file",
      tool_error: true,
    });
  });

  it("failed when the tool broke and left only its error", () => {
    expect(native({ error: "the editor is gone" }, { success: false })).toMatchObject({
      tool_response: "the editor is gone",
      tool_error: true,
    });
  });

  it("did not fail when nothing says so", () => {
    expect(native({ output: "done" }, { success: true })).not.toHaveProperty("tool_error");
  });
});
