import { describe, expect, it } from "vitest";
import { BUILTIN_NAMES } from "../builtins.ts";
import { checkText } from "./check.ts";

const check = (source: string) =>
  checkText(source, { equipment: { builtins: BUILTIN_NAMES, models: true }, tools: [{ name: "shell", count: 1 }] });
const first = (source: string) => {
  const [problem] = check(source).problems;
  return `${problem?.line}: ${problem?.message}`;
};
const hooks = (count: number) => `hooks:\n  stop:\n${"    - {type: command, command: x}\n".repeat(count)}`;

describe("hostile or mistaken, a text is answered with where and what to do", () => {
  it.each([
    ["5 MB", "#".repeat(5 * 1024 * 1024), /^1: A policy has at most 512 KiB; this text has 5120\. Split it/],
    ["10,000 hooks", hooks(10_000), /^1: a policy holds at most 2000 hooks; this one has 10000/],
    ["aliases of aliases", "a: &a [x, x]\nb: &b [*a, *a]\nhooks: *b\n", /^2: Aliases .* Write the value out\.$/],
    ["a tab", "hooks:\n\tstop: []\n", /^2: A tab stands where blanks belong\. Indent with blanks\.$/],
    ["a key twice", "hooks:\n  stop: []\n  stop: []\n", /^3: The key "stop" is written twice\.$/],
    [
      "an unknown key",
      "hooks:\n  stop:\n    - {type: command, command: x, timout: 5}\n",
      /^3: unknown key \(did you mean "timeout"\?\)$/,
    ],
    [
      "look-around",
      "hooks:\n  pre_tool_use:\n    - matcher: a(?!b)\n      hooks: [{type: command, command: x}]\n",
      /^3: invalid matcher: /,
    ],
    ["two colons", "hooks:\n  stop:\n    - command: echo a: b\n", /^3: A second colon on one line\./],
    ["brackets without end", `hooks: ${"[".repeat(20_000)}`, /^1: /],
  ])("%s", (_name, source, words) => expect(first(source)).toMatch(words));

  it("a builtin that is newer than the profile", () => {
    const text = (profile: string) =>
      `profile: ${profile}\nhooks:\n  turn_start:\n    - {type: builtin, command: add_context, args: [x]}\n`;
    for (const profile of ["2026-07", "2026-08"]) {
      expect(first(text(profile))).toMatch(/^4: there is no builtin called "add_context"/);
    }
    expect(check(text("2026-11")).problems).toEqual([]);
  });

  it("as many findings as a person can read, however many there are", () => {
    const findings = check(hooks(2_000)).findings;
    expect(findings.length).toBeGreaterThan(0);
    expect(findings.length).toBeLessThanOrEqual(200);
  });
  it("a script nested beyond reading is left alone", () => {
    const source = `hooks:\n  stop:\n    - type: command\n      command: '${"$(".repeat(5_000)}'\n`;
    expect(check(source).problems).toEqual([]);
  });
});
