/** Proof of streams: processes that are killed in the middle lose no event, keep the order and name what may be double. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fixtureProgram } from "../../e2e/fixtures/built-program.ts";
import { repetitions } from "../../e2e/fixtures/long-run.ts";
import { type RecordingRig, recordingRig, recordOf } from "../../e2e/fixtures/recording-rig.ts";
import { jsonLines, storeReceiver, syslogReceiver, testCertificate } from "../../e2e/fixtures/stream-receivers.ts";
import type { Administrator } from "../access/actor.ts";
import { addressRule, VARIABLES } from "../platform/outgoing/address-rule.ts";
import * as record from "./check.ts";
import { EVENT_KIND_NAMES, type SaveStream, saveStream } from "./schema.ts";
import * as service from "./service.ts";

const KEY = Buffer.alloc(32, 7);
const CALLS_OF_ROUND = 40;

let rig: RecordingRig;
let child: ChildProcess | undefined;
beforeAll(async () => {
  rig = await recordingRig();
});
afterAll(async () => {
  child?.kill("SIGKILL");
  await rig?.close();
});

const world = (): service.RecordStreams => ({
  ...{ db: rig.db.database, bus: rig.bus, key: KEY, url: "https://quarterdeck.example" },
  addresses: addressRule("loopback", VARIABLES.webhooks),
});
const view = async (workspaceId: string) => {
  const [stream] = await service.list(rig.db.database, workspaceId);
  if (!stream) throw new Error("no stream");
  return stream;
};

interface Target {
  readonly settings: Partial<SaveStream>;
  /** The events that have arrived, in their order, doubles too. */
  readonly arrived: () => string[];
  readonly stop: () => void;
}

async function httpTarget(): Promise<Target> {
  const store = await storeReceiver();
  return {
    settings: { kind: "http", address: store.url },
    arrived: () => store.lines().map(({ id }) => String(id)),
    stop: store.stop,
  };
}
async function fileTarget(): Promise<Target> {
  const store = await storeReceiver();
  const bucket = { bucket: "records", region: "eu-1", accessKeyId: "AKID", secret: "hidden" };
  return {
    settings: { kind: "s3", address: store.url, ...bucket },
    arrived: () =>
      [...store.files()]
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .flatMap(([, lines]) => lines.map(({ id }) => String(id))),
    stop: store.stop,
  };
}
async function syslogTarget(): Promise<Target> {
  const certificate = testCertificate();
  const syslog = await syslogReceiver(certificate);
  return {
    settings: { kind: "syslog", address: syslog.address, ca: certificate.cert },
    arrived: () =>
      syslog.messages.flatMap((message) => jsonLines(message.slice(message.indexOf("{"))).map(({ id }) => String(id))),
    stop: syslog.stop,
  };
}

test.each([
  ["https", httpTarget],
  ["syslog", syslogTarget],
  ["files", fileTarget],
] as const)(
  "%s: no kill loses an event or changes the order",
  async (_title, targetOf) => {
    const target = await targetOf();
    const { workspaceId, agentId } = await rig.addOwner();
    const actor: Administrator = { kind: "script", workspaceId, id: "test", name: "ada" };
    const input = saveStream.parse({
      ...{ name: "siem", format: "quarterdeck", isEnabled: true, kinds: EVENT_KIND_NAMES, secret: null, from: "start" },
      ...{ batchMax: 3, ...target.settings },
    });
    const { id } = await service.save(world(), actor, input);
    const program = await fixtureProgram("stream-until-killed");
    const start = () =>
      spawn(process.execPath, [program, rig.db.url, KEY.toString("hex")], { stdio: ["ignore", "ignore", 2] });
    const rounds = repetitions(4, 50);
    for (let round = 0; round < rounds; round += 1) {
      await Promise.all(
        Array.from({ length: CALLS_OF_ROUND }, (_, number) => {
          const text = JSON.stringify({ session_id: "s", tool_name: "shell", tool_use_id: `t${round}.${number}` });
          return rig.recorder.record(recordOf({ workspaceId, agentId }, "pre_tool_use", text), false);
        }),
      );
      const before = (await view(workspaceId)).events;
      child = start();
      await expect
        .poll(async () => (await view(workspaceId)).events, { timeout: 60_000, interval: 5 })
        .toBeGreaterThan(before);
      child.kill("SIGKILL");
      await once(child, "exit");
    }
    child = start();
    await expect.poll(async () => (await view(workspaceId)).lagMs, { timeout: 60_000 }).toBe(0);
    child.kill("SIGKILL");
    await once(child, "exit");

    const { events } = await record.manifest(rig.db.database, workspaceId, {
      ...{
        after: { seq: 0, place: 0 },
        to: Number.MAX_SAFE_INTEGER,
        kinds: [...EVENT_KIND_NAMES],
        agentsMode: "all",
        agents: [],
      },
    });
    const recorded = events.map((one) => one.id);
    const arrived = target.arrived();
    expect([...new Set(arrived)]).toEqual(recorded);
    const state = await view(workspaceId);
    expect(arrived.length - recorded.length).toBeLessThanOrEqual(state.resent);
    expect(state).toMatchObject({ events: recorded.length, setAside: 0, removed: 0 });
    let after: { seq: number; place: number } | null = null;
    let compared = 0;
    do {
      const page: Awaited<ReturnType<typeof record.check>> = await record.check(rig.db.database, workspaceId, {
        id,
        after,
      });
      expect(page.differing).toEqual([]);
      compared += page.recorded;
      after = page.next;
    } while (after !== null);
    expect(compared).toBe(recorded.length);
    target.stop();
  },
  300_000,
);
