import { describe, expect, it } from "vitest";
import { readInput, withField } from "@/components/policies/playground/read-input";

describe("an input's text", () => {
  it("is read, and says at which field it is wrong", () => {
    expect(readInput('{"tool_name":"shell"}')).toEqual({ value: { tool_name: "shell" }, problems: [] });
    const wrong = readInput('{"tool_name":7,"usage":{"input_tokens":"x"}}');
    expect(wrong.problems.map(({ pointer }) => pointer)).toEqual(["/tool_name", "/usage/input_tokens"]);
  });

  it.each(["{", "[]", "7", "null", ""])("%j is no input, in words", (text) => {
    const { value, problems } = readInput(text);
    expect(value).toBeNull();
    expect(problems[0]?.message).toMatch(/JSON/);
  });

  it("keeps every other field when one is put or taken away", () => {
    const value = { a: 1, tool_name: "shell", z: [2] };
    expect(JSON.parse(withField(value, "tool_name", "fetch"))).toEqual({ a: 1, tool_name: "fetch", z: [2] });
    expect(Object.keys(JSON.parse(withField(value, "tool_name", "fetch")))).toEqual(["a", "tool_name", "z"]);
    expect(JSON.parse(withField(value, "tool_name", undefined))).toEqual({ a: 1, z: [2] });
  });
});
