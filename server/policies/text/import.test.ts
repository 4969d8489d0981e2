import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type HooksConfig, nativeHooks } from "@quarterdeck/hooks/contract/config";
import { PROFILES } from "@quarterdeck/hooks/contract/events";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { nativeYaml } from "../effective/agent-policy-response.ts";
import { writeBundle } from "./bundle.ts";
import { readImport } from "./import.ts";
import { readPolicy } from "./source.ts";

const BLOCK = `hooks: # of root
      # the gate
      pre_tool_use:
        - matcher: "shell"   # only the shell

          hooks:
            - type: command
              command: |
                echo  one
                  # not a comment
            # the last word
`;
const AGENT = `version: "8"
models: {m: {provider: openai, model: x}}
agents:
  root:
    model: m
    # why these
    ${BLOCK}
    instruction: hi
  helper:
    model: m
`;

describe("an agent file", () => {
  it("gives its one block byte for byte, moved to the margin", () => {
    const { source, notes, agents } = readImport({ source: AGENT });
    expect(source).toBe(`profile: "2026-11"\n# why these\n${BLOCK}`.replace(/^ {4}/gm, ""));
    expect(agents).toEqual(["root", "helper"]);
    expect(notes).toContain("The hooks of agents.root.hooks, as they are written.");
    expect(notes).toContain("Agent root: not taken, because no hook says it: model, instruction.");
    expect(notes).toContain("Not taken from the file: models.");
    expect(readPolicy(source).problems).toEqual([]);
  });
  it("gives the hooks that an agent takes over by a merge key, and its own instead where it has some", () => {
    const hooks = (command: string) => `{stop: [{type: command, command: ${command}}]}`;
    const source = `agents:\n  base: &base\n    model: m\n    hooks: ${hooks("shared")}\n  writer:\n    <<: *base\n  editor:\n    <<: [*base]\n    hooks: ${hooks("own")}\n`;
    const stopOf = (agent: string) =>
      (parse(readImport({ source, agent }).source) as { hooks: HooksConfig }).hooks.stop;
    expect(stopOf("writer")).toEqual([{ type: "command", command: "shared" }]);
    expect(stopOf("editor")).toEqual([{ type: "command", command: "own" }]);
  });
  it("refuses merge keys that would multiply the file", () => {
    const levels = Array.from(
      { length: 30 },
      (_, at) => `x${at + 1}: &x${at + 1} {<<: *x${at}, k${at}: {<<: *x${at}}}`,
    );
    const source = `x0: &x0 {a: 1}\n${levels.join("\n")}\nhooks: {stop: [{type: command, command: y}]}\n`;
    expect(() => readImport({ source })).toThrow(/too large/);
  });
  it("may be asked for one agent, and says which there are", () => {
    expect(() => readImport({ source: AGENT, agent: "nobody" })).toThrow(
      expect.objectContaining({ message: expect.stringMatching(/./) }),
    );
    expect(() => readImport({ source: AGENT, agent: "helper" })).toThrow();
  });
  it("gives the hooks of its switches behind the block, and not what every agent has anyway", () => {
    const source = `agents:\n  root:\n    add_date: true\n    add_prompt_files: [A.md]\n    redact_secrets: true\n    toolsets:\n      - {type: shell, safer: true}\n    hooks:\n      # kept\n      stop:\n        - {type: command, command: x}\n`;
    const read = readImport({ source });
    expect(read.source).toContain("  # kept\n");
    const { hooks } = parse(read.source) as { hooks: HooksConfig };
    expect(Object.keys(hooks)).toEqual([
      "stop",
      "turn_start",
      "before_llm_call",
      "pre_tool_use",
      "tool_response_transform",
    ]);
    expect(hooks.turn_start).toEqual([
      { type: "builtin", command: "add_date" },
      { type: "builtin", command: "add_prompt_files", args: ["A.md"] },
    ]);
    expect(hooks.pre_tool_use).toEqual([
      { matcher: "*", hooks: [{ type: "builtin", command: "redact_secrets" }] },
      { matcher: "*", preempt_yolo: true, hooks: [{ type: "builtin", command: "safer_shell" }] },
    ]);
    expect(JSON.stringify(hooks)).not.toContain("limit_large_tool_results");
    // Its shell asks, so the policy keeps the profile in which it does.
    expect(read.source).toMatch(/^profile: "2026-08"$/m);
    expect(read.notes.join()).toContain("keeps profile 2026-08, in which safer_shell asks");
  });
  it("gives the hooks of its switches where the newest docker-agent has them", () => {
    const source =
      "agents:\n  root:\n    redact_secrets: true\n    add_prompt_files: [A.md]\n    add_prompt_files_depth: 2\n";
    const { profile, hooks } = parse(readImport({ source }).source) as { profile: string; hooks: HooksConfig };
    expect(profile).toBe("2026-11");
    expect(Object.keys(hooks)).toEqual([
      "turn_start",
      "before_llm_call",
      "tool_input_transform",
      "tool_response_transform",
    ]);
    expect(hooks.turn_start).toEqual([{ type: "builtin", command: "add_prompt_files", args: ["--depth=2", "A.md"] }]);
  });
  it("opens no gate: safer_shell keeps its profile, or is named as no gate where its docker-agent only labels", () => {
    const asks =
      "      pre_tool_use:\n        - {preempt_yolo: true, hooks: [{type: builtin, command: safer_shell}]}\n";
    const agent = (more: string) => `${more}agents:\n  root:\n    hooks:\n${asks}`;
    const older = readImport({ source: agent("") });
    expect([older.source.split("\n")[0], readPolicy(older.source).problems]).toEqual(['profile: "2026-08"', []]);
    expect(older.notes.at(-1)).toMatch(/^The policy keeps profile 2026-08, in which safer_shell asks about commands\./);
    for (const newer of [
      agent("version: 16\n"),
      `${agent("")}      before_agent_run: [{type: command, command: x}]\n`,
    ]) {
      const read = readImport({ source: newer });
      expect(read.source).toMatch(/^profile: "2026-11"\n/);
      expect(read.notes.at(-1)).toMatch(/^safer_shell is no gate: .* Add a gate on tool_guard\.$/);
    }
    const switched = readImport({
      source:
        "version: 16\nagents:\n  a:\n    toolsets: [{type: shell, safer: true}]\n    hooks:\n      stop: [{type: command, command: x}]\n",
    });
    expect(switched.notes.join()).toContain(
      "safer is no longer a key of a toolset: use a tool_guard hook; that switch was not taken.",
    );
  });
  it("keeps an evaluator in the newest profile, whether this server can ask it or not", () => {
    const policy = "{decisions: {'true': deny}, min_probability: 0.8, fallback: ask}";
    const hook = `{type: evaluator, evaluator: reach, evaluator_policy: ${policy}}`;
    const { source } = readImport({ source: `hooks:\n  tool_guard: [{hooks: [${hook}]}]\n` });
    expect(source).toBe(`profile: "2026-11"\nhooks:\n  tool_guard: [{hooks: [${hook}]}]\n`);
  });
  it("that the newest profile does not read is read by an older one", () => {
    const model = "{type: model, model: a/b, prompt: x, schema: pre_tool_use_decision}";
    const { source } = readImport({ source: `hooks:\n  before_llm_call: [${model}]\n` });
    expect(source).toMatch(/^profile: "2026-08"\n/);
    expect(readPolicy(source).hooks).not.toBeNull();
  });
  it("joins several blocks per event, in order, and runs nothing twice", () => {
    const hook = (command: string) => `{type: command, command: ${command}}`;
    const source = `agents:\n  a:\n    hooks:\n      stop: [${hook("one")}, ${hook("both")}]\n  b:\n    hooks:\n      stop: [${hook("both")}, ${hook("two")}]\nsettings:\n  hooks:\n    stop: [${hook("mine")}]\n`;
    const read = readImport({ source, commands: { stop: ["flag", "  "], pre_tool_use: ["gate"] } });
    const { hooks } = parse(read.source) as { hooks: HooksConfig };
    expect(hooks.stop?.map(({ command }) => command)).toEqual(["one", "both", "two", "mine", "flag"]);
    expect(hooks.pre_tool_use).toEqual([{ hooks: [{ type: "command", command: "gate" }] }]);
    expect(read.notes[0]).toMatch(
      /^The hooks of agents.a.hooks, agents.b.hooks, settings.hooks, one list after the other/,
    );
  });
  it("that names places is written out, within bounds", () => {
    const read = readImport({
      source: "x: &h {type: command, command: one}\nagents:\n  a:\n    hooks:\n      stop: [*h]\n",
    });
    expect(parse(read.source)).toEqual({ profile: "2026-11", hooks: { stop: [{ type: "command", command: "one" }] } });
    expect(read.notes[0]).toMatch(/written anew/);
    const bomb = Array.from(
      { length: 30 },
      (_, at) => `l${at}: &l${at} [${at === 0 ? "x" : `*l${at - 1}, *l${at - 1}, *l${at - 1}`}]`,
    ).join("\n");
    expect(() => readImport({ source: `${bomb}\nhooks:\n  stop: *l29\n` })).toThrow();
  });
  it("of an old version says what has changed since", () => {
    const { notes } = readImport({
      source: "version: '3'\nagents:\n  a:\n    hooks:\n      stop:\n        - {type: command, command: x, name: n}\n",
    });
    expect(notes.join("\n")).toMatch(/version 3[\s\S]*does not know stop[\s\S]*has no name on hooks/i);
  });
  it("with words of the newer profile is read by it", () => {
    const { source } = readImport({
      source: "agents:\n  a:\n    hooks:\n      tool_guard:\n        - {hooks: [{type: command, command: x}]}\n",
    });
    expect(source).toMatch(/^profile: "2026-11"\nhooks:/);
    expect(readPolicy(source).problems).toEqual([]);
  });
});

