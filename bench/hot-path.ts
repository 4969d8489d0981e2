/**
 * The hot path: an agent asks about a tool that none of twenty matchers selects, and every answer is committed first.
 * Measured against a bare node:http echo and a Cerbos policy server with as many rules, turn by turn in the same run, because
 * only ratios travel.
 *
 *     npm run bench hot-path [-- seconds of a round]
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { fileURLToPath } from "node:url";
import { type OwnServer, ownServer } from "../e2e/fixtures/own-server.ts";
import { checkOf, startCerbos } from "./fixtures/cerbos.ts";
import { type LoadResult, load, type Peer } from "./fixtures/closed-loop.ts";
import { observed, promised } from "./fixtures/figures.ts";
import { gatedAgent, MATCHER_PATTERNS } from "./fixtures/gated-agent.ts";
import { ownerPool } from "./fixtures/owner-pool.ts";
import { ms, percentile } from "./fixtures/percentile.ts";
import { untilCaughtUp } from "./fixtures/projector-lag.ts";
import { TOOL_CALL } from "./fixtures/reports.ts";

const CONNECTIONS = 64;
const ROUNDS = 5;
const ROUND_S = 5;
/** In rounds: until everything that can be compiled has been. */
const WARM_UP_ROUNDS = 3;
const SINGLE_REQUESTS = 3_000;
const SINGLE_WARM_UP = 500;
const OF_ECHO_MIN = 0.3;
const OF_CERBOS_MIN = 2;
const SINGLE_P50_MS_MAX = 3;
const SINGLE_P99_MS_MAX = 12;

const BODY = JSON.stringify(TOOL_CALL);

/** True when the hot path keeps its share of both peers' throughput, and one lone agent its time. */
export async function bench(args: readonly string[]): Promise<boolean> {
  const seconds = Number(args[0] ?? ROUND_S);
  const started: { stop(): Promise<void> }[] = [];
  try {
    const server = await ownServer();
    started.push({ stop: () => server.close() });
    await server.start();
    const url = `${server.url}/api/v1/hooks/pre_tool_use?lane=default`;
    const own: Peer = { name: "Quarterdeck", url, key: await gatedAgent(server), body: BODY };
    const echo = await startEcho();
    started.push(echo);
    const cerbos = await startCerbos(MATCHER_PATTERNS, false);
    started.push(cerbos);
    const check = JSON.stringify(checkOf(TOOL_CALL.tool_name));
    const peers = [own, echo.peer, { name: "Cerbos", url: cerbos.url, body: check }] as const;

    let answered = 0;
    for (const peer of peers)
      for (let round = 0; round < WARM_UP_ROUNDS; round += 1) {
        const { answered: more } = await load(peer, CONNECTIONS, seconds);
        if (peer === own) answered += more;
      }
    const rounds: (readonly [own: LoadResult, echo: LoadResult, cerbos: LoadResult])[] = [];
    for (let round = 1; round <= ROUNDS; round += 1) {
      const results = [
        await load(peers[0], CONNECTIONS, seconds),
        await load(peers[1], CONNECTIONS, seconds),
        await load(peers[2], CONNECTIONS, seconds),
      ] as const;
      answered += results[0].answered;
      rounds.push(results);
      const rates = results.map(({ perSecond }) => `${perSecond.toFixed(0)}/s`);
      console.log(`round ${round}: ${peers.map(({ name }, at) => `${name} ${rates[at]}`).join(", ")}`);
    }
    const [single, first] = [await oneByOne(own, SINGLE_REQUESTS), SINGLE_REQUESTS + SINGLE_WARM_UP];
    answered += first;
    const isFast = [compare(rounds), reportSingle(single)];
    const stored = await storedBy(server);
    const isStored = promised(
      "64 connections and 1",
      "nothing answered that is not stored",
      `${answered} answered, ${stored} stored`,
      stored >= answered,
    );
    return isFast.every(Boolean) && isStored;
  } finally {
    for (const { stop } of started.reverse()) await stop();
  }
}

function compare(rounds: readonly (readonly [LoadResult, LoadResult, LoadResult])[]): boolean {
  const median = (of: (round: readonly [LoadResult, LoadResult, LoadResult]) => number) =>
    percentile(rounds.map(of), 0.5);
  const ofEcho = median(([own, echo]) => own.perSecond / echo.perSecond);
  const ofCerbos = median(([own, , cerbos]) => own.perSecond / cerbos.perSecond);
  const rates = [0, 1, 2].map((at) => median((round) => round[at]?.perSecond ?? 0).toFixed(0));
  const times = ([p50, p99]: readonly number[]) => `p50 ${p50} ms, p99 ${p99} ms`;
  observed(
    `${CONNECTIONS} connections`,
    `${rates[0]}/s (${times([median(([own]) => own.p50), median(([own]) => own.p99)])}), echo ${rates[1]}/s, Cerbos ${rates[2]}/s`,
  );
  const share = `at least ${OF_ECHO_MIN.toFixed(2)}x`;
  return [
    promised(`${CONNECTIONS} connections, of a bare echo`, share, `${ofEcho.toFixed(2)}x`, ofEcho >= OF_ECHO_MIN),
    promised(
      `${CONNECTIONS} connections, of Cerbos`,
      `at least ${OF_CERBOS_MIN}x`,
      `${ofCerbos.toFixed(2)}x (Cerbos decides and stores nothing)`,
      ofCerbos >= OF_CERBOS_MIN,
    ),
  ].every(Boolean);
}

function reportSingle(times: readonly number[]): boolean {
  const [p50, p95, p99] = [percentile(times, 0.5), percentile(times, 0.95), percentile(times, 0.99)];
  observed("1 connection, p95", ms(p95));
  return [
    promised("1 connection, p50", `under ${SINGLE_P50_MS_MAX} ms`, ms(p50), p50 < SINGLE_P50_MS_MAX),
    promised("1 connection, p99", `under ${SINGLE_P99_MS_MAX} ms`, ms(p99), p99 < SINGLE_P99_MS_MAX),
  ].every(Boolean);
}

/** Milliseconds of each of many calls, one after the other on one connection. */
async function oneByOne({ url, key = "" }: Peer, requests: number): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const headers = { "content-type": "application/json", authorization: `Bearer ${key}` };
  const times: number[] = [];
  for (let call = -SINGLE_WARM_UP; call < requests; call += 1) {
    const startedMs = performance.now();
    await new Promise<void>((resolve, reject) => {
      const asked = request(url, { method: "POST", agent, headers }, (response) => {
        response.resume().on("end", resolve);
      });
      asked.on("error", reject).end(BODY);
    });
    if (call >= 0) times.push(performance.now() - startedMs);
  }
  agent.destroy();
  return times;
}

async function startEcho() {
  const child = fork(fileURLToPath(new URL("./fixtures/echo.mjs", import.meta.url)));
  const [port] = await once(child, "message");
  return {
    peer: { name: "bare echo", url: `http://127.0.0.1:${port}/`, body: BODY },
    async stop() {
      child.disconnect();
      await once(child, "exit");
    },
  };
}

async function storedBy(server: OwnServer): Promise<number> {
  const pool = await ownerPool(server);
  await untilCaughtUp(pool);
  await pool.end();
  const stats = JSON.parse(await server.quarterdeck(["stats", "--json"])) as { overall: { event_count: number } }; // the command's own format
  return stats.overall.event_count;
}
