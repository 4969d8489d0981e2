import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { longRun } from "../../e2e/fixtures/long-run.ts";
import { type Node, sharedSecrets, startNode } from "../../e2e/fixtures/nodes.ts";
import { countEverything } from "../overview/index.ts";
import { statsView } from "../overview/stats/schema.ts";
import { ensureFirstRun } from "../people/index.ts";
import { memberSources } from "../recording/index.ts";

const DATA = fileURLToPath(new URL("../../../shared/data/", import.meta.url));
const isThere = existsSync(`${DATA}expected.json`);
if (!isThere) console.info("the recorded sessions are not beside this checkout: replaying them is skipped");

const secrets = sharedSecrets();
let db: TestDatabase;
let workspaceId: string;
/** Of two processes. */
let a: Node;
let b: Node;

beforeAll(async () => {
  db = await testDatabase();
  ({ workspaceId } = await ensureFirstRun(db.database));
  [a, b] = await Promise.all([startNode(db.url, secrets, 2), startNode(db.url, secrets)]);
}, 300_000);
afterAll(async () => {
  expect(await Promise.all([a?.stop(), b?.stop()])).toEqual([0, 0]);
  await db?.drop();
}, 60_000);

/** A busy machine takes its time; what never comes fails all the same. */
const PATIENTLY = { timeout: 100_000, interval: 200 };
const TEST_MS = 120_000;

const asAdmin = { authorization: `Bearer ${secrets.QUARTERDECK_TOKEN}`, "content-type": "application/json" };

async function tell(node: Node, path: string, json: object): Promise<Record<string, string>> {
  const body = JSON.stringify({ json });
  const response = await fetch(`${node.url}/api/trpc/${path}`, { method: "POST", headers: asAdmin, body });
  const answer = (await response.json()) as { result: { data: { json: Record<string, string> } } }; // tRPC's own shape
  expect(response.status, JSON.stringify(answer)).toBe(200);
  return answer.result.data.json;
}

/** One connection each, so that the workers of a node take turns. */
async function dispatch(node: Node, key: string): Promise<{ status: number; answer: unknown }> {
  const response = await fetch(`${node.url}/api/v1/hooks/pre_tool_use`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json", connection: "close" },
    body: JSON.stringify({ session_id: "s", tool_name: "shell", tool_input: { cmd: "ls" } }),
  });
  return { status: response.status, answer: await response.json() };
}

const DENIES = `hooks:
  pre_tool_use:
    - hooks: [{type: command, command: "echo closed >&2; exit 2"}]
`;

