/**
 * The memory of every process of a node with the default roles, shared pages divided among those who share them: at rest, while
 * people read every page, and while reported events are taken.
 *
 *     npm run bench memory [-- dispatches]
 */

import { load } from "./fixtures/closed-loop.ts";
import { PAGES } from "./fixtures/console-pages.ts";
import { observed, promised } from "./fixtures/figures.ts";
import { type FilledServer, filledServer } from "./fixtures/filled-server.ts";
import { memoryOf, total } from "./fixtures/process-tree.ts";
import { reports } from "./fixtures/reports.ts";
import { signedIn } from "./fixtures/signed-in.ts";

const DISPATCHES = 1_000_000;
const MIB = 1_024 ** 2;
const REST_MAX = 700 * MIB;
const WORK_MAX = 1_024 * MIB;
const LOOK_EVERY_MS = 500;
const READERS = 4;
const INGEST_S = 15;
const INGEST_CONNECTIONS = 4;
const INGEST_BATCH = 500;
const DAY_MS = 86_400_000;

/** True when all of them together keep to their limit, whatever is done. */
export async function bench(args: readonly string[]): Promise<boolean> {
  const filled = await filledServer(Number(args[0] ?? DISPATCHES));
  try {
    const kept = [
      await watched(filled, "at rest", REST_MAX, async () => undefined),
      await watched(filled, "while every page is read", WORK_MAX, () => readPages(filled)),
      await watched(filled, "while reports are taken", WORK_MAX, () => takeReports(filled)),
    ];
    return kept.every(Boolean);
  } finally {
    await filled.close();
  }
}

async function watched(
  { server }: FilledServer,
  name: string,
  bytesMax: number,
  work: () => Promise<unknown>,
): Promise<boolean> {
  let most = new Map<string, number>() as ReadonlyMap<string, number>;
  const look = () => {
    const now = memoryOf(server.pid ?? 0);
    if (total(now) > total(most)) most = now;
  };
  const looking = setInterval(look, LOOK_EVERY_MS);
  await work();
  clearInterval(looking);
  look();
  const parts = [...most].map(([duty, bytes]) => `${duty} ${mebibytes(bytes)}`).join(", ");
  const measured = `${mebibytes(total(most))} (${parts})`;
  return promised(`PSS of all processes ${name}`, `at most ${mebibytes(bytesMax)}`, measured, total(most) <= bytesMax);
}

async function readPages({ script, until }: FilledServer): Promise<void> {
  const range = { from: new Date(until.getTime() - 30 * DAY_MS), to: until };
  const asked = Object.values(PAGES).flatMap((page) => [...page(range), ...page(range)]);
  const person = await signedIn(script);
  const reader = async () => {
    for (let next = asked.pop(); next !== undefined; next = asked.pop()) await person.query(...next);
  };
  await Promise.all(Array.from({ length: READERS }, reader));
}

async function takeReports({ server, script }: FilledServer): Promise<void> {
  const key = await script.key("ingest");
  const body = () => reports(INGEST_BATCH);
  const peer = { name: "reports", url: `${server.url}/api/v1/events`, key, body, events: INGEST_BATCH };
  const { perSecond, refused } = await load(peer, INGEST_CONNECTIONS, INGEST_S, { mayRefuse: true });
  observed("reported events taken", `${Math.round(perSecond)}/s, ${refused} reports refused`);
}

const mebibytes = (bytes: number): string => `${Math.round(bytes / MIB)} MiB`;
