/** The jobs' and the scans' process as the supervisor starts them, over a real database. */
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { builtProgram } from "../../e2e/fixtures/built-program.ts";
import { sharedSecrets } from "../../e2e/fixtures/nodes.ts";
import { childrenOf, commandLine } from "../../e2e/fixtures/processes.ts";
import { type RecordingRig, recordingRig, recordOf } from "../../e2e/fixtures/recording-rig.ts";
import { uuidv7 } from "../platform/ids.ts";
import { createLog } from "../platform/log.ts";
import type { ProcessKind } from "../platform/node-state.ts";
import { listVerifications, startVerification } from "../record/index.ts";
import { type Roles, startRoles } from "./roles.ts";

const PATIENTLY = { timeout: 60_000, interval: 50 };
const TEST_MS = 120_000;
const ROWS = 3_000;

let rig: RecordingRig;
let folder: string;
let roles: Roles;

beforeAll(async () => {
  rig = await recordingRig();
  folder = await mkdtemp("/tmp/quarterdeck-scans-");
  await recordMany();
  roles = startRoles({
    roles: ["jobs", "scans"],
    gateways: 0,
    entries: { jobs: await builtProgram("jobs"), scans: await builtProgram("scans") },
    consoleSocket: "",
    flags: [],
    environment: {
      ...sharedSecrets(),
      DATABASE_URL: rig.db.url,
      QUARTERDECK_DATA_DIR: join(folder, "data"),
      LOG_LEVEL: "silent",
    },
    database: Promise.resolve(null),
    log: createLog("silent"),
  });
  await roles.ready;
  await vi.waitFor(() => expect(roles.state().scans?.running).toBe(1), PATIENTLY);
}, TEST_MS);
afterAll(async () => {
  await roles?.end(7_000);
  await rig?.close();
  await rm(folder, { recursive: true, force: true });
}, TEST_MS);

async function recordMany(): Promise<void> {
  for (let row = 0; row < ROWS; row += 1)
    void rig.recorder.record(recordOf(rig, "session_start", `{"session_id":"${row}"}`, {}), false);
  await rig.recorder.flush();
}

function pidOf(kind: ProcessKind): number {
  const pid = childrenOf(process.pid).find((child) => commandLine(child).includes(`/${kind}.mjs`));
  if (pid === undefined) throw new Error(`there is no process of the ${kind}`);
  return pid;
}

/** Of each thread, as the kernel has it: the nineteenth field. */
async function nicenessOf(kind: ProcessKind): Promise<number[]> {
  const pid = pidOf(kind);
  const threads = await readdir(`/proc/${pid}/task`);
  const stats = await Promise.all(threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/stat`, "utf8")));
  return stats.map((stat) => Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[16]));
}

const verify = () =>
  startVerification(
    rig.db.database,
    rig.bus,
    { workspaceId: rig.workspaceId, name: uuidv7() },
    { fromBeginning: true },
  );
const newest = async () => (await listVerifications(rig.db.database, rig.workspaceId)).runs[0];

test(
  "jobs work like everybody else, and every thread of the scans behind them",
  async () => {
    expect(new Set(await nicenessOf("jobs"))).toEqual(new Set([0]));
    await expect.poll(async () => new Set(await nicenessOf("scans")), PATIENTLY).toEqual(new Set([19]));
  },
  TEST_MS,
);

test(
  "a verification is the scans', which are replaced alone when they die, and goes on",
  async () => {
    const [jobs, scans] = [pidOf("jobs"), pidOf("scans")];
    process.kill(jobs, "SIGSTOP");
    try {
      await verify();
      await expect.poll(async () => (await newest())?.state, PATIENTLY).toBe("done");
      expect(await newest()).toMatchObject({ findings: 0 });
    } finally {
      process.kill(jobs, "SIGCONT");
    }
    await verify();
    await expect.poll(async () => (await newest())?.state, PATIENTLY).not.toBe("waiting");
    process.kill(scans, "SIGKILL");
    await expect.poll(() => roles.state().scans, PATIENTLY).toMatchObject({ running: 1, deaths: 1 });
    expect(pidOf("scans")).not.toBe(scans);
    expect([pidOf("jobs"), roles.state().jobs?.deaths]).toEqual([jobs, 0]);
    // The lease of the one that died ends first.
    await rig.db.owner.query("UPDATE verification_run SET lease_until = now() WHERE lease_until IS NOT NULL");
    await expect.poll(async () => (await newest())?.state, PATIENTLY).toBe("done");
  },
  TEST_MS,
);