describe("two nodes over one database", () => {
  test(
    "a viewer of one sees, through whichever process, what the other one records",
    async () => {
      const { key } = await tell(a, "agents.create", { name: "seen" });
      const watching = new AbortController();
      const stream = await fetch(`${a.url}/api/trpc/events.changes`, {
        headers: { ...asAdmin, accept: "text/event-stream" },
        signal: watching.signal,
      });
      let heard = "";
      const reading = (async () => {
        for await (const chunk of stream.body ?? []) heard += Buffer.from(chunk).toString();
      })().catch(() => undefined);
      await vi.waitFor(() => expect(heard).toContain("topics"), PATIENTLY);
      await vi.waitFor(async () => {
        expect((await dispatch(b, key ?? "")).status).toBe(200);
        expect(heard).toContain("overview");
      }, PATIENTLY);
      watching.abort();
      await reading;
    },
    TEST_MS,
  );

  test(
    "what one publishes binds the next dispatch at the other, and a key that one revokes opens neither",
    async () => {
      const { key = "", agentId, keyId } = await tell(a, "agents.create", { name: "bound" });
      await vi.waitFor(async () => {
        for (const node of [a, a, b]) expect((await dispatch(node, key)).answer).toEqual({});
      }, PATIENTLY);
      await tell(a, "policies.publishByName", { name: "closed", source: DENIES, note: "" });
      await vi.waitFor(async () => {
        for (const node of [b, a, a]) expect((await dispatch(node, key)).answer).toMatchObject({ decision: "block" });
      }, PATIENTLY);
      await tell(b, "agents.revokeKey", { agentId, keyId });
      await vi.waitFor(async () => {
        for (const node of [a, a, b]) expect((await dispatch(node, key)).status).toBe(401);
      }, PATIENTLY);
      await tell(a, "policies.publishByName", { name: "closed", source: "hooks: {}\n", note: "" });
    },
    TEST_MS,
  );

  test(
    "what is changed through the console binds the very next dispatch at every gateway process of its node",
    async () => {
      const { key = "" } = await tell(a, "agents.create", { name: "at once" });
      const bindAtOnce = async (says: string) => {
        const source = DENIES.replace("echo closed", `echo ${says}`);
        await tell(a, "policies.publishByName", { name: "changing", source, note: "" });
        for (let call = 0; call < 4; call += 1)
          expect(JSON.stringify((await dispatch(a, key)).answer)).toContain(`${says}"`);
      };
      await bindAtOnce("first");
      await bindAtOnce("second");
      // A gateway process that hears nothing is waited for until it knows, and trusts its memory no longer.
      const { rows } = await db.owner.query<{ pid: number }>(
        "SELECT pid FROM pg_stat_activity WHERE application_name = 'quarterdeck listener' AND datname = current_database()",
      );
      for (const { pid } of rows) process.kill(pid, "SIGSTOP");
      try {
        await bindAtOnce("unheard");
      } finally {
        for (const { pid } of rows) process.kill(pid, "SIGCONT");
      }
      for (const { url } of [a, b])
        await vi.waitFor(async () => expect((await fetch(`${url}/readyz`)).status).toBe(200), PATIENTLY);
      await tell(a, "policies.publishByName", { name: "changing", source: "hooks: {}\n", note: "" });
    },
    TEST_MS,
  );

  test(
    "metrics and readiness speak for all processes of a node",
    async () => {
      const { key = "" } = await tell(b, "agents.create", { name: "counted" });
      const read = async () => {
        const text = await (await fetch(`${a.url}/metrics`)).text();
        return [...text.matchAll(/^quarterdeck_dispatches_total\{.*\} (\d+)$/gm)].reduce(
          (sum, [, n]) => sum + Number(n),
          0,
        );
      };
      const before = await read();
      for (let call = 0; call < 6; call += 1) expect((await dispatch(a, key)).status).toBe(200);
      expect(await read()).toBe(before + 6);
      const text = await (await fetch(`${a.url}/metrics`)).text();
      expect(text).toContain('quarterdeck_processes_running{role="gateway"} 2\n');
      expect(text).toContain('quarterdeck_process_deaths{role="console"} 0\n');
      const ready = await (await fetch(`${a.url}/readyz`)).json();
      expect(ready).toEqual({ status: "ready", checks: { database: "ok", spawner: "ok", recording: "ok", bus: "ok" } });
    },
    TEST_MS,
  );

  test(
    "a gateway process that is killed is replaced while the other one answers, and the doctor tells",
    async () => {
      const { key = "" } = await tell(b, "agents.create", { name: "orphan" });
      const examine = async () => {
        const response = await fetch(`${a.url}/api/trpc/doctor.examine`, { headers: asAdmin });
        const { result } = (await response.json()) as {
          result: { data: { json: { findings: { id: string; says: string }[] } } };
        };
        return result.data.json.findings.find(({ id }) => id === "processes")?.says;
      };
      expect(await examine()).toBe("2 gateway processes, 1 console process, 1 jobs process run.");
      process.kill(a.processesOf("gateway")[0] ?? 0, "SIGKILL");
      await vi.waitFor(async () => expect(await examine()).toContain("1 gateway process died"), PATIENTLY);
      for (let call = 0; call < 4; call += 1) expect((await dispatch(a, key)).status).toBe(200);
    },
    TEST_MS,
  );

  test(
    "while the console is killed and replaced, every gate is answered",
    async () => {
      const { key = "" } = await tell(b, "agents.create", { name: "without a console" });
      const asked = () => fetch(`${b.url}/api/trpc/access.waysIn`).then(({ status }) => status);
      const answers: number[] = [];
      let isOver = false;
      const gates = (async () => {
        while (!isOver) answers.push((await dispatch(b, key)).status);
      })();
      const [killed = 0] = b.processesOf("console");
      process.kill(killed, "SIGKILL");
      await vi.waitFor(async () => expect(await asked()).toBe(503), { ...PATIENTLY, interval: 5 });
      await vi.waitFor(async () => expect(await asked()).toBe(200), PATIENTLY);
      isOver = true;
      await gates;
      expect(b.processesOf("console")).not.toContain(killed);
      expect(answers.length).toBeGreaterThan(0);
      expect(answers.filter((status) => status !== 200)).toEqual([]);
    },
    TEST_MS,
  );
});

