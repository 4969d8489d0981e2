/** A call whose arguments are one text is judged, recorded and rewritten like any other. */
import { describe, expect, it } from "vitest";
import { dialectOf } from "./registry.ts";

const PATCH = "*** Begin Patch\n*** Update File: notes/plan.txt\n-old\n+new\n*** End Patch\n";
const copilot = dialectOf("copilot");
const call = { sessionId: "s", timestamp: 1_795_000_000_000, cwd: "/p", toolName: "apply_patch", toolArgs: PATCH };
const rewrittenTo = (updated_input: Record<string, unknown>) =>
  copilot.render({ hook_specific_output: { updated_input } }, { event: "preToolUse", payload: call });

describe("a raw patch", () => {
  it.each(["preToolUse", "permissionRequest", "postToolUse"])("is whole in the input of hooks on %s", (event) => {
    const { native, ext } = copilot.read(call, event);
    expect(native.tool_input).toEqual({ input: PATCH });
    expect(ext.tool).toMatchObject({ kind: "edit", paths: ["notes/plan.txt"] });
  });

  it("goes back as a text when a hook rewrites it", () => {
    const changed = PATCH.replace("plan", "list");
    expect(rewrittenTo({ input: changed })).toEqual({ modifiedArgs: changed });
  });

  it.each<Record<string, unknown>>([{ input: "" }, { input: 1 }, { other: "x" }, { input: PATCH, more: true }])(
    "is denied when the rewriting is not one text: %j",
    (updated) => {
      expect(rewrittenTo(updated)).toMatchObject({ permissionDecision: "deny" });
    },
  );
});

it("a raw text of a shell is its command", () => {
  const payload = { session_id: "s", tool_name: "Bash", tool_input: "ls -l /srv" };
  const { native, ext } = dialectOf("codex").read(payload, "PreToolUse");
  expect(native.tool_input).toEqual({ command: "ls -l /srv" });
  expect(ext.tool).toMatchObject({ kind: "shell", command: "ls -l /srv" });
});
