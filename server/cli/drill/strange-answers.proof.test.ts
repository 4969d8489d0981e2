/**
 * Every relay made of shell against answers that are none: no call may run. Each relay is tried in both ways in: a user's settings under dash, and
 * managed ones under bash. Genuine answers pass unchanged, so that a relay which denies everything fails too.
 */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, request as forward } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { AGENT_KEY, type FakeConsole, startFakeConsole } from "../../../e2e/fixtures/fake-console.ts";
import { freePort } from "../../../e2e/fixtures/free-port.ts";
import {
  inParallel,
  type NamedRelay,
  type RelayTexts,
  type RelayWay,
  runRelay,
  shellRelays,
} from "../../../e2e/fixtures/relay-table.ts";
import { genuineAllow, genuineAnswer, STRANGE_ANSWERS } from "../../../e2e/fixtures/strange-answers.ts";
import { enrolment } from "../../agents/enrolment.ts";
import { CLIENT_ENROLMENTS, relayFiles } from "../../dialects/index.ts";

const AT_A_TIME = 8;
/** On a machine that is busy with other work. */
const TABLE_MS_MAX = 240_000;
const script = fileURLToPath(new URL("../../../scripts/quarterdeck-hook.sh", import.meta.url));
const texts: RelayTexts = {
  filesOf: (client, options) => CLIENT_ENROLMENTS[client](options),
  block: (url) => enrolment({ url, profile: "2026-08", trustKey: "none" }).hooks,
  script,
};
/** Each client's own words of a denial, all of them in one body: a relay does not read them. */
const DENIALS = {
  hookSpecificOutput: {
    ...{ hookEventName: "PreToolUse", permissionDecision: "deny", permissionDecisionReason: 'No: 100 % \\ "é" 日本.' },
  },
  ...{ permission: "deny", decision: "deny", reason: "No.", cancel: true, errorMessage: "No." },
  hook_specific_output: { permission_decision: "deny" },
};
const DENIAL = JSON.stringify(DENIALS);
const genuineDeny = genuineAnswer("deny", DENIAL);
/** Codex throws an answer away that has a key more than it knows. */
const CODEX_DENIAL = JSON.stringify({ hookSpecificOutput: DENIALS.hookSpecificOutput });
const codexDeny = genuineAnswer("deny for codex", CODEX_DENIAL);

let base: string;
let fake: FakeConsole;
let ways: readonly [RelayWay, RelayWay];
/** A machine without openssl. */
let bare: RelayWay;
beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), "strange-answers-"));
  fake = await startFakeConsole([...STRANGE_ANSWERS, genuineAllow, genuineDeny, codexDeny]);
  ways = [
    { root: join(base, "user"), shell: "/bin/sh", isManaged: false, key: AGENT_KEY },
    { root: join(base, "managed"), shell: "/bin/bash", isManaged: true, key: AGENT_KEY },
  ];
  for (const { root, isManaged } of ways) await putRelay(root, isManaged, true);
  bare = { ...ways[0], root: join(base, "bare") };
  await putRelay(bare.root, false, false);
});
afterAll(async () => {
  await fake?.stop();
  await rm(base, { recursive: true, force: true });
});

