import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { AgentActor } from "../access/actor.ts";
import type { Stage } from "../dialects/index.ts";
import { type CallDispatcher, dispatchCall } from "./dispatch-call.ts";
import type { DispatchRequest } from "./dispatch-request.ts";
import { readInput } from "./read-input.ts";

const EARLY: Stage = { event: "pre_tool_use", lane: "preempt_yolo" };
const actor = { kind: "agent", id: "a", workspaceId: "w" } as unknown as AgentActor; // only passed on here

/** Asks about one call under the key "k"; the policies have hooks for `hooked`, and `known` are on record. */
async function ask({ hooked = [], known = [] }: { hooked?: readonly Stage[]; known?: readonly string[] }) {
  const lookedUp: (readonly string[])[] = [];
  const requests: DispatchRequest[] = [];
  const dispatcher: CallDispatcher = {
    async findHooked(_actor, stages) {
      return stages.find(({ event, lane }) => hooked.some((one) => one.event === event && one.lane === lane)) ?? null;
    },
    async findDelivered(_actor, keys) {
      lookedUp.push(keys);
      return new Set(keys.filter((key) => known.includes(key)));
    },
    async dispatch(_actor, request) {
      requests.push(request);
      return { answer: "{}", dispatchId: randomUUID(), revision: "", isRepeated: false };
    },
  };
  const body = JSON.stringify({ session_id: "s", tool_use_id: "t", tool_name: "shell", tool_input: {} });
  const read = await readInput(actor.id, { body, isEnveloped: false });
  const client = { signal: new AbortController().signal };
  await dispatchCall(dispatcher, actor, { event: "pre_tool_use", read, client, idempotencyKey: "k" });
  return { lookedUp, gates: requests.map(({ lane, isNew }) => `${lane} ${isNew ? "new" : "to look up"}`) };
}

describe("the key of a call", () => {
  test("is looked up once, with the keys of its other gates", async () => {
    const { lookedUp, gates } = await ask({});
    expect(lookedUp).toEqual([
      ["k tool_input_transform default", "k tool_guard default", "k pre_tool_use preempt_yolo", "k"],
    ]);
    expect(gates).toEqual(["default new"]);
  });

  test("is looked up again after an earlier gate, which may have waited for people", async () => {
    expect((await ask({ hooked: [EARLY] })).gates).toEqual(["preempt_yolo new", "default to look up"]);
  });

  test.each(["k", "k pre_tool_use preempt_yolo"])("is looked up again if %s is on record", async (known) => {
    expect((await ask({ hooked: [EARLY], known: [known] })).gates).toEqual([
      "preempt_yolo to look up",
      "default to look up",
    ]);
  });
});
