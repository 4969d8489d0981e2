import { expect, it } from "vitest";
import { laterEventsText } from "./later-events-text";

it("names each event with the version that raises it", () => {
  expect(laterEventsText([])).toBe("");
  expect(laterEventsText([{ event: "tool_guard", since: "1.138" }])).toBe(
    " This version does not send tool_guard (from 1.138). Hooks on this event have no effect.",
  );
});
