/** A policy exported for each release of docker-agent: no gate is lost without a refusal, and whatever is left out has a sentence. */
import { readFileSync } from "node:fs";
import { type HooksConfig, parseHooks } from "@quarterdeck/hooks/contract/config";
import { describe, expect, it } from "vitest";
import { contractOf, eventNames, PROFILES, type Profile } from "../../hooks/contract/events.ts";
import { PROFILE_RULES } from "../../hooks/contract/profiles.ts";
import { exportHooks } from "./export.ts";
import { type DockerAgentRelease, listReleases, releaseOf, releaseTitle } from "./releases.ts";

const at = (version: string): DockerAgentRelease => {
  const release = releaseOf(version);
  if (!release) throw new Error(`no release ${version}`);
  return release;
};
const exported = (version: string, hooks: unknown, profile: Profile) =>
  exportHooks(hooks as HooksConfig, profile, at(version));
const command = { name: "look", type: "command", command: "./look.sh || exit 2" };
const entry = (hook: object, more: object = {}) => [{ matcher: "*", ...more, hooks: [hook] }];

const LABEL = { pre_tool_use: entry({ type: "builtin", command: "safer_shell" }, { preempt_yolo: true }) };

describe("safer_shell", () => {
  it.each(["1.108", "1.123.4", "1.138", "1.147", "1.160"])("as a gate is refused for docker-agent %s", (version) => {
    for (const profile of ["2026-07", "2026-08"] as const) {
      const { lost, hooks } = exported(version, LABEL, profile);
      expect(lost).toHaveLength(1);
      expect(lost[0]).toMatchObject({
        hook: "safer_shell",
        event: "pre_tool_use",
        reason: expect.stringMatching(/only labels commands with safer_shell and asks nobody/),
      });
      expect(lost[0]?.remedy).toMatch(/^Put a gate on (tool_guard|pre_tool_use with preempt_yolo: true): /);
      expect(hooks).toEqual({});
    }
  });

  it("is refused where its own policy has a gate, whatever the other policies of the agent follow", () => {
    const { lost } = exportHooks(LABEL as HooksConfig, "2026-11", at("1.147"), "2026-08");
    expect(lost).toHaveLength(1);
  });

  it("is exported where it asks, and where the policy has a label too", () => {
    expect(exported("1.100", LABEL, "2026-07")).toMatchObject({ lost: [], leftOut: [], hooks: LABEL });
    expect(exported("1.147", LABEL, "2026-11")).toMatchObject({ lost: [], leftOut: [], hooks: LABEL });
    expect(exported("1.100", LABEL, "2026-11").notes.join()).toContain("safer_shell asks");
  });
});

describe("a part that an older release does not know", () => {
  const evaluator = {
    ...{ name: "assess", type: "evaluator", evaluator: "reach" },
    evaluator_policy: { decisions: { true: "deny" }, min_probability: 0.7, fallback: "ask" },
  };
  const judge = { name: "judge", type: "model", model: "a/b", prompt: "?", schema: "pre_tool_use_decision" };
  it.each([
    [
      "1.100",
      { tool_guard: entry(command) },
      "the event tool_guard",
      /1\.138 or later, or put the hook on pre_tool_use/,
    ],
    ["1.100", { tool_input_transform: entry(command) }, "the event tool_input_transform", /1\.138/],
    ["1.138", { tool_guard: entry(evaluator) }, "hooks of type evaluator", /1\.147/],
    ["1.100", { tool_guard: entry(evaluator) }, "the event tool_guard", /1\.147/],
    ["1.138", { before_agent_run: [command] }, "the event before_agent_run", /1\.147/],
    ["1.138", { skill_content_guard: [command] }, "the event skill_content_guard", /1\.147/],
    ["1.138", { tool_guard: entry({ ...judge, system_prompt: "Be strict." }) }, "the key system_prompt", /1\.147/],
    [
      "1.138",
      { tool_guard: entry({ ...judge, schema: "guard_decision" }) },
      "the reply schema guard_decision",
      /1\.147/,
    ],
    ["1.100", { pre_tool_use: entry({ ...command, strict_output: true }) }, "the key strict_output", /1\.138/],
  ])("for %s is refused in a gate: %j", (version, hooks, unknown, remedy) => {
    const { lost } = exported(version, hooks, "2026-11");
    expect(lost).toHaveLength(1);
    expect(lost[0]?.reason).toBe(`docker-agent ${releaseTitle(at(version))} does not know ${unknown}.`);
    expect(lost[0]?.remedy).toMatch(remedy);
    expect(lost[0]?.remedy).toMatch(/take the hook out of the policy\.$/);
  });

  it("is left out of a hook that is no gate, and named", () => {
    const hooks = {
      session_start: [
        { type: "builtin", command: "add_context", args: ["Branches only."] },
        { type: "command", command: "date", strict_output: true },
      ],
      stop: [{ type: "builtin", command: "add_context", args: ["x"] }],
    };
    const { lost, leftOut, hooks: block } = exported("1.100", hooks, "2026-11");
    expect(lost).toEqual([]);
    expect(block).toEqual({ session_start: [{ type: "command", command: "date" }] });
    expect(leftOut.map(({ hook, event, reason }) => `${hook} ${event}: ${reason}`)).toEqual([
      "add_context session_start: The hook is left out: docker-agent 1.100 to 1.107 does not know the builtin add_context.",
      "date session_start: The key strict_output is left out: docker-agent 1.100 to 1.107 does not know the key strict_output.",
      "add_context stop: The hook is left out: docker-agent 1.100 to 1.107 does not know the builtin add_context.",
    ]);
  });

  it("that says no more than leaving it out is dropped without a word", () => {
    const hooks = { pre_tool_use: entry({ ...command, strict_output: false }) };
    expect(exported("1.100", hooks, "2026-08")).toMatchObject({
      ...{ lost: [], leftOut: [] },
      hooks: { pre_tool_use: entry(command) },
    });
  });

  it("needs nothing left out in a newer release", () => {
    const hooks = { tool_guard: entry(evaluator), before_agent_run: [command] };
    const { lost, leftOut, notes, hooks: block } = exported("1.147", hooks, "2026-11");
    expect([lost, leftOut, block]).toEqual([[], [], hooks]);
    expect(notes.join(" ")).toMatch(/evaluators: reach\..*routing\.allowed_agents: before_agent_run need it/);
  });
});

