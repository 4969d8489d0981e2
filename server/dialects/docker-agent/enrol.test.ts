/** The drop-in file of each release, and the reader that says whether docker-agent would take a file. */
import { PROFILES, type Profile } from "@quarterdeck/hooks";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { contractOf, eventNames } from "../../hooks/contract/events.ts";
import { handlersOf, readDropIn } from "./drop-in.ts";
import { enrolDockerAgent } from "./enrol.ts";
import { dropInForm, LEFT_OUT_EVENTS } from "./releases.ts";

const KEY = `qd_${"T".repeat(43)}_${"0123456789abcdef".repeat(4)}`;
const textFor = (version?: string) => {
  const [file] = enrolDockerAgent({
    url: "https://deck.example",
    scope: "user",
    key: KEY,
    ...(version && { version }),
  });
  return file?.content ?? "";
};
const VERSIONS: readonly (readonly [version: string | undefined, profile: Profile])[] = [
  ["1.138.0", "2026-08"],
  ["v1.147.0", "2026-08"],
  ["2.0.1", "2026-08"],
  ["1.137.2", "2026-07"],
  ["1.100.0-rc1", "2026-07"],
  [undefined, "2026-07"],
  ["dev", "2026-07"],
];

describe.each(VERSIONS)("the file for docker-agent %s", (version, profile) => {
  const text = textFor(version);
  const read = readDropIn(text, profile);
  const hooks = read.isInForce ? read.hooks : {};

  it("is taken whole by its release, and holds each event that a shared file may have", () => {
    expect(read).toMatchObject({ isInForce: true });
    expect(Object.keys(hooks)).toEqual(eventNames(profile).filter((event) => !LEFT_OUT_EVENTS.has(event)));
  });

  it("asks each lane by itself, the early one first", () => {
    const lanes = (hooks.pre_tool_use as { preempt_yolo?: boolean; hooks: { command: string }[] }[]).map((entry) => [
      entry.preempt_yolo ?? false,
      /lane=(\w+)/.exec(entry.hooks[0]?.command ?? "")?.[1],
    ]);
    expect(lanes).toEqual([
      [true, "preempt_yolo"],
      [false, "default"],
    ]);
  });

  it("blocks on a failure wherever the event can, and gives up before docker-agent does", () => {
    for (const event of eventNames(profile)) {
      const { canBlock, failsClosed } = contractOf(event, profile);
      for (const { timeout, on_error: onError, command } of handlersOf({ [event]: hooks[event] })) {
        expect([event, onError]).toEqual([event, canBlock || failsClosed ? "block" : undefined]);
        const [, seconds] = / (?:exit|verdict|ignore) (\d+) \d+/.exec(String(command)) ?? [];
        expect(Number(seconds)).toBeLessThan(Number(timeout));
      }
    }
  });

  it("is private, holds no key and says whose it is", () => {
    const [file] = enrolDockerAgent({ url: "https://deck.example", scope: "user", key: KEY });
    expect(file).toMatchObject({ path: "~/.config/cagent/hooks.d/50-quarterdeck.yaml", mode: 0o600 });
    expect(text).not.toContain("TTTT");
    expect(text).toContain("# Asks Quarterdeck");
  });
});

it("a release without drop-in files is refused, and the enrolment of an older one explains its gate", () => {
  expect(dropInForm("1.99.3")).toMatchObject({ isSupported: false, reason: expect.stringContaining("1.100") });
  expect(dropInForm("0.9")).toMatchObject({ isSupported: false });
  expect(dropInForm("1.123.0")).toMatchObject({ note: expect.stringContaining("preempt_yolo") });
  expect(dropInForm(null)).toMatchObject({ profile: "2026-07", note: expect.stringContaining("not known") });
  expect(dropInForm("1.140.0")).toMatchObject({ profile: "2026-08", note: null });
});

describe("docker-agent's reading of a drop-in file", () => {
  it.each([
    ["an empty file", ""],
    ["comments alone", "# nothing\n"],
    ["a single mapping in place of a list", "stop: { type: command, command: x }"],
    ["a matcher in place of a list", "post_tool_use: { matcher: shell, hooks: { type: command, command: x } }"],
  ])("takes %s", (_what, text) => expect(readDropIn(text, "2026-08")).toMatchObject({ isInForce: true }));

  it.each([
    ["broken YAML", "stop: [", /no YAML at line 1/],
    ["a list", "- stop", /no mapping/],
    ["an unknown event", "on_lunch: { type: command, command: x }", /on_lunch/],
    ["an event of a later release", "before_agent_run: { type: command, command: x }", /before_agent_run/],
    ["an unknown key", "stop: { type: command, command: x, colour: red }", /colour/],
    ["a key of a policy", "stop: { type: command, command: x, run_on: agent }", /words of a policy/],
    [
      "a type of a policy",
      "pre_tool_use: [{ matcher: '*', hooks: [{ type: rules, rules: [{ deny: No., tool: x }] }] }]",
      /words of a policy/,
    ],
    ["a block where nothing can be blocked", "stop: { type: command, command: x, on_error: block }", /stop/],
    [
      "one key that is written twice",
      "stop: { type: command, command: x }\nstop: { type: command, command: y }",
      /line/,
    ],
  ])("skips the whole file for %s", (_what, text, says) => {
    const read = readDropIn(text, "2026-08");
    expect(read).toMatchObject({ isInForce: false });
    expect(read.isInForce ? "" : read.problem).toMatch(says);
  });

  it("skips a file with tool_guard where the release does not know it", () => {
    expect(readDropIn(textFor("1.138.0"), "2026-07")).toMatchObject({ isInForce: false });
    for (const profile of PROFILES) expect(readDropIn(textFor(), profile)).toMatchObject({ isInForce: true });
    expect(parse(textFor())).not.toHaveProperty("tool_guard");
  });
});
