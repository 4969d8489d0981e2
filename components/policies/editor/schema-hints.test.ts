import { PROFILES } from "@quarterdeck/hooks/contract/events";
import { describe, expect, it } from "vitest";
import { hintsAt, meaningOf, profileOf } from "@/components/policies/editor/schema-hints";
import { positionAt } from "@/components/policies/editor/yaml-position";
import { readPolicy } from "@/server/policies/text/source";

const NONE = new Set<string>();

function labels(text: string, profile: (typeof PROFILES)[number] = "2026-08") {
  const lines = text.split("\n");
  const line = lines.length - 1;
  return hintsAt(positionAt(lines, line, (lines[line] ?? "").length), profile, NONE).map((hint) => hint.label);
}

describe("what may be written", () => {
  it("at the top: hooks and profile", () => {
    expect(labels("")).toEqual(["profile", "hooks"]);
  });
  it("under hooks: the events of the profile, no others", () => {
    expect(labels("hooks:\n  ")).toContain("tool_guard");
    expect(labels("hooks:\n  ", "2026-07")).not.toContain("tool_guard");
  });
  it("in an entry: matcher, lane and hooks", () => {
    expect(labels("hooks:\n  pre_tool_use:\n    - ")).toEqual(["matcher", "preempt_yolo", "hooks"]);
  });
  it.each([
    ["hooks:\n  stop:\n    - type: command\n      ", "timeout"],
    ["hooks:\n  stop:\n    type: command\n    ", "timeout"],
    ["stop:\n  - ", "command"],
    ["hooks:\n  pre_tool_use:\n    - hooks:\n        - ", "on_error"],
  ])("in a hook: its fields (%j)", (text, field) => {
    expect(labels(text)).toContain(field);
  });
  it("as a value: the words that are known", () => {
    expect(labels("hooks:\n  stop:\n    - on_error: ")).toEqual(["warn", "ignore", "block"]);
    expect(labels("hooks:\n  pre_tool_use:\n    - preempt_yolo: ")).toEqual(["true", "false"]);
    expect(labels("profile: ")).toEqual(["2026-07", "2026-08", "2026-11"]);
  });
  it("nothing inside free text or where nothing is known", () => {
    expect(labels("hooks:\n  stop:\n    - command: |\n        ")).toEqual([]);
    expect(labels("hooks:\n  nonsense:\n    - ")).toEqual([]);
  });
});

describe("in rules", () => {
  const at = (text: string) =>
    labels(`hooks:\n  pre_tool_use:\n    - hooks:\n        - type: rules\n          rules:\n            - ${text}`);
  const table: readonly (readonly [text: string, some: string[]])[] = [
    ["", ["deny", "ask", "allow", "mark", "command", "any"]],
    ["{ deny: x, ", ["command", "path"]],
    ["deny: x\n              command:\n                ", ["program", "flags", "target"]],
    ["deny: x\n              command: { ", ["program", "flags", "target"]],
    ["deny: x\n              command: { program: ", ["rm", "git"]],
    ["deny: x\n              command: { program: [rm, ", ["git"]],
    ["deny: x\n              command: { program: rm, flags: [", ["recursive", "force"]],
    ["deny: x\n              path: { class: [home, ", ["credentials"]],
    ["deny: x\n              path:\n                class:\n                  - ", ["credentials"]],
    ["deny: x\n              opaque: ", ["true", "download"]],
    ["deny: x\n              not: { ", ["command", "not"]],
    ["deny: x\n              any: [{ kind: shell }, { host: { class: ", ["private", "metadata"]],
  ];
  it.each(table)("%j", (text, some) => expect(at(text)).toEqual(expect.arrayContaining(some)));
  it("a condition has no verdict", () => expect(at("deny: x\n              not: { ")).not.toContain("deny"));
  it("rules are offered where a call is judged, and nowhere else", () => {
    expect(labels("hooks:\n  pre_tool_use:\n    - hooks:\n        - type: ")).toContain("rules");
    expect(labels("hooks:\n  stop:\n    - type: ")).not.toContain("rules");
  });
});

it.each(PROFILES)("an event taken from the list reads as a policy in %s once its command is there", (profile) => {
  const place = positionAt(["hooks:", "  "], 1, 2);
  for (const hint of hintsAt(place, profile, NONE)) {
    const text = `profile: "${profile}"\nhooks:\n  ${hint.insert}"true"\n`;
    expect([hint.label, readPolicy(text).problems]).toEqual([hint.label, []]);
  }
});

describe("what a key means", () => {
  it("of an event, with what a hook may do there", () => {
    expect(meaningOf(["hooks", "pre_tool_use"], "2026-07")?.join(" ")).toMatch(
      /allow, ask or deny.*hook that fails denies the action/,
    );
    expect(meaningOf(["hooks", "turn_end"], "2026-07")?.join(" ")).toMatch(/only observe/);
  });
  it("of a field, with its words and its default", () => {
    expect(meaningOf(["hooks", "stop", "[]", "on_error"], "2026-07")?.join(" ")).toMatch(
      /warn, ignore, block.*Default: warn/,
    );
  });
  it("of nothing we know: nothing", () => {
    expect(meaningOf(["hooks", "nonsense"], "2026-07")).toBeNull();
  });
});

it("the profile is the one the text names", () => {
  expect(profileOf('profile: "2026-08"\nhooks:')).toBe("2026-08");
  expect(profileOf("hooks:")).toBe("2026-07");
});
