import { expect, it } from "vitest";
import { lossTitle, releaseHelp } from "./export-text";

const releases = [{ name: "1.147", title: "1.147 and later" }];
const gate = { hook: "ask first", event: "pre_tool_use", reason: "It is gone.", remedy: "Add one." };

it("a refusal names the release and counts the gates", () => {
  expect(lossTitle({ release: "1.147", releases, lost: [gate] })).toBe(
    "Not exportable for docker-agent 1.147 and later: the policy would lose a gate.",
  );
  expect(lossTitle({ release: "1.147", releases, lost: [gate, gate] })).toContain("would lose 2 gates.");
});

it("the choice says where it comes from", () => {
  expect(releaseHelp({ agentVersion: "1.130.1", chosenBy: "agent" })).toBe("The agent reported docker-agent 1.130.1.");
  expect(releaseHelp({ agentVersion: null, chosenBy: "default" })).toContain("the newest version is selected");
  expect(releaseHelp({ agentVersion: null, chosenBy: "request" })).not.toContain("newest");
});
