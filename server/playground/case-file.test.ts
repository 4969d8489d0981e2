import { describe, expect, it } from "vitest";
import { readCaseFile } from "./case-file.ts";

const CASE = "  - { name: a, event: stop, input: {}, expect: { verdict: none } }\n";

describe("a file of cases that cannot be taken is refused at its line", () => {
  it.each([
    ["no mapping", "- a\n", 1, "object"],
    ["no case", "cases: []\n", 1, "no case"],
    ["a key nobody knows", `cases:\n  - { name: a, event: stop, input: {}, expct: {} }\n`, 2, "expct"],
    ["an event that is none", CASE.replace("stop", "stopp").replace(/^/, "cases:\n"), 2, "no hook event"],
    ["two cases of one name", `cases:\n${CASE}${CASE}`, 3, "Two cases"],
    ["nothing expected", `cases:\n${CASE.replace("{ verdict: none }", "{}")}`, 2, "at least one thing"],
    ["an alias", `cases:\n  - &a { name: a }\n  - *a\n`, 3, "Aliases"],
    ["a tab", "cases:\n\t- a\n", 2, ""],
  ])("%s", (_what, source, line, says) => {
    const { cases, problems } = readCaseFile(source);
    expect(cases).toEqual([]);
    expect(problems.map((problem) => problem.line)).toContain(line);
    expect(problems.map((problem) => problem.message).join("\n")).toContain(says);
  });

  it("and one that can be is read with its defaults", () => {
    expect(readCaseFile(`cases:\n${CASE}`).cases).toEqual([
      {
        name: "a",
        event: "stop",
        lane: "default",
        input: "{}",
        expect: { verdict: "none" },
        judgeReplies: [],
        keepsSecrets: false,
        runsAgentHooks: false,
      },
    ]);
  });
});
