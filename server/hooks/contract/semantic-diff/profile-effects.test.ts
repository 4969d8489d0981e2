/** A change of profile alone, in sentences. */
import { expect, it } from "vitest";
import type { HooksConfig } from "../hook.ts";
import type { Profile } from "../profiles.ts";
import { diffHooksBlocks } from "./semantic-diff.ts";

const hooks: HooksConfig = {
  pre_tool_use: [
    { matcher: "shell", hooks: [{ name: "scan", type: "command", command: "scan" }] },
    { matcher: "shell", preempt_yolo: true, hooks: [{ name: "commands", type: "builtin", command: "safer_shell" }] },
  ],
  turn_start: [{ name: "today", type: "builtin", command: "add_date" }],
};
const diff = (before: Profile, after: Profile) =>
  diffHooksBlocks({ hooks, profile: before }, { hooks, profile: after }).map(({ sentence, mayLoosen }) => [
    sentence.replace(/^.*(denies|allows|only labels|asks again|does what).*$/, "$1"),
    mayLoosen,
  ]);

it("from 2026-07 to 2026-11 a command denies when it fails, and a builtin may loosen", () => {
  expect(diff("2026-07", "2026-11").slice(1)).toEqual([
    ["denies", false],
    ["only labels", true],
    ["does what", false],
  ]);
});

it("from 2026-08 on failures denied already", () => {
  expect(diff("2026-08", "2026-11").slice(1)).toEqual([
    ["only labels", true],
    ["does what", false],
  ]);
});

it("the way back allows, and asks again", () => {
  expect(diff("2026-11", "2026-07").slice(1)).toEqual([
    ["allows", true],
    ["asks again", false],
    ["does what", false],
  ]);
});
