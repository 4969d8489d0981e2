import { checkText } from "@quarterdeck/hooks/contract/text/check";
import { expect, it } from "vitest";
import { withNewestProfile } from "./newest-profile.ts";

const GATE = "hooks:\n  pre_tool_use:\n    - hooks:\n        - { type: command, command: ./gate }\n";
const ruleIds = (text: string) =>
  checkText(text, { equipment: { builtins: [], models: true }, tools: [] }).findings.map(({ rule }) => rule);

it.each([
  ["none", GATE],
  ["an older one", `profile: "2026-07"\n${GATE}`],
  ["a comment above it", `# ours\n${GATE}`],
])("a text with %s gets the newest profile, and its gates deny on failure", (_name, text) => {
  expect(ruleIds(text)).toContain("gate-allows-on-failure");
  const edit = withNewestProfile(text);
  expect(edit.ok && ruleIds(edit.text)).not.toContain("gate-allows-on-failure");
  expect(edit.ok && edit.text).toContain("2026-11");
});

it("a block without hooks: is left to its author", () => {
  expect(withNewestProfile("pre_tool_use: []\n")).toMatchObject({ ok: false, why: expect.stringContaining("2026-11") });
});
