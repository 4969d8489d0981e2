/** Results of MCP tools are lists of blocks, also one without a block; a list of another tool has no shape that is known. */
import { expect, it } from "vitest";
import { reshapeResponse } from "./reshape-response.ts";

it("puts the text into a block in place of an MCP tool's result", () => {
  const blocks = [{ type: "text", text: "[hidden]" }];
  expect(reshapeResponse("mcp__files__list", [], "[hidden]")).toEqual(blocks);
  expect(reshapeResponse("mcp__files__list", [{ type: "image", data: "iVBO" }], "[hidden]")).toEqual(blocks);
  expect(reshapeResponse("mcp__files__list", "secret", "[hidden]")).toBe("[hidden]");
});

it("knows no shape for another tool's list or text", () => {
  for (const response of [[], ["secret"], "secret", 7, null])
    expect(reshapeResponse("Glob", response, "[hidden]")).toBeUndefined();
});
