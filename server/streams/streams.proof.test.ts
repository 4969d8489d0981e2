/**
 * Proof of streams: processes that are killed in the middle lose no event, keep the order and name what may be double,
 * also while the receiver breaks off, is full or is slow.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fixtureProgram } from "../../e2e/fixtures/built-program.ts";
import { repetitions } from "../../e2e/fixtures/long-run.ts";
import {
  accept,
  answer,
  type Behaviour,
  breakOff,
  httpReceiver,
  jsonLines,
  storeReceiver,
  syslogReceiver,
  testCertificate,
} from "../../e2e/fixtures/stream-receivers.ts";
import { idsOf, STREAM_KEY, type StreamRig, streamRig, type Tenant } from "../../e2e/fixtures/stream-rig.ts";
import * as record from "./check.ts";
import type { Position, SaveStream } from "./schema.ts";

const CALLS_OF_ROUND = 24;
const SLOW_MS = 150;

let scene: StreamRig;
let child: ChildProcess | undefined;
beforeAll(async () => {
  scene = await streamRig();
});
afterAll(async () => {
  child?.kill("SIGKILL");
  await scene?.close();
});

interface Target {
  readonly settings: Partial<SaveStream>;
  /** The events that have arrived, in their order, doubles too. */
  readonly arrived: () => readonly string[];
  readonly stop: () => void;
}

/** Most requests are accepted. Of 29, one is broken off after it was read, one finds no space, and seven wait. */
function unreliable(): Behaviour {
  let count = 0;
  return (request, response) => {
    count += 1;
    if (count % 29 === 5) breakOff(request, response);
    else if (count % 29 === 19) answer(507)(request, response);
    else if (count % 4 === 3) setTimeout(() => accept(request, response), SLOW_MS);
    else accept(request, response);
  };
}

async function httpTarget(): Promise<Target> {
  const receiver = await httpReceiver();
  receiver.behave(unreliable());
  return {
    settings: { kind: "http", address: receiver.url },
    arrived: () => idsOf(receiver.lines()),
    stop: receiver.stop,
  };
}

async function fileTarget(): Promise<Target> {
  const store = await storeReceiver();
  store.behave(unreliable());
  const bucket = { bucket: "records", region: "eu-1", accessKeyId: "AKID", secret: "hidden" };
  return {
    settings: { kind: "s3", address: store.url, ...bucket },
    arrived: () => [...store.files()].toSorted(([a], [b]) => (a < b ? -1 : 1)).flatMap(([, lines]) => idsOf(lines)),
    stop: store.stop,
  };
}

async function syslogTarget(): Promise<Target> {
  const certificate = testCertificate();
  const syslog = await syslogReceiver(certificate);
  syslog.breakWhen((connection, bytes) => connection % 29 === 5 && bytes > 0);
  return {
    settings: { kind: "syslog", address: syslog.address, ca: certificate.cert },
    arrived: () => syslog.messages.flatMap((message) => idsOf(jsonLines(message.slice(message.indexOf("{"))))),
    stop: syslog.stop,
  };
}

async function view(at: Tenant) {
  const stream = await scene.view(at);
  if (stream === undefined) throw new Error("no stream");
  return stream;
}

/** Ends the process that sends as `kill -9` does. */
async function kill(): Promise<void> {
  if (child === undefined) throw new Error("nothing runs");
  child.kill("SIGKILL");
  await once(child, "exit");
}

/** The sum of a comparison with the record, which must find no difference. */
async function compared(workspaceId: string, id: string): Promise<number> {
  let after: Position | null = null;
  let recorded = 0;
  do {
    const page: Awaited<ReturnType<typeof record.check>> = await record.check(scene.world.db, workspaceId, {
      id,
      after,
    });
    expect(page.differing).toEqual([]);
    recorded += page.recorded;
    after = page.next;
  } while (after !== null);
  return recorded;
}

test.each([
  ["https", httpTarget],
  ["syslog", syslogTarget],
  ["files", fileTarget],
] as const)(
  "%s: no kill loses an event or changes the order",
  async (_title, targetOf) => {
    const target = await targetOf();
    const at = await scene.tenant();
    const id = await scene.made(at, { batchMax: 3, ...target.settings });
    const program = await fixtureProgram("stream-until-killed");
    const start = () => {
      const args = [program, scene.rig.db.url, STREAM_KEY.toString("hex")];
      child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", 2] });
    };
    // Fifty kills of the three together.
    const rounds = repetitions(17, 50);
    for (let round = 0; round < rounds; round += 1) {
      await Promise.all(Array.from({ length: CALLS_OF_ROUND }, () => scene.call(at)));
      const before = (await view(at)).events;
      start();
      await expect.poll(async () => (await view(at)).events, { timeout: 60_000, interval: 5 }).toBeGreaterThan(before);
      await kill();
    }
    start();
    await expect.poll(async () => (await view(at)).lagMs, { timeout: 240_000 }).toBe(0);
    await kill();

    const recorded = await scene.expected(at);
    const arrived = target.arrived();
    expect(recorded.length).toBeGreaterThanOrEqual(rounds * CALLS_OF_ROUND);
    expect([...new Set(arrived)]).toEqual(recorded);
    const state = await view(at);
    expect(arrived.length - recorded.length).toBeLessThanOrEqual(state.resent);
    expect(state).toMatchObject({ events: recorded.length, setAside: 0, removed: 0 });
    expect(await compared(at.workspaceId, id)).toBe(recorded.length);
    target.stop();
  },
  600_000,
);
