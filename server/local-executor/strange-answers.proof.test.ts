/** Every relay that runs in Node against answers that are none: no call may run. Genuine answers pass, so that a relay which denies all fails too. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pathToFileURL } from "node:url";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import {
  AGENT_KEY,
  ANSWER_KEY,
  BEARER,
  type FakeConsole,
  type HookAnswer,
  startFakeConsole,
} from "../../e2e/fixtures/fake-console.ts";
import { inParallel } from "../../e2e/fixtures/relay-table.ts";
import { genuineAllow, genuineAnswer, STRANGE_ANSWERS, signedError } from "../../e2e/fixtures/strange-answers.ts";
import { createQuarterdeck } from "../../packages/client/index.ts";
import { clientModels } from "../dialects/client-models.ts";
import { CLIENT_CAPABILITIES } from "../dialects/clients.ts";
import { pluginText } from "../dialects/opencode/plugin-text.ts";
import { CLIENT_NAMES, type ClientName } from "../dialects/schema.ts";
import { samplePayloads } from "../dialects/testing/sample-payloads.ts";
import { askConsole } from "./ask-console.ts";
import { openConsole } from "./console-client.ts";
import { dialectHook } from "./dialect-hook.ts";

setFlagsFromString("--expose-gc");
/** A time limit that is held weakly is lost then. */
const collectMemory: () => void = runInNewContext("gc");

const AT_A_TIME = 16;
const TABLE_MS_MAX = 240_000;
const DENIAL = {
  hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason: "No." },
  ...{ permission: "deny", cancel: true, errorMessage: "No." },
  hook_specific_output: { permission_decision: "deny", permission_decision_reason: "No." },
  ...{ decision: "block", reason: "No." },
};
const genuineDeny = genuineAnswer("deny", JSON.stringify(DENIAL));
/** Codex throws an answer with keys of other clients away, and runs the call. */
const codexDeny = genuineAnswer("deny of codex", JSON.stringify({ hookSpecificOutput: DENIAL.hookSpecificOutput }));
/** Characters that act on a terminal, or turn its text around. */
const ACTING = "\u001b]0;x\u0007\u001b[2J a \u202edlrow\u202c \u0085 b";
const acting = signedError(ACTING);
const PAYLOAD = { session_id: "s", tool_name: "shell", tool_input: { cmd: "ls" } };

let base: string;
let fake: FakeConsole;
beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), "strange-answers-"));
  fake = await startFakeConsole([...STRANGE_ANSWERS, genuineAllow, genuineDeny, codexDeny, acting]);
  await mkdir(join(base, ".config/quarterdeck"), { recursive: true });
  await writeFile(join(base, ".config/quarterdeck/header"), `Authorization: Bearer ${BEARER}\n`);
  await writeFile(join(base, ".config/quarterdeck/answer-key"), `${ANSWER_KEY}\n`);
  vi.stubEnv("HOME", base);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await fake?.stop();
  await rm(base, { recursive: true, force: true });
});

/** Runs one call behind an answer: the words of the denial, or null where the call runs. */
type Relay = (answer: HookAnswer) => Promise<string | null>;

function dialectRelay(client: ClientName, key = AGENT_KEY): Relay {
  const events = Object.entries(CLIENT_CAPABILITIES[client].events);
  const [event = ""] = events.find(([, { native, deny }]) => native === "pre_tool_use" && deny === "held") ?? [];
  const [payload = PAYLOAD] = samplePayloads(client, event);
  return async (answer) => {
    const { code, stdout } = await dialectHook(["--dialect", client, event, "--timeout", "3"], {
      env: { QUARTERDECK_URL: fake.urlOf(answer), QUARTERDECK_KEY: key },
      workingDir: base,
      stdin: Readable.from([Buffer.from(JSON.stringify(payload))]),
      now: Date.now,
      signal: new AbortController().signal,
      runningMs: () => 0,
      flushCommand: [],
    });
    expect(code).toBe(0);
    const body = JSON.parse(stdout);
    const isRefused =
      client === "docker-agent"
        ? body.decision === "block"
        : clientModels[client](body, { event, payload, interactive: false }).refused;
    return isRefused ? stdout : null;
  };
}

