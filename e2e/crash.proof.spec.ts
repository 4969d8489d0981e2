/** Everything acknowledged is there, once, whatever is killed: gateway and PostgreSQL in the middle of a replay. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { type OwnServer, ownServer } from "./fixtures/own-server.ts";

const FILES = 12;
const LINES = 150;
/** Between two lines: the replay keeps this rhythm, so that it is still under way when everything ends. */
const STEP_MS = 40;

let server: OwnServer;
let folder: string;
test.beforeAll(async () => {
  server = await ownServer();
  folder = await mkdtemp(join(tmpdir(), "quarterdeck-crash-"));
});
test.afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

test("kill -9 of gateway and database in the middle of a replay loses nothing and doubles nothing", async () => {
  test.setTimeout(240_000);
  await server.start();
  const key = (await server.quarterdeck(["key", "create", "--agent", "replayed"])).trim();
  const files = await Promise.all(Array.from({ length: FILES }, (_, index) => sessionFile(index)));
  const replay = server.quarterdeck(["replay", ...files, "--key", key, "--speed", "1"]);
  const stored = async () => (await stats()).overall.event_count;
  await expect.poll(stored, { timeout: 60_000, intervals: [100] }).toBeGreaterThan(LINES);

  const [pid] = (await readFile(join(server.dataDir, "postgres/postmaster.pid"), "utf8")).split("\n");
  process.kill(Number(pid), "SIGKILL");
  await server.kill();
  await server.start();

  expect(await replay).toContain("refused 0");
  const { overall, sessions } = await stats();
  expect(overall.event_count).toBe(FILES * LINES);
  expect(sessions.all).toBe(FILES);
  // A third of the lines are model calls of 0.001 each.
  expect(overall.ledger.usd).toBe(String((FILES * LINES) / 3 / 1_000));
});

interface Stats {
  readonly overall: { readonly event_count: number; readonly ledger: { readonly usd: string } };
  readonly sessions: { readonly all: number };
}

async function stats(): Promise<Stats> {
  return JSON.parse(await server.quarterdeck(["stats", "--json"]));
}

/** A session of plain events and priced calls; every line another. */
async function sessionFile(index: number): Promise<string> {
  const line = (at: number) => {
    const session_id = `crash-${index}`;
    const call = { session_id, model_id: "crash/model", cost: 0.001, usage: { input_tokens: at, output_tokens: 1 } };
    const [event, input] = at % 3 === 0 ? ["after_llm_call", call] : ["turn_start", { session_id, note: at }];
    return JSON.stringify({ event, at_ms: at * STEP_MS, agent: "crash", input });
  };
  const file = join(folder, `${index}.jsonl`);
  await writeFile(file, Array.from({ length: LINES }, (_, at) => `${line(at)}\n`).join(""));
  return file;
}