describe("what is no policy is refused in words", () => {
  it.each(["", "- a", "x: [", "agents: {a: {model: m}}", "models: {}", '{"quarterdeck": "policy-bundle"}'])(
    "%j",
    (source) => {
      expect(() => readImport({ source })).toThrow();
    },
  );
});

describe("a bundle", () => {
  const of = { name: "shell rules", revision: 3, profile: PROFILES[0], note: "why", text: "# mine\nhooks: {}\n" };
  it("comes back as it was", () => {
    expect(readImport({ source: writeBundle(of) })).toMatchObject({ source: of.text, name: "shell rules" });
  });
  it("that somebody changed is refused", () => {
    expect(() => readImport({ source: writeBundle(of).replace("# mine", "# theirs") })).toThrow();
  });
});

const exported = (hooks: HooksConfig) =>
  nativeYaml({
    revision: "r",
    profile: "2026-08",
    members: [
      {
        policyId: "p",
        name: "p",
        number: 1,
        sha256: "s",
        textProfile: "2026-08",
        publishedAt: new Date(0),
        hooks,
        text: hooks,
        leftOut: new Set(),
        monitored: [],
        problems: [],
      },
    ],
  });

describe("a native export", () => {
  const file = join(import.meta.dirname, "../../hooks/conformance/executor-cases.json");
  const { cases } = JSON.parse(readFileSync(file, "utf8")) as { cases: { config?: HooksConfig }[] }; // our own file
  const configs = cases.flatMap(({ config }) => (config ? [config] : []));
  it("of every conformance configuration is read back as the same", () => {
    for (const config of configs) expect(parse(exported(config)).hooks).toEqual(nativeHooks(config));
  });
  it("of any texts is read back as the same", () => {
    const text = fc.string({ unit: "binary" });
    fc.assert(
      fc.property(text, text, fc.dictionary(text, text), (command, name, env) => {
        const stop = [{ type: "command", command, name, env }];
        expect(parse(exported({ stop })).hooks).toEqual({ stop });
      }),
    );
  });
});