/** A fixed sequence of numbers from 0 to 1 (mulberry32): the same shuffle in every run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Every recorded line as a report of it, once or twice, in any order. */
function deliveries(random: () => number, startMs: number): string[] {
  const all: string[] = [];
  for (const name of readdirSync(`${DATA}sessions`).sort())
    for (const line of readFileSync(`${DATA}sessions/${name}`, "utf8").split("\n")) {
      if (line === "") continue;
      const { event, at_ms } = JSON.parse(line) as { event: string; at_ms: number }; // the fixtures' own format
      const event_id = createHash("sha256")
        .update(line)
        .digest("hex")
        .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, "$1-$2-$3-$4-$5");
      const head = JSON.stringify({ event_id, event, occurred_at: new Date(startMs + at_ms).toISOString() });
      const report = `${head.slice(0, -1)},"input":${memberSources(line).get("input")}}`;
      all.push(report);
      if (random() < 0.5) all.push(report);
    }
  for (let at = all.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1));
    [all[at], all[other]] = [all[other] ?? "", all[at] ?? ""];
  }
  return all;
}

const LINES_AT_ONCE = 200;
const BATCHES_AT_ONCE = 4;

/** A node that has too much to do says when to come back, and senders of reports do. */
async function untilTaken(send: () => Promise<Response>): Promise<Response> {
  for (;;) {
    const response = await send();
    const waitS = Number(response.headers.get("retry-after"));
    if (waitS === 0 || response.ok) return response;
    await response.arrayBuffer();
    await delay(waitS * 1_000);
  }
}

async function replay(
  node: Node,
  key: string,
  lines: readonly string[],
): Promise<{ stored: number; repeated: number }> {
  const sum = { stored: 0, repeated: 0 };
  let next = 0;
  const sender = async () => {
    while (next < lines.length) {
      const body = lines.slice(next, next + LINES_AT_ONCE).join("\n");
      next += LINES_AT_ONCE;
      const headers = { authorization: `Bearer ${key}`, "content-type": "application/x-ndjson", connection: "close" };
      const response = await untilTaken(() => fetch(`${node.url}/api/v1/events`, { method: "POST", headers, body }));
      const view = (await response.json()) as { stored: number; repeated: number }; // the API's own shape
      expect(response.status, JSON.stringify(view).slice(0, 500)).toBe(200);
      sum.stored += view.stored;
      sum.repeated += view.repeated;
    }
  };
  await Promise.all(Array.from({ length: BATCHES_AT_ONCE }, sender));
  return sum;
}

if (longRun && isThere)
  describe("every recorded session, shuffled, some of it twice, half to each node at once", () => {
    test(
      "counts as published, to the last digit",
      async () => {
        const { key = "" } = await tell(a, "agents.create", { name: "replayed" });
        // The tests above dispatched for themselves.
        await db.database.pool.query("DELETE FROM session");
        for (const table of ["dispatch", "tool_decision", "llm_call"])
          await db.database.pool.query(`DELETE FROM ${table}`);
        const all = deliveries(seeded(7_309), Date.now() - 8_000_000);
        const half = Math.ceil(all.length / 2);
        const sums = await Promise.all([replay(a, key, all.slice(0, half)), replay(b, key, all.slice(half))]);
        const stored = sums.reduce((sum, one) => sum + one.stored, 0);
        expect(stored).toBe(7_309);
        expect(sums.reduce((sum, one) => sum + one.repeated, 0)).toBe(all.length - stored);
        const counted = statsView.parse(await countEverything(db.database, workspaceId));
        expect(JSON.parse(JSON.stringify(counted))).toEqual(JSON.parse(readFileSync(`${DATA}expected.json`, "utf8")));
      },
      TEST_MS,
    );
  });
