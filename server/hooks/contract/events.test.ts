import { expect, it } from "vitest";
import { contractOf, EVENTS, eventNames, isEventName, LANES, PROFILES } from "./events.ts";
import { eventVariant } from "./profiles.ts";

it("knows 28 events, two of them only in the newer profile", () => {
  expect(Object.keys(EVENTS)).toHaveLength(28);
  expect(eventNames("2026-08")).toHaveLength(28);
  expect(eventNames("2026-07")).toHaveLength(26);
  const newer = eventNames("2026-08").filter((event) => !isEventName(event, "2026-07"));
  expect(newer.sort()).toEqual(["tool_guard", "tool_input_transform"]);
});

it("fails closed exactly where a failed gate must not pass", () => {
  for (const profile of PROFILES) {
    const closed = eventNames(profile).filter((event) => contractOf(event, profile).failsClosed);
    expect(closed.sort()).toEqual(profile === "2026-08" ? ["pre_tool_use", "tool_guard"] : ["pre_tool_use"]);
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
  for (const event of eventNames("2026-08")) {
    for (const profile of PROFILES) {
      for (const lane of LANES) {
        for (const column of Object.keys(eventVariant(event, profile, lane)))
          expect(EVENTS[event]).toHaveProperty(column);
      }
    }
  }
});

it("never lets an event decide, rewrite input or refuse a failure without being able to block", () => {
  for (const event of eventNames("2026-08")) {
    const { canBlock, decides, approves, failsClosed } = contractOf(event, "2026-08");
    if (decides || approves || failsClosed) expect(canBlock, event).toBe(true);
  }
});

it("takes names from strangers without being fooled by an object's own words", () => {
  expect(isEventName("constructor", "2026-08")).toBe(false);
  expect(isEventName("__proto__", "2026-08")).toBe(false);
  expect(isEventName("Stop", "2026-08")).toBe(false);
  expect(isEventName("stop", "2026-08")).toBe(true);
});
