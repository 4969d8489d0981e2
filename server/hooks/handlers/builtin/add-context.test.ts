import { describe, expect, it } from "vitest";
import type { EventName } from "../../contract/events.ts";
import type { HookInput } from "../../contract/input.ts";
import { addContext } from "./add-context.ts";

const INPUT: HookInput = {
  hook_event_name: "turn_start",
  session_id: "run-4",
  cwd: "/srv/shop",
  agent_name: "clerk",
  tool_input: { path: "a b", n: 2, none: null },
};
async function added(args: readonly string[], input = INPUT, event: EventName = "turn_start", signal?: AbortSignal) {
  const call = { event, lane: "default", profile: "2026-11", input, args, env: {} } as const;
  return (await addContext.run({ ...call, signal: signal ?? new AbortController().signal }))?.hook_specific_output;
}

describe("texts", () => {
  it.each([
    [["In {{ .Cwd }}", "as {{ .AgentName }}"], "In /srv/shop\nas clerk"],
    [["", " \n", "{{ .Source }}", "\u0085", " x "], " x "],
    [["{{ with .ToolInput }}{{ .path }}{{ end }}"], "a b"],
    [['{{ index .ToolInput "gone" }}{{ printf "%q" .AgentName }}'], '<no value>"clerk"'],
    [["{{ .ToolInput.none }}"], "<no value>"],
    [["no template"], "no template"],
    [['{"decision":"block"}'], '{"decision":"block"}'],
  ])("%j", async (args, text) => {
    expect(await added(args)).toEqual({ hook_event_name: "turn_start", additional_context: text });
  });

  it("name the event that was dispatched, and are absent when all are blank", async () => {
    expect((await added(["x"], INPUT, "pre_compact"))?.hook_event_name).toBe("pre_compact");
    for (const args of [[], [""], ["{{ .Prompt }}", "\t"]]) expect(await added(args)).toBeUndefined();
  });
});

describe("one mistake gives no text at all", () => {
  it.each([
    ["{{ .Cwd", "parse arg 2"],
    ["{{ end }}", "parse arg 2"],
    ["{{ toJSON .ToolInput }}", "parse arg 2"],
    ["{{ truncate 3 .Cwd }}", "parse arg 2"],
    ["{{ .cwd }}", "render arg 2"],
    ["{{ .Nothing }}", "render arg 2"],
    ["{{ .ToolInput.gone }}", "render arg 2"],
    ["{{ .ToolInput.none.deeper }}", "render arg 2"],
    ["{{ $x := .ToolInput.gone }}", "render arg 2"],
    ["{{ .ToolResponse.deeper }}", "render arg 2"],
  ])("%s", async (arg, step) => {
    await expect(added(["fine", arg])).rejects.toThrow(`add_context: ${step}: `);
  });

  it("a key of a map that is not there", async () => {
    await expect(added(["{{ .ToolInput.path }}"], {})).rejects.toThrow('map has no entry for key "path"');
  });

  it("a template that is endless, or 4 MiB of one", async () => {
    const range = "{{ range $a := .S }}{{ range $b := $.S }}{{ range $c := $.S }}{{ $a }}{{ end }}{{ end }}{{ end }}";
    const steering_messages = Array.from({ length: 200 }, () => "x");
    const endless = range.replaceAll(".S", ".SteeringMessages");
    await expect(added([endless], { steering_messages })).rejects.toThrow("add_context: render arg 1: ");
    expect((await added(["é".repeat(2 * 1024 * 1024)]))?.additional_context).toHaveLength(2 * 1024 * 1024);
    await expect(added(["{{ .A ".repeat(500_000)])).rejects.toThrow("add_context: parse arg 1: ");
  });
});