it("a builtin that no release has is left out of every export", () => {
  const hooks = { tool_response_transform: entry({ type: "builtin", command: "elide_repeated_tool_results" }) };
  const { leftOut, hooks: block } = exported("1.147", hooks, "2026-11");
  expect(block).toEqual({});
  expect(leftOut[0]?.reason).toContain("does not know the builtin elide_repeated_tool_results");
});

describe("an older policy on a newer release", () => {
  it("keeps its gates, and its changed behaviour is said", () => {
    const hooks = {
      pre_tool_use: entry({ name: "gate", type: "command", command: "./gate.sh" }),
      stop: [{ type: "command", command: "./bye.sh", on_error: "block" }],
    };
    const { lost, leftOut, notes, hooks: block } = exported("1.147", hooks, "2026-07");
    expect(lost).toEqual([]);
    expect(leftOut).toEqual([
      { hook: "./bye.sh", event: "stop", reason: "The key on_error is left out: nothing can be blocked on stop." },
    ]);
    expect(parseHooks(block, "2026-11")).toMatchObject({ ok: true });
    expect(notes).toEqual([
      expect.stringMatching(/^These gates deny .* other than 0 and 2: "gate" on pre_tool_use\./),
      expect.stringMatching(/^Context that hooks give on stop does not reach the model/),
      expect.stringMatching(/without preempt_yolo run only where the safety mode asks/),
    ]);
  });

  it("that the release would refuse whole is refused here with its words", () => {
    const model = { name: "m", type: "model", model: "a/b", prompt: "?", schema: "pre_tool_use_decision" };
    const { lost } = exported("1.147", { before_llm_call: [model] }, "2026-07");
    expect(lost).toEqual([expect.objectContaining({ hook: "m", reason: expect.stringContaining("refuses it: ") })]);
  });
});

it("a newer gate on an older release is said to allow when it fails", () => {
  const hooks = { pre_tool_use: entry({ name: "gate", type: "command", command: "./gate.sh" }) };
  expect(exported("1.130", hooks, "2026-08").notes).toEqual([
    expect.stringMatching(/^These gates allow on .*1\.108 to 1\.137/),
  ]);
  expect(exported("1.138", hooks, "2026-08").notes).toEqual([]);
});

describe.each(PROFILES)("a gate on any event of %s", (profile) => {
  it.each(listReleases().map((release) => [releaseTitle(release), release] as const))(
    "is in the export for docker-agent %s, or lost with a reason",
    (_title, release) => {
      for (const event of eventNames(profile)) {
        const contract = contractOf(event, profile);
        const hooks = { [event]: contract.matchesTools ? entry(command) : [command] } as HooksConfig;
        const read = exportHooks(hooks, profile, release);
        expect(parseHooks(read.hooks, release.profile)).toMatchObject({ ok: true });
        const isKnown = eventNames(release.profile).includes(event);
        expect([event, Object.keys(read.hooks), read.lost.length]).toEqual([
          event,
          isKnown ? [event] : [],
          isKnown ? 0 : 1,
        ]);
      }
    },
  );

  it("knows the keys of its own release", () => {
    const own = listReleases().find((one) => one.profile === profile);
    const type = PROFILE_RULES[profile].strictOutput ? { strict_output: true } : {};
    const hooks = { pre_tool_use: entry({ ...command, ...type }) } as HooksConfig;
    expect(own && exportHooks(hooks, profile, own)).toMatchObject({
      lost: [],
      leftOut: [],
      hooks,
    });
  });
});

it("the document names each release with its profile and its safer_shell", () => {
  const text = readFileSync(new URL("../../../docs/exporting.md", import.meta.url), "utf8");
  for (const release of listReleases())
    expect(text).toMatch(
      new RegExp(
        `^\\| ${releaseTitle(release)} \\| \`${release.profile}\`.* \\| ${release.asksSaferShell ? "asks" : "labels"} \\|$`,
        "m",
      ),
    );
});

it("a hostile name stays on one line", () => {
  const hooks = { tool_guard: entry({ type: "command", command: "a\n# b\u2028c\u0085d" }) };
  expect(exported("1.100", hooks, "2026-08").lost[0]?.hook).toBe("a # b c d");
});
