/**
 * Decisions and ingest beside others, turn by turn in one run: Cerbos (a policy server that npm ships), once as it is and
 * once with its decision log, and a bare node:http server that commits one INSERT for each request.
 *
 *     npm run bench peers
 */
import { ownServer } from "../e2e/fixtures/own-server.ts";
import { checkOf, startCerbos } from "./fixtures/cerbos.ts";
import { load, type Peer } from "./fixtures/closed-loop.ts";
import { gatedAgent, MATCHER_PATTERNS } from "./fixtures/gated-agent.ts";
import { startInsertServer } from "./fixtures/insert-server.ts";
import { percentile } from "./fixtures/percentile.ts";
import { reports, TOOL_CALL } from "./fixtures/reports.ts";
import { temporaryDatabase } from "./fixtures/temporary-database.ts";

const CONNECTIONS = 64;
const ROUNDS = 3;
const ROUND_S = 4;
const WARM_UP_S = 6;
const INGEST_CONNECTIONS = 4;
const BATCH = 500;

interface KnownPeer extends Peer {
  /** Done before it answers. */
  readonly promise: string;
}

/** Always kept: these are figures to know, not promises. */
export async function bench(): Promise<boolean> {
  const started: { stop(): Promise<void> }[] = [];
  try {
    const server = await ownServer();
    started.push({ stop: () => server.close() });
    await server.start();
    const key = await gatedAgent(server);
    const silent = await startCerbos(MATCHER_PATTERNS, false);
    started.push(silent);
    const logging = await startCerbos(MATCHER_PATTERNS, true);
    started.push(logging);
    const bare = await startBare();
    started.push(bare);

    const one = JSON.stringify(TOOL_CALL);
    const check = JSON.stringify(checkOf(TOOL_CALL.tool_name));
    const insert = { url: bare.url, promise: "stored in PostgreSQL" };
    await compare("Decisions: one call of a tool, 20 rules that do not match", CONNECTIONS, [
      {
        name: "Quarterdeck",
        promise: "decided, stored in PostgreSQL with its audit entry",
        url: `${server.url}/api/v1/hooks/pre_tool_use?lane=default`,
        key,
        body: one,
        events: 1,
      },
      { name: "Cerbos", promise: "decided", url: silent.url, body: check, events: 1 },
      { name: "Cerbos with its log", promise: "decided, logged later", url: logging.url, body: check, events: 1 },
      { name: "node:http and INSERT", ...insert, body: one, events: 1 },
    ]);
    await compare(`Ingest: events that already happened, ${BATCH} a request`, INGEST_CONNECTIONS, [
      {
        name: "Quarterdeck",
        promise: "named, stored, summed, in the audit chain",
        url: `${server.url}/api/v1/events`,
        key,
        body: () => reports(BATCH),
        events: BATCH,
      },
      {
        name: "node:http and INSERT",
        ...insert,
        body: JSON.stringify(Array.from({ length: BATCH }, () => TOOL_CALL)),
        events: BATCH,
      },
    ]);
    return true;
  } finally {
    for (const { stop } of started.reverse()) await stop();
  }
}

async function compare(title: string, connections: number, peers: readonly KnownPeer[]): Promise<void> {
  console.log(`\n${title}; ${connections} connections, median of ${ROUNDS} rounds of ${ROUND_S} s`);
  for (const peer of peers) await load(peer, connections, WARM_UP_S);
  const rounds = peers.map(() => [] as { perSecond: number; p50: number; p99: number }[]);
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [at, peer] of peers.entries()) rounds[at]?.push(await load(peer, connections, ROUND_S));
  const median = (at: number, of: "perSecond" | "p50" | "p99") =>
    percentile(
      (rounds[at] ?? []).map((round) => round[of]),
      0.5,
    );
  for (const [at, peer] of peers.entries()) {
    const [rate, ratio] = [median(at, "perSecond"), median(0, "perSecond") / median(at, "perSecond")];
    console.log(
      `${peer.name.padEnd(22)}${rate.toFixed(0).padStart(8)}/s  p50 ${median(at, "p50")} ms  p99 ${median(at, "p99")} ms  ` +
        `${at === 0 ? "" : `Quarterdeck is at ${ratio.toFixed(2)}x of it  `}(${peer.promise})`,
    );
  }
}

async function startBare() {
  const { ownerUrl, stop } = await temporaryDatabase();
  const server = await startInsertServer(ownerUrl);
  return {
    url: server.url,
    async stop() {
      await server.stop();
      await stop();
    },
  };
}