async function putRelay(root: string, isManaged: boolean, hasOpenssl: boolean): Promise<void> {
  const options = {
    url: "http://127.0.0.1",
    scope: isManaged ? "managed" : "user",
    key: AGENT_KEY,
    hasOpenssl,
  } as const;
  for (const { path, content, mode } of [...relayFiles(options), ...relayFiles({ ...options, scope: "user" })]) {
    await put(join(root, path.replace(/^~\//, "home/")), content, mode);
  }
}

async function put(path: string, content: string, mode = 0o644): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content, { mode });
}

const relaysOf = (way: RelayWay, isWhole = false): NamedRelay[] => shellRelays(texts, way, isWhole);

/** The pairs in which the call would have run. */
async function openPairs(relays: readonly NamedRelay[], answers: typeof STRANGE_ANSWERS): Promise<string[]> {
  const pairs = relays.flatMap((relay) => answers.map((answer) => ({ relay, answer })));
  const runs = await inParallel(pairs, AT_A_TIME, ({ relay, answer }) => runRelay(relay, fake.urlOf(answer)));
  return pairs.flatMap(({ relay, answer }, at) => (runs[at]?.isBlocked ? [] : [`${relay.name}: ${answer.name}`]));
}

describe("no call runs on an answer that is none", () => {
  it(
    "by a user's settings, also where the denial is a body",
    async () => {
      expect(STRANGE_ANSWERS.length).toBeGreaterThan(100);
      expect(await openPairs(relaysOf(ways[0]), STRANGE_ANSWERS)).toEqual([]);
      // The check is the same; what differs is the form of a denial.
      const some = STRANGE_ANSWERS.filter((_, at) => at % 4 === 0);
      const isBody = ({ name }: NamedRelay) => !relaysOf(ways[0]).some((gate) => gate.name === name);
      expect(await openPairs(relaysOf(ways[0], true).filter(isBody), some)).toEqual([]);
    },
    TABLE_MS_MAX,
  );

  it(
    "by managed settings, under bash",
    async () => {
      expect(await openPairs(relaysOf(ways[1]), STRANGE_ANSWERS)).toEqual([]);
    },
    TABLE_MS_MAX,
  );

  it("without openssl, but for a stranger who echoes the nonce", async () => {
    const relays = relaysOf(bare).filter(({ client }) => client === "claude-code" || client === "cline");
    const answers = STRANGE_ANSWERS.filter(({ echoesNonce, isSlow }) => !echoesNonce && !isSlow);
    expect(answers.length).toBeGreaterThan(85);
    expect(await openPairs(relays, answers)).toEqual([]);
  });
});

describe("a genuine answer", () => {
  it("passes unchanged, and is the client's to follow", async () => {
    const relays = [...relaysOf(ways[0]), ...relaysOf(ways[1]), ...relaysOf(bare).slice(0, 7)];
    const pairs = relays.flatMap((relay) => {
      const [denial, text] = relay.client === "codex" ? [codexDeny, CODEX_DENIAL] : [genuineDeny, DENIAL];
      return [
        { relay, answer: genuineAllow, text: "{}", isBlocked: false },
        { relay, answer: denial, text, isBlocked: true },
      ];
    });
    const runs = await inParallel(pairs, AT_A_TIME, ({ relay, answer }) => runRelay(relay, fake.urlOf(answer)));
    const seen = runs.map(({ run, isBlocked }, at) => {
      const { stdout, stderr, code } = run.kind === "exited" ? run : { stdout: run.kind, stderr: "", code: -1 };
      return { name: pairs[at]?.relay.name, text: stdout.trimEnd(), stderr, code, isBlocked };
    });
    expect(seen).toEqual(
      pairs.map(({ relay, text, isBlocked }) => ({ name: relay.name, text, stderr: "", code: 0, isBlocked })),
    );
  });

  it("passes whatever the agent wrote for curl, and whatever proxies the environment names", async () => {
    const away = `http://127.0.0.1:${await freePort()}`;
    const curlrc = `proxy = "${away}"\noutput = "/dev/null"\nmax-time = 1\nuser-agent = "x\n`;
    const folder = join(base, "curl-home");
    await put(join(folder, ".curlrc"), curlrc);
    await put(join(folder, ".config/curlrc"), curlrc);
    const names = ["http_proxy", "https_proxy", "HTTPS_PROXY", "HTTP_PROXY", "all_proxy", "ALL_PROXY"];
    const proxies = Object.fromEntries([...names.map((name) => [name, away]), ["NO_PROXY", ""], ["no_proxy", ""]]);
    const settings = { CURL_HOME: folder, XDG_CONFIG_HOME: join(folder, ".config"), OPENSSL_CONF: "/nonexistent" };
    await put(join(base, "user/home/.curlrc"), curlrc);
    const relays = relaysOf(ways[0]).map((relay) => {
      return { ...relay, environment: { ...relay.environment, ...proxies, ...settings } };
    });
    const runs = await inParallel(relays, AT_A_TIME, (relay) => runRelay(relay, fake.urlOf(genuineDeny)));
    await rm(join(base, "user/home/.curlrc"));
    for (const { run } of runs) expect(run.kind === "exited" && run.stdout.trimEnd()).toBe(DENIAL);
  });

  it("comes through the proxy that was named, and through no other", async () => {
    const seen: string[] = [];
    const proxy = createServer((request, response) => {
      seen.push(request.url ?? "");
      const { host: _, ...headers } = request.headers;
      const sent = forward(request.url ?? "", { method: request.method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      });
      request.pipe(sent);
    });
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    const address = proxy.address();
    const via = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
    const proxied: RelayTexts = {
      ...texts,
      filesOf: (client, options) => CLIENT_ENROLMENTS[client]({ ...options, proxy: via }),
    };
    const [relay] = shellRelays(proxied, ways[0], false);
    if (relay === undefined) throw new Error("There is no relay.");
    const ignoring = { ...relay, environment: { ...relay.environment, NO_PROXY: "*", no_proxy: "*" } };
    const { run } = await runRelay(ignoring, fake.urlOf(genuineDeny));
    proxy.closeAllConnections();
    await new Promise((resolve) => proxy.close(resolve));
    expect(run).toMatchObject({ kind: "exited", code: 0, stdout: DENIAL });
    expect(seen).toEqual([`${fake.urlOf(genuineDeny)}/api/v1/hooks/claude-code/PreToolUse`]);
  });
});
