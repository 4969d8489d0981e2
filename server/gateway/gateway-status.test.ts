import { beforeEach, describe, expect, it } from "vitest";
import { stoppedClock } from "../platform/clock.ts";
import { singleProcess } from "../platform/worker-rpc.ts";
import { createGatewayStatus, type GatewayStatus } from "./gateway-status.ts";

const T0 = Date.UTC(2026, 10, 22, 17, 14, 2);
const WELL = [["database", null] as const];
const AWAY = [["database", "The database is not responding."] as const];
let clock: ReturnType<typeof stoppedClock>;
let status: GatewayStatus;
beforeEach(() => {
  clock = stoppedClock(T0);
  status = createGatewayStatus({ workerRpc: singleProcess(), clock, figuresBehindMs: async () => 250 });
});

const answering = {
  ...{ state: "answering", since: null, reasons: [], refused: 0, checks: { database: "ok" }, figuresBehindMs: 250 },
};

describe("the status", () => {
  it("is that agents are answered, until one is refused for a fault of ours, and again once one was answered", async () => {
    expect(await status.read(WELL)).toEqual(answering);
    status.refused("database_away");
    clock.advance(2_000);
    status.refused("database_away");
    expect(await status.read(WELL)).toMatchObject({
      state: "blocking",
      since: new Date(T0).toISOString(),
      reasons: ["The database is not responding."],
      refused: 2,
    });
    status.answered();
    expect(await status.read(WELL)).toEqual(answering);
  });

  it("begins with the first look that finds a check failing, when no agent asks", async () => {
    expect(await status.read(WELL)).toEqual(answering);
    clock.advance(5_000);
    await status.read(AWAY);
    clock.advance(60_000);
    expect(await status.read(AWAY)).toMatchObject({
      state: "blocking",
      since: new Date(T0 + 5_000).toISOString(),
      reasons: ["The database is not responding."],
      refused: 0,
      checks: { database: "The database is not responding." },
    });
    expect(await status.read(WELL)).toEqual(answering);
  });

  it.each(["unauthenticated", "invalid_input", "busy", "overloaded", "draining", "not_found", "no such code"])(
    "is not changed by %s, which is no fault of the gateway",
    async (code) => {
      status.refused(code);
      expect(await status.read(WELL)).toEqual(answering);
    },
  );

  it("forgets refusals of long ago: nobody asked since", async () => {
    status.refused("unrecorded");
    clock.advance(60_000);
    expect(await status.read(WELL)).toEqual(answering);
  });
});
