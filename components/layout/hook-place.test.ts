import { expect, it } from "vitest";
import { hookEventTitle, withEventTitles } from "@/components/layout/hook-place";

it.each([
  ["hooks.pre_tool_use[0].hooks[1]", "Before a tool runs"],
  ["pre_tool_use[3].hooks[0]", "Before a tool runs"],
  ["hooks.turn_start[2]", "Turn start"],
  ["hooks.on_lunch[0]", "on_lunch"],
  ["the agent's command line", "the agent's command line"],
  ["", ""],
])("the hook at %j is named by its event", (path, title) => expect(hookEventTitle(path)).toBe(title));

it("a sentence names events where it had paths", () => {
  const denied = 'Denied by "no deletes" (bench revision 2, hooks.pre_tool_use[0].hooks[0]): nothing is deleted here.';
  expect(withEventTitles(denied)).toBe(
    'Denied by "no deletes" (bench revision 2, Before a tool runs): nothing is deleted here.',
  );
  expect(withEventTitles("No hook applies.")).toBe("No hook applies.");
});
