/**
 * kill -9 of every process of a node in turn, again and again under load: whatever was acknowledged is there, once, and nothing
 * else is; and after each of them the figures are what the log gives.
 *
 *     npm run bench kills [-- rounds [dispatches a second]]
 *
 * A rate above the peak keeps the node under pressure all the time.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type OwnServer, ownServer } from "../e2e/fixtures/own-server.ts";
import { check, days } from "../server/projections/index.ts";
import { promised } from "./fixtures/figures.ts";
import { gatedAgent } from "./fixtures/gated-agent.ts";
import { checkLedger } from "./fixtures/ledger-check.ts";
import { processOf, supervisorOf } from "./fixtures/node-processes.ts";
import { ownerPool } from "./fixtures/owner-pool.ts";
import { atPace, newLedger } from "./fixtures/paced-sender.ts";
import { ms, percentile } from "./fixtures/percentile.ts";
import { levelsText, watchLevels } from "./fixtures/pressure-levels.ts";
import { toolCalls } from "./fixtures/traffic.ts";

/** Each of them kills every process once. */
const ROUNDS = 50;
/** Of one installation: its day is computed anew after each kill, and grows with each. */
const ROUNDS_TOGETHER = 10;
const PER_SECOND = 100;
const CONNECTIONS = 32;
const SESSIONS = 200;
/** Of undisturbed load between two kills, once the node answers again. */
const BETWEEN_MS = 1_500;
const READY_MS_MAX = 60_000;

/** True when nothing that was acknowledged is lost or doubled, and no figure ever was another one than the log's. */
export async function bench(args: readonly string[]): Promise<boolean> {
  const [rounds, perSecond] = [Number(args[0] ?? ROUNDS), Number(args[1] ?? PER_SECOND)];
  const silences = new Map<string, number[]>();
  let isKept = true;
  for (let done = 0; done < rounds; done += ROUNDS_TOGETHER)
    isKept =
      (await killInstallation({ rounds: Math.min(ROUNDS_TOGETHER, rounds - done), perSecond }, silences)) && isKept;
  for (const [name, times] of silences)
    console.log(
      `${name.padEnd(12)} killed ${times.length} times, ready again after ${ms(percentile(times, 0.5))} (p50), ${ms(Math.max(...times))} (most)`,
    );
  return isKept;
}

interface Load {
  readonly rounds: number;
  readonly perSecond: number;
}

/** The rounds of a new installation; adds the milliseconds until it was ready again to those of each process. */
async function killInstallation({ rounds, perSecond }: Load, silences: Map<string, number[]>): Promise<boolean> {
  const server = await ownServer();
  try {
    await server.start();
    const traffic = toolCalls(server.url, [await gatedAgent(server)], SESSIONS, "shell");
    const ledger = newLedger();
    const levels = await watchLevels(server);
    let different = 0;
    let compared = 0;
    const compare = async () => {
      const { differing, rows } = await compareFigures(server);
      different += differing;
      compared += rows;
    };
    const disturb = async () => {
      for (let round = 1; round <= rounds; round += 1) {
        for (const [name, end] of Object.entries(VICTIMS)) {
          const startedMs = performance.now();
          await end(server);
          await untilReady(server);
          silences.set(name, [...(silences.get(name) ?? []), performance.now() - startedMs]);
          await compare();
          await delay(BETWEEN_MS);
        }
        console.log(
          `round ${round} of ${rounds}: ${ledger.acknowledged.size} acknowledged, ${different} of ${compared} rows differ`,
        );
      }
    };
    const sent = await atPace(traffic, ledger, { perSecond, connections: CONNECTIONS }, disturb());
    console.log(`pressure: ${levelsText(await levels.stop())}`);
    console.log(
      `${sent.failures} tries failed and were made again; nothing acknowledged for ${ms(sent.silenceMs)} at most`,
    );
    const isWhole = await checkLedger(server, ledger, `${rounds * Object.keys(VICTIMS).length} kills under load`);
    await compare();
    const areEqual = promised(
      "figures held against the log, after each kill and at the end",
      "none differs",
      `${different} of ${compared} rows differ`,
      different === 0,
    );
    return isWhole && areEqual;
  } finally {
    await server.close();
  }
}

/** The figures of every day of every workspace against the log, as of one instant each, while load goes on. */
async function compareFigures(server: OwnServer): Promise<{ differing: number; rows: number }> {
  const pool = await ownerPool(server);
  try {
    const workspaces = await pool.query<{ id: string }>("SELECT id FROM workspace");
    let differing = 0;
    let rows = 0;
    for (const { id } of workspaces.rows)
      for (const day of await days(pool, id, undefined)) {
        const found = await check(pool, id, day);
        differing += found.differing;
        rows += found.tables.reduce((sum, table) => sum + table.compared, 0);
      }
    return { differing, rows };
  } finally {
    await pool.end();
  }
}

const killRole = (role: string) => async (server: OwnServer) => {
  process.kill(await processOf(() => supervisorOf(server), `/${role}.mjs`), "SIGKILL");
};

const VICTIMS: Readonly<Record<string, (server: OwnServer) => Promise<void>>> = {
  gateway: killRole("gateway"),
  console: killRole("console"),
  jobs: killRole("jobs"),
  scans: killRole("scans"),
  async spawner(server) {
    const gateway = await processOf(() => supervisorOf(server), "/gateway.mjs");
    process.kill(await processOf(() => gateway, "/spawner/"), "SIGKILL");
  },
  async PostgreSQL({ dataDir }) {
    const [pid] = (await readFile(join(dataDir, "postgres/postmaster.pid"), "utf8")).split("\n");
    process.kill(Number(pid), "SIGKILL");
  },
  async supervisor(server) {
    await server.kill();
    await server.start();
  },
};

async function untilReady({ url }: OwnServer): Promise<void> {
  const endMs = performance.now() + READY_MS_MAX;
  for (;;) {
    const isReady = await Promise.all(
      ["/readyz", "/api/trpc/access.waysIn"].map((path) =>
        fetch(`${url}${path}`)
          .then(({ ok }) => ok)
          .catch(() => false),
      ),
    );
    if (isReady.every(Boolean)) return;
    if (performance.now() > endMs) throw new Error(`the node was not ready again within ${READY_MS_MAX / 1_000} s`);
    await delay(50);
  }
}
