/** The dialects against the recorded payloads of real clients, and against bodies that nobody should send. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { httpWay } from "../dispatches/dialect-way/index.ts";
import { commandWay } from "../local-executor/index.ts";
import { runDialectVectors } from "./conformance.ts";
import { DIALECT_NAMES, detectDialect, dialectOf } from "./registry.ts";

describe("the vectors", () => {
  it("all hold through both ways in", async () => {
    const directory = new URL("./vectors", import.meta.url).pathname;
    const results = await runDialectVectors(directory, [httpWay, commandWay]);

    expect(results.filter(({ state }) => state === "failed")).toEqual([]);
    for (const { name } of [httpWay, commandWay])
      expect(
        results.filter(({ id, state }) => state === "passed" && id.startsWith(`${name}: `)).length,
      ).toBeGreaterThan(580);
    // Only the plugin's own objects, which never travel, say nothing to hold.
    expect(results.filter(({ id, state }) => state === "skipped" && !id.startsWith("opencode.plugin."))).toEqual([]);
  });
});

describe("any body", () => {
  it("is read without a throw, under the names of its dialect and event", () => {
    const bodies = fc.dictionary(
      fc.constantFrom(
        ...["session_id", "hook_event_name", "tool_name", "tool_input", "tool_response", "files", "command", "cwd"],
        ...[
          "sessionId",
          "toolArgs",
          "llm_request",
          "workspaceRoots",
          "tool_call",
          "tool_result",
          "prompt",
          "__proto__",
        ],
        ...["workspace_roots", "error", "hookName", "mcp_context", "timestamp", "permission_mode", "cursor_version"],
      ),
      fc.jsonValue(),
    );
    fc.assert(
      fc.property(fc.constantFrom(...DIALECT_NAMES), bodies, fc.string(), (name, body, event) => {
        const { ext } = dialectOf(detectDialect(name, body)).read(body, event);

        expect(typeof ext.client_event).toBe("string");
      }),
    );
  });

  it("reads what every object has by itself as an unknown event", () => {
    for (const name of DIALECT_NAMES)
      for (const event of ["constructor", "__proto__", "toString"])
        expect(dialectOf(name).read({}, event).native.hook_event_name).toBeNull();
  });
});
