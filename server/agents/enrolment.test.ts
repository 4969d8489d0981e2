import { execFile } from "node:child_process";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import {
  commandKind,
  contractOf,
  createExecutor,
  type EventName,
  everyHook,
  type HooksConfig,
  PROFILES,
  type Profile,
  parseHooks,
  type Spawner,
  startSpawner,
  systemClock,
} from "@quarterdeck/hooks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { AGENT_KEY, BEARER, headersOf, signatureOf } from "../../e2e/fixtures/fake-console.ts";
import { gateAddress } from "../dialects/index.ts";
import { readPolicy } from "../policies/text/source.ts";
import { enrolledEvents } from "./enrolled-events.ts";
import { enrolment } from "./enrolment.ts";

const KEY = AGENT_KEY;
const TRUST_KEY = "MCowBQYDK2VwAyEA";
const INPUT = JSON.stringify({
  session_id: "s",
  tool_name: "shell",
  tool_input: { cmd: "echo 'quoted' \"twice\" $HOME" },
});

/** The server's next answer, and the requests it received. */
let answer: (request: IncomingMessage, response: ServerResponse) => void;
const asked: { url: string; key: string | undefined; type: string | undefined; body: string }[] = [];
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const { authorization, "content-type": type } = request.headers;
    asked.push({ url: request.url ?? "", key: authorization, type, body: Buffer.concat(chunks).toString() });
    answer(request, response);
  });
});
let url = "";
let spawner: Spawner;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // a TCP server's address
  spawner = await startSpawner({ sandbox: "none" });
});
afterAll(async () => {
  await spawner.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** As the console signs it. */
const says = (status: number, body: string) => (request: IncomingMessage, response: ServerResponse) => {
  const nonce = String(request.headers["quarterdeck-nonce"]);
  const sent = {
    target: request.url ?? "",
    headers: headersOf(request),
    body: Buffer.from(asked.at(-1)?.body ?? ""),
    nonce,
  };
  const signature = signatureOf(sent, body, { status });
  const signed = { "quarterdeck-nonce": nonce, "quarterdeck-answer-mac": signature };
  response.writeHead(status, { "content-type": "application/json", ...signed });
  response.end(body);
};
const fails = (status: number, message: string) => says(status, JSON.stringify({ error: { code: "any", message } }));

function hooksOf(profile: Profile, at = url): HooksConfig {
  const { hooks } = parse(enrolment({ url: at, profile, trustKey: TRUST_KEY }).hooks) as { hooks: unknown }; // our own text
  const parsed = parseHooks(hooks, profile);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.hooks;
}

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command the way docker-agent does: `$SHELL -c`, the input on stdin. */
function run(command: string, { shell = "/bin/sh", key = KEY, path = process.env.PATH ?? "" } = {}): Promise<Ended> {
  return new Promise((resolve) => {
    // bash reads ~/.bashrc when its stdin is a socket, as Node's is.
    const env = {
      NODE_ENV: "test" as const,
      PATH: path,
      HOME: "/nonexistent",
      ...(key === "" ? {} : { QUARTERDECK_KEY: key }),
    };
    const child = execFile(shell, ["-c", command], { env }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === "number" ? error.code : -1;
      resolve({ code, stdout, stderr });
    });
    child.stdin?.on("error", () => undefined); // a hook may end before it reads
    child.stdin?.end(INPUT);
  });
}

const commandsOf = (event: EventName, profile: Profile = "2026-08", at = url) =>
  everyHook(hooksOf(profile, at)).flatMap(({ event: name, hook }) => (name === event ? [hook.command ?? ""] : []));
const gate = (at = url) => commandsOf("pre_tool_use", "2026-08", at)[1] ?? "";
const observer = (at = url) => commandsOf("turn_end", "2026-08", at)[0] ?? "";

describe.each(PROFILES)("the hooks block for docker-agent %s", (profile) => {
  it("is valid, publishable and holds every event of the profile", () => {
    expect(Object.keys(hooksOf(profile))).toEqual([...enrolledEvents(profile)]);
    const source = `profile: "${profile}"\n${enrolment({ url, profile, trustKey: TRUST_KEY }).hooks}`;
    expect(readPolicy(source).problems).toEqual([]);
  });

  it("asks for each lane of pre_tool_use once", () => {
    const lanes = hooksOf(profile).pre_tool_use?.map((entry) => [entry.preempt_yolo ?? false, entry.hooks?.length]);
    expect(lanes).toEqual([
      [true, 1],
      [false, 1],
    ]);
  });

  it("never outlives its own deadline: curl gives up first", () => {
    for (const { hook } of everyHook(hooksOf(profile))) {
      const curlSeconds = Number(/seconds=(\d+);/.exec(hook.command ?? "")?.[1]);
      expect(curlSeconds).toBeLessThan(hook.timeout ?? 60);
    }
  });

  it("has the server wait for a person at gates alone, and two seconds less than curl waits at least", () => {
    const stated = everyHook(hooksOf(profile)).map(({ hook }) => ({
      isGate: hook.on_error === "block",
      curl: Number(/seconds=(\d+);/.exec(hook.command ?? "")?.[1]),
      person: Number(/wait=(\d+);/.exec(hook.command ?? "")?.[1] ?? 0),
    }));
    expect(stated.filter(({ person }) => person > 0)).toEqual(stated.filter(({ isGate }) => isGate));
    for (const { person, curl } of stated) expect(person).toBeLessThanOrEqual(curl - 2);
  });

  it("holds no key", () => {
    expect(JSON.stringify(hooksOf(profile))).not.toContain(BEARER);
  });

  it("sends every event to its own address, through our own executor", async () => {
    const executor = createExecutor({
      config: hooksOf(profile),
      profile,
      kinds: [commandKind(spawner, { place: "given" })],
      clock: systemClock,
      env: { PATH: process.env.PATH ?? "", QUARTERDECK_KEY: KEY },
      workingDir: "/",
    });
    asked.length = 0;
    const input = { session_id: "s", tool_name: "shell" };
    for (const event of enrolledEvents(profile)) {
      answer = says(200, contractOf(event, profile).guardsContent ? '{"continue":true}' : "{}");
      const lanes = contractOf(event, profile).hasPreemptLane
        ? (["default", "preempt_yolo"] as const)
        : (["default"] as const);
      for (const lane of lanes) {
        const { hooks } = await executor.dispatch({ event, lane, input });
        expect(hooks.map(({ outcome }) => outcome.kind)).toEqual(["completed"]);
        const isGate = lanes.length > 1 || event === "tool_guard";
        const address = `/api/v1/hooks/${isGate ? gateAddress(event, lane, profile) : event}`;
        expect(asked.at(-1)).toMatchObject({ url: address, key: `Bearer ${BEARER}`, type: "application/json" });
        expect(JSON.parse(asked.at(-1)?.body ?? "")).toMatchObject({ hook_event_name: event, session_id: "s" });
      }
    }
  });

  it.each([
    ["allow", true],
    ["ask", true],
    ["deny", false],
  ] as const)("brings a verdict of %s to the agent", async (decision, allowed) => {
    const executor = createExecutor({
      config: hooksOf(profile),
      profile,
      kinds: [commandKind(spawner, { place: "given" })],
      clock: systemClock,
      env: { PATH: process.env.PATH ?? "", QUARTERDECK_KEY: KEY },
      workingDir: "/",
    });
    const verdict = { permission_decision: decision, permission_decision_reason: 'a "reason" with 100 % of \\ signs' };
    answer = says(200, JSON.stringify({ hook_specific_output: verdict }));
    const { result } = await executor.dispatch({
      event: "pre_tool_use",
      input: { session_id: "s", tool_name: "shell" },
    });
    expect(result).toMatchObject({ allowed, decision, decision_reason: verdict.permission_decision_reason });
  });
});

describe.each(["/bin/sh", "/bin/bash"])("under %s", (shell) => {
  it("a gate hands on the answer as it is", async () => {
    const said =
      '{"hook_specific_output":{"permission_decision":"deny","permission_decision_reason":"100 %s \\n \\\\ no"}}';
    answer = says(200, said);
    expect(await run(gate(), { shell })).toEqual({ code: 0, stdout: `${said}\n`, stderr: "" });
    expect(asked.at(-1)?.body).toBe(INPUT);
  });

  it.each([
    ["a database that is away", fails(503, "The database is not responding."), "The database is not responding."],
    ["a revoked key", fails(401, "This agent key was revoked."), "This agent key was revoked."],
    ["too much at once", fails(429, "Too much at once."), "Too much at once."],
    ["an empty answer", says(200, ""), "HTTP 200"],
    ["an answer that is no object", says(200, "[]"), "HTTP 200"],
    ["a page where an answer should be", says(200, "<html>{}</html>"), "HTTP 200"],
    ["a redirect", says(302, "{}"), "HTTP 302"],
    ["a failure without words", says(500, ""), "HTTP 500"],
    ["half an answer", halfAnAnswer, "no answer"],
    ["a line that goes dead", (_request: IncomingMessage, response: ServerResponse) => response.destroy(), "no answer"],
  ])("a gate stays shut on %s", async (_what, reply, reason) => {
    answer = reply;
    const ended = await run(gate(), { shell });
    expect(ended).toMatchObject({ code: 2, stdout: "" });
    expect(ended.stderr).toContain(reason);
    expect(await run(observer(), { shell })).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  it("a gate stays shut when nobody listens, and an observer is silent", async () => {
    const nobody = "http://127.0.0.1:9";
    const ended = await run(gate(nobody), { shell });
    expect(ended).toMatchObject({ code: 2, stdout: "" });
    expect(ended.stderr).toContain(`There is no answer from ${nobody}, so this is blocked.`);
    expect(await run(observer(nobody), { shell })).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  it("a gate stays shut without a key, and sends nothing", async () => {
    const before = asked.length;
    const ended = await run(gate(), { shell, key: "" });
    expect(ended).toMatchObject({ code: 2, stdout: "" });
    expect(ended.stderr).toContain("QUARTERDECK_KEY is not set");
    expect(await run(observer(), { shell, key: "" })).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(asked.length).toBe(before);
  });

  it("a gate needs no PATH, and stays shut without curl", async () => {
    // The relay looks in the system's own folders whatever PATH says, so the name is one that no folder has.
    const without = (command: string) => command.replaceAll("curl ", "no-such-curl ");
    answer = says(200, "{}");
    expect(await run(gate(), { shell, path: "/nonexistent" })).toMatchObject({ code: 0 });
    expect(await run(without(gate()), { shell })).toMatchObject({ code: 2, stdout: "" });
    expect(await run(without(observer()), { shell })).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  it("an observer hands on an answer too", async () => {
    answer = says(200, '{"system_message":"hello"}');
    expect(await run(observer(), { shell })).toEqual({ code: 0, stdout: '{"system_message":"hello"}\n', stderr: "" });
  });
});

it("every event that can block is shut by a failure, every other one is not disturbed", async () => {
  answer = fails(503, "The database is not responding.");
  for (const profile of PROFILES)
    for (const event of enrolledEvents(profile)) {
      const { canBlock, failsClosed } = contractOf(event, profile);
      for (const command of commandsOf(event, profile)) {
        const { code, stdout } = await run(command);
        expect([event, code, stdout]).toEqual([event, canBlock || failsClosed ? 2 : 0, ""]);
      }
    }
});

it("the key is not among the arguments that a list of processes shows", () => {
  expect(gate()).not.toMatch(/curl "[^|]*QUARTERDECK_KEY/);
});

it("no address breaks out of the shell text", async () => {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: shell text
  const nasty = "http://127.0.0.1:9/$(touch${IFS}x)'\"`id`\\!";
  const ended = await run(gate(nasty));
  expect(ended).toMatchObject({ code: 2, stdout: "" });
  expect(ended.stderr).toContain("There is no answer");
});

function halfAnAnswer(_request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(200, { "content-type": "application/json", "content-length": 500 });
  response.write('{"decision":"');
  response.socket?.destroySoon();
}
