import { afterEach, expect, it, vi } from "vitest";
import { decisionFilters } from "../schema.ts";
import type { CallNews } from "./follower.ts";
import { type LiveCallsMessage, READ_AGAIN_MS } from "./schema.ts";
import { type StreamSources, streamCalls } from "./viewer-stream.ts";
import type { WholeCall } from "./whole-calls.ts";

const AT = new Date("2026-11-20T12:00:00Z");
let places = 0;
function call(verdict: string, more: Partial<WholeCall["decisions"][number]> = {}): WholeCall {
  places += 1;
  const id = `0193a5f0-0000-7000-8000-${String(places).padStart(12, "0")}`;
  const decision = {
    ...{ occurredAt: AT, id, kind: "gate" as const, agentId: id, agentName: "ci bot" },
    ...{ sessionId: "s1", principal: null },
    ...{ event: "pre_tool_use", tool: "shell", toolUseId: id, verdict, source: "", reason: "", excerpt: "" },
    ...more,
  };
  const rest = { request: null, ran: null, followUp: null };
  return { name: id, decisions: [decision], enrolledName: "ci bot", ...rest };
}

const CALM = { level: 0, untilBelow: async () => true };
let end = new AbortController();
afterEach(() => end.abort());

function viewer(filters: object = {}, pressure: StreamSources["pressure"] = CALM) {
  end = new AbortController();
  let send: (news: CallNews) => void = () => undefined;
  const stopped = vi.fn();
  const follower = {
    async follow(_workspaceId: string, listener: (news: CallNews) => void) {
      send = listener;
      return stopped;
    },
  };
  const of = { workspaceId: "w", filters: decisionFilters.parse(filters) };
  const steps = streamCalls({ callFollower: follower, pressure }, of, end.signal);
  return {
    send: (news: CallNews) => send(news),
    next: async () => (await steps.next()).value as LiveCallsMessage,
    stopped,
  };
}
const verdictsOf = (message: LiveCallsMessage) =>
  message.kind === "calls" ? message.calls.map(({ decisions: [first] }) => first?.verdict) : message.kind;

it("sends what the filter finds, and the newest state of each call", async () => {
  const { send, next } = viewer({ verdict: ["deny", "ask"] });
  expect(await next()).toEqual({ kind: "started" });
  const changed = call("ask");
  send([call("deny"), call("allow"), changed]);
  send([{ ...changed, ran: "failed" }]);
  const message = await next();
  expect(verdictsOf(message)).toEqual(["deny", "ask"]);
  expect(message.kind === "calls" && message.calls[1]?.ran).toBe("failed");
  send([call("deny")]);
  expect(verdictsOf(await next())).toEqual(["deny"]);
});

it("a call that loses its outcome leaves the list", async () => {
  const { send, next } = viewer({ outcome: ["allowed"] });
  await next();
  const gate = call("allow");
  const final = call("deny", { kind: "final" });
  send([{ ...gate, decisions: [...gate.decisions, ...final.decisions] }, call("deny")]);
  const message = await next();
  expect(message.kind === "calls" && message.calls.map(({ matching }) => matching)).toEqual([[]]);
});

it.each([
  ["many calls", () => Array.from({ length: 400 }, () => call("deny"))],
  ["long reasons", () => [1, 2, 3].map(() => call("deny", { reason: "x".repeat(500_000) }))],
  ["a gap", () => null],
])("%s that a viewer has not read become one word, and the next ones are sent", async (_, news) => {
  const { send, next } = viewer();
  await next();
  send(news());
  send([call("deny")]);
  expect(await next()).toEqual({ kind: "missed" });
  send([call("ask")]);
  expect(verdictsOf(await next())).toEqual(["ask"]);
});

it("a viewer that reads too slowly again and again reads its list every five seconds, and learns its pace", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const { send, next } = viewer();
    await next();
    const many = () => Array.from({ length: 400 }, () => call("deny"));
    send(many());
    expect(await next()).toEqual({ kind: "missed" });
    send(many());
    expect(await next()).toEqual({ kind: "pace", isSlowed: true });
    vi.advanceTimersByTime(READ_AGAIN_MS);
    expect(await next()).toEqual({ kind: "missed" });
    send([call("ask")]);
    expect(verdictsOf(await next())).toEqual(["ask"]);
    vi.advanceTimersByTime(READ_AGAIN_MS);
    expect(await next()).toEqual({ kind: "pace", isSlowed: false });
  } finally {
    vi.useRealTimers();
  }
});

it("passes on the pace of its workspace", async () => {
  const { send, next } = viewer();
  await next();
  send({ isSlowed: true });
  send([call("deny")]);
  expect(await next()).toEqual({ kind: "pace", isSlowed: true });
  expect(verdictsOf(await next())).toEqual(["deny"]);
});

it("lists are read again more slowly while gates wait", async () => {
  const untilBelow = vi.fn(async () => true);
  const { send, next } = viewer({}, { level: 2, untilBelow });
  await next();
  send([call("deny")]);
  await next();
  send(null);
  await next();
  send([call("ask")]);
  expect(untilBelow).not.toHaveBeenCalled();
  expect(verdictsOf(await next())).toEqual(["ask"]);
  expect(untilBelow).toHaveBeenCalledExactlyOnceWith(1, 2_000, end.signal);
});

it("ends with its signal, and is followed no more", async () => {
  const { next, stopped } = viewer();
  await next();
  const last = next();
  end.abort();
  expect(await last).toBeUndefined();
  expect(stopped).toHaveBeenCalledOnce();
});

it("refuses filters that cannot be followed", async () => {
  await expect(viewer({ text: "rm" }).next()).rejects.toMatchObject({ code: "invalid_input" });
});
