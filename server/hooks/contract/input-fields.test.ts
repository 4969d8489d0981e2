import { describe, expect, it } from "vitest";
import { EVENTS, type EventName, eventNames } from "./events.ts";
import { hookInput } from "./input.ts";
import { inputFields, SAMPLE_TOOL_CALL_NAMES, sampleInput } from "./input-fields.ts";

describe("the fields of an event's input", () => {
  it.each(eventNames("2026-11"))("%s: are fields of the schema, and its sample is an input", (event: EventName) => {
    const fields = inputFields(event);
    expect(fields.filter((field) => !Object.hasOwn(hookInput.shape, field))).toEqual([]);
    expect(fields.includes("tool_name")).toBe(EVENTS[event].toolScoped);
    expect(hookInput.safeParse(sampleInput(event)).success).toBe(true);
  });

  it("belong to some event each, but for the event's own name", () => {
    const used = new Set<string>(eventNames("2026-11").flatMap((event) => [...inputFields(event)]));
    expect(Object.keys(hookInput.shape).filter((field) => !used.has(field))).toEqual(["hook_event_name"]);
  });

  it("that name a tool follow the preset", () => {
    const names = SAMPLE_TOOL_CALL_NAMES.map((preset) => sampleInput("pre_tool_use", preset).tool_name);
    expect(new Set(names).size).toBe(SAMPLE_TOOL_CALL_NAMES.length);
    expect(sampleInput("turn_start", "mcp").tool_name).toBeUndefined();
  });
});
