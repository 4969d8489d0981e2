import { describe, expect, it } from "vitest";
import type { Administrator } from "./actor.ts";
import { createStreams, STREAM_LIMITS } from "./streams.ts";

const person = (id: string): Administrator => ({ kind: "person", role: "viewer", workspaceId: "w", id, name: id });
const refused = { code: "busy", message: expect.stringContaining("streams open already") };

describe("streams", () => {
  it("are bounded by session and by person, and a place that was left is free again", () => {
    const streams = createStreams({ ofSessionMax: 2, ofPersonMax: 3 });
    const leave = streams.enter(person("ada"), "one");
    streams.enter(person("ada"), "one");
    expect(() => streams.enter(person("ada"), "one")).toThrow(expect.objectContaining(refused));
    streams.enter(person("ada"), "two");
    expect(() => streams.enter(person("ada"), "two")).toThrow(expect.objectContaining(refused));
    streams.enter(person("bob"), "three");
    leave();
    leave();
    streams.enter(person("ada"), "two");
    expect(() => streams.enter(person("ada"), "one")).toThrow(expect.objectContaining(refused));
  });

  it("of one of several processes are its part, and a few tabs at least", () => {
    const streams = createStreams(STREAM_LIMITS, 16);
    for (let tab = 0; tab < 8; tab += 1) streams.enter(person("ada"), "one");
    expect(() => streams.enter(person("ada"), "one")).toThrow(expect.objectContaining(refused));
  });
});
