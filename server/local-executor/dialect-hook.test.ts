/** Every client's gates and observers, answered by the command when there is no verdict: the client's model says what follows. */
import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { clientModels } from "../dialects/client-models.ts";
import { CLIENT_CAPABILITIES } from "../dialects/clients.ts";
import { CLIENT_NAMES, type ClientName } from "../dialects/schema.ts";
import { samplePayloads } from "../dialects/testing/sample-payloads.ts";
import type { World } from "./call.ts";
import { brokenDialectHook, dialectHook } from "./dialect-hook.ts";
import type { Source } from "./dialect-source.ts";
import type { Ended } from "./exit.ts";

const events = CLIENT_NAMES.flatMap((client) =>
  Object.entries(CLIENT_CAPABILITIES[client].events).map(([event, { deny }]) => ({ client, event, deny })),
);
const gates = events.filter(({ deny }) => deny === "held");
const observers = events.filter(({ deny }) => deny !== "held");

function worldOf(stdin: Readable, running = 0): World {
  return {
    env: {},
    workingDir: ".",
    stdin,
    now: Date.now,
    signal: new AbortController().signal,
    runningMs: () => running,
    flushCommand: [],
  };
}
const printed = (text: string | Buffer) => worldOf(Readable.from([Buffer.from(text)]));
const broken: Source = () => Promise.reject(new Error("nothing answers"));
const allows: Source = async () => ({});

/** The event happens all the same, by the words of the client's maker. */
function happens({ code, stdout }: Ended, client: ClientName, event: string): boolean {
  expect(code).toBe(0);
  const body = JSON.parse(stdout);
  if (client === "docker-agent") return body.decision !== "block" || !body.reason;
  const [payload = {}] = samplePayloads(client, event);
  return !clientModels[client](body, { event, payload, interactive: false }).refused;
}

/** Anything that a client may have at its end of the pipe; each pipe is read once. */
const INPUTS: Record<string, () => World> = {
  "an empty input": () => printed(""),
  "an input that is cut off": () => printed('{"session_id":"s","tool_na'),
  "an input that is no object": () => printed('["PreToolUse"]'),
  "bytes that are not UTF-8": () => printed(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])),
  "more than is taken": () => worldOf(Readable.from(Array.from({ length: 5 }, () => Buffer.alloc(1024 * 1024, 0x20)))),
};

describe("without a verdict", () => {
  it.each(gates)("$client $event does not happen", async ({ client, event }) => {
    for (const payload of samplePayloads(client, event)) {
      const ended = await dialectHook(["--dialect", client, event], printed(JSON.stringify(payload)), broken);
      expect(happens(ended, client, event)).toBe(false);
      expect(ended.stdout).toContain("nothing answers");
    }
    expect(happens(brokenDialectHook(["--dialect", client, event], "It failed."), client, event)).toBe(false);
  });

  it.each(observers)("$client $event is not disturbed", async ({ client, event }) => {
    for (const payload of [{}, ...samplePayloads(client, event)]) {
      const ended = await dialectHook(["--dialect", client, event], printed(JSON.stringify(payload)), broken);
      expect(ended).toEqual({ code: 0, stdout: "{}\n", stderr: "" });
    }
  });

  it("at the limit, while the client holds the pipe open, a gate denies and an observer is let go", async () => {
    for (const { client, event, deny } of events) {
      const waiting = () => worldOf(new Readable({ read: () => undefined }), 9_000);
      const ended = await dialectHook(["--dialect", client, event], waiting(), allows);
      expect(happens(ended, client, event)).toBe(deny !== "held");
    }
  });

  it("told to end, a gate denies", async () => {
    const ending = new AbortController();
    const world = { ...worldOf(new Readable({ read: () => undefined })), signal: ending.signal };
    const ended = dialectHook(["--dialect", "codex", "PreToolUse"], world, allows);
    ending.abort();
    expect((await ended).stdout).toContain("It was told to end");
  });
});

describe("an input that cannot be read", () => {
  it.each(Object.entries(INPUTS))("%s: a gate denies, an observer is let go", async (_name, input) => {
    for (const client of CLIENT_NAMES) {
      const ofIt = (list: typeof events) => list.find((one) => one.client === client)?.event ?? "";
      const [gate, observer] = [ofIt(gates), ofIt(observers)];
      expect(happens(await dialectHook(["--dialect", client, gate], input(), allows), client, gate)).toBe(false);
      const observed = await dialectHook(["--dialect", client, observer], input(), allows);
      expect(observed).toEqual({ code: 0, stdout: "{}\n", stderr: "" });
    }
  });
});

describe("the wrong arguments", () => {
  it.each([
    ["no event", ["--dialect", "cline"]],
    ["two events", ["--dialect", "cline", "tool_call", "tool_result"]],
    ["a flag that is none", ["--dialect", "cline", "tool_call", "--lane", "default"]],
    ["a limit that is none", ["--dialect", "cline", "tool_call", "--timeout", "0"]],
    ["a path for an event", ["--dialect", "cline", "../policy"]],
  ])("%s: both ways to block are tried at once", async (_name, argv) => {
    const { code, stdout, stderr } = await dialectHook(argv, printed("{}"), allows);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^Quarterdeck: .+\n$/);
    expect(JSON.parse(stdout)).toEqual({ cancel: true, errorMessage: expect.stringContaining("no verdict") });
  });

  it("an unknown client is named with those that are known", async () => {
    const { code, stdout, stderr } = await dialectHook(["--dialect", "clyne", "tool_call"], printed("{}"), allows);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain('There is no dialect "clyne". Dialects: docker-agent, claude-code,');
  });
});
