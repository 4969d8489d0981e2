import { describe, expect, it } from "vitest";
import { decisionKey } from "../decisions/schema.ts";
import { eventKeyText, parseEventKey } from "./event-key-schema.ts";

describe("an event's key", () => {
  const key = { occurredAt: new Date("2026-11-20T12:00:00.123Z"), id: "0199f3b2-7a1c-7000-8000-00000000000a" };
  const { id } = key;
  it("comes back from the URL as it went", () => {
    expect(parseEventKey(eventKeyText(key))).toEqual(key);
    expect(parseEventKey(eventKeyText(key).toUpperCase())).toEqual(key);
  });
  it.each([
    ...[null, "", "x", "1", "1.x", "1.2", `-5.${id}`, `5.${"z".repeat(36)}`, `1.${id}; DROP`, `1.${id}`],
    ...[14, 16, 17].map((digits) => `${"9".repeat(digits)}.${id}`),
  ])("is none in %j", (text) => expect(parseEventKey(text)).toBeNull());
  it("is none where the schema of its page takes no such instant", () => {
    const later = eventKeyText({ occurredAt: new Date("2150-01-01T00:00:00Z"), id });
    expect([parseEventKey(later)?.id, parseEventKey(later, decisionKey)]).toEqual([id, null]);
  });
});
