import { expect, it } from "vitest";
import { contractOf, EVENTS, eventNames, isEventName, LANES, PROFILES } from "./events.ts";
import { eventVariant } from "./profiles.ts";

const CONTENT_GUARDS = ["prompt_file_guard", "skill_content_guard"];
const CONTROL = ["after_agent_complete", "before_agent_run"];
const FAILS_CLOSED = {
  "2026-07": ["pre_tool_use"],
  "2026-08": ["pre_tool_use", "tool_guard"],
  "2026-11": [...CONTROL, "pre_tool_use", ...CONTENT_GUARDS, "tool_guard"].sort(),
};

it("knows 32 events: 26 of the first profile, two more in the second and four in the third", () => {
  expect(Object.keys(EVENTS)).toHaveLength(32);
  expect(eventNames("2026-11")).toHaveLength(32);
  expect(eventNames("2026-08")).toHaveLength(28);
  expect(eventNames("2026-07")).toHaveLength(26);
  const newest = eventNames("2026-11").filter((event) => !isEventName(event, "2026-08"));
  expect(newest.sort()).toEqual([...CONTENT_GUARDS, ...CONTROL].sort());
  const newer = eventNames("2026-08").filter((event) => !isEventName(event, "2026-07"));
  expect(newer.sort()).toEqual(["tool_guard", "tool_input_transform"]);
});

it("fails closed exactly where a failed gate must not pass", () => {
  for (const profile of PROFILES) {
    const closed = eventNames(profile).filter((event) => contractOf(event, profile).failsClosed);
    expect(closed.sort()).toEqual(FAILS_CLOSED[profile]);
  }
});

it("collects metadata and rewrites nothing on the preempt lane", () => {
  for (const profile of PROFILES) {
    expect(contractOf("pre_tool_use", profile, "preempt_yolo")).toMatchObject({
      addsMetadata: true,
      rewrites: "nothing",
      failsClosed: true,
      decides: true,
    });
    expect(contractOf("pre_tool_use", profile)).toMatchObject({ addsMetadata: false, rewrites: "tool_input" });
  }
});

it("takes context from post_tool_use and stop in the older profile only", () => {
  for (const event of ["post_tool_use", "stop"] as const) {
    expect(contractOf(event, "2026-07").addsContext).toBe(true);
    expect(contractOf(event, "2026-08").addsContext).toBe(false);
  }
});

it("lets a profile change only columns that the table has", () => {
  for (const event of eventNames("2026-11")) {
    for (const profile of PROFILES) {
      for (const lane of LANES) {
        for (const column of Object.keys(eventVariant(event, profile, lane)))
          expect(EVENTS[event]).toHaveProperty(column);
      }
    }
  }
});

it("never lets an event decide, rewrite input or refuse a failure without being able to block", () => {
  for (const event of eventNames("2026-11")) {
    const { canBlock, decides, approves, failsClosed } = contractOf(event, "2026-11");
    if (decides || approves || failsClosed) expect(canBlock, event).toBe(true);
  }
});

it("takes names from strangers without being fooled by an object's own words", () => {
  expect(isEventName("constructor", "2026-08")).toBe(false);
  expect(isEventName("__proto__", "2026-08")).toBe(false);
  expect(isEventName("Stop", "2026-08")).toBe(false);
  expect(isEventName("stop", "2026-08")).toBe(true);
});

it("has one row for each new event, and the same rows for all others", () => {
  const rows = (columns: readonly string[], event: string) =>
    columns.filter((column) => contractOf(event as "stop", "2026-11")[column as "canBlock"]);
  const columns = Object.keys(EVENTS.stop).filter((column) => typeof EVENTS.stop[column as "canBlock"] === "boolean");
  for (const event of CONTROL)
    expect(rows(columns, event)).toEqual(["canBlock", "failsClosed", "addsMetadata", "control"]);
  for (const event of CONTENT_GUARDS)
    expect(rows(columns, event)).toEqual(["canBlock", "failsClosed", "guardsContent"]);
  for (const event of eventNames("2026-08"))
    expect(contractOf(event, "2026-11"), event).toEqual(contractOf(event, "2026-08"));
});