const native: Relay = async (answer) => {
  const console = await openConsole(fake.urlOf(answer), BEARER);
  try {
    const said = await askConsole(console, ANSWER_KEY, {
      ...{ event: "pre_tool_use", lane: "default", eventId: "e", text: JSON.stringify(PAYLOAD), local: undefined },
      ...{ timeoutMs: 2_000, signal: new AbortController().signal, headers: {} },
    });
    return JSON.parse(said).decision === "block" ? said : null;
  } catch (error) {
    return String(error);
  } finally {
    console.close();
  }
};

let plugins = 0;
const opencode: Relay = async (answer) => {
  plugins += 1;
  const file = join(base, `plugin-${plugins}.mjs`);
  const text = pluginText({ url: fake.urlOf(answer), scope: "user" });
  await writeFile(file, text.replaceAll(/"relay":\d+/g, '"relay":2'));
  const { Quarterdeck } = await import(/* @vite-ignore */ pathToFileURL(file).href);
  const hooks = await Quarterdeck({ directory: base });
  try {
    await hooks["tool.execute.before"]({ tool: "bash", sessionID: "s", callID: "c" }, { args: { command: "ls" } });
    return null;
  } catch (error) {
    return String(error);
  }
};

const client: Relay = async (answer) => {
  const quarterdeck = createQuarterdeck({ url: fake.urlOf(answer), key: AGENT_KEY, timeoutMs: 2_000 });
  // Held by its timer, as the client's own limit is.
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), 2_000);
  try {
    // The fake console says neither dispatch nor revision, as no strange answer does.
    const { response, data } = await quarterdeck.api.POST("/api/v1/hooks/{event}", {
      params: { path: { event: "pre_tool_use" } },
      body: PAYLOAD,
      signal: limit.signal,
    });
    return response.ok && data?.decision !== "block" ? null : JSON.stringify(data ?? response.status);
  } catch (error) {
    return String(error);
  } finally {
    clearTimeout(timer);
  }
};

const RELAYS: readonly (readonly [string, Relay])[] = [
  ...CLIENT_NAMES.map(
    (name) => [`hook --dialect ${name}`, (answer: HookAnswer) => dialectRelay(name)(answer)] as const,
  ),
  ["the executor's question", native],
  ["opencode's plugin", opencode],
  ["the typed client", client],
];

describe.each(RELAYS)("%s", (name, relay) => {
  it(
    "runs no call on an answer that is none",
    async () => {
      expect(STRANGE_ANSWERS.length).toBeGreaterThan(100);
      const ran = await inParallel(STRANGE_ANSWERS, AT_A_TIME, async (answer) =>
        (await relay(answer)) === null ? [answer.name] : [],
      );
      expect(ran.flat()).toEqual([]);
    },
    TABLE_MS_MAX,
  );

  it("follows the console's own answers", async () => {
    expect(await relay(genuineAllow)).toBe(null);
    expect(await relay(name.endsWith(" codex") ? codexDeny : genuineDeny)).toContain("No.");
  });

  it("ends in time when memory is collected meanwhile", async () => {
    const slow = STRANGE_ANSWERS.filter(({ name }) => ["no word at all", "a body that never ends"].includes(name));
    expect(slow.length).toBe(2);
    const collecting = setInterval(collectMemory, 20);
    try {
      for (const denial of await Promise.all(slow.map(relay))) expect(denial).not.toBe(null);
    } finally {
      clearInterval(collecting);
    }
  });

  it("shows nothing of an error that acts on a terminal", async () => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones that must be gone
    expect(await relay(acting)).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
  });
});

it("says what answered instead", async () => {
  const [nothing] = STRANGE_ANSWERS.filter(({ name }) => name === "204");
  const [page] = STRANGE_ANSWERS.filter(({ name }) => name === "200 HTML");
  if (nothing === undefined || page === undefined) throw new Error("The table has other names.");
  const said = "something else than the console (HTTP 204, no body)";
  for (const relay of [dialectRelay("claude-code"), native, opencode, client]) {
    expect(await relay(nothing)).toContain(said);
    expect(await relay(page)).toContain("something else than the console (HTTP 200, ");
  }
});

it("denies with a key of the older form, and says what to do", async () => {
  expect(await dialectRelay("claude-code", BEARER)(genuineAllow)).toContain("Create a new key for this agent");
});
