/**
 * A dispatch through an adapter beside the same dispatch in native words, turn by turn in the same run: what reading a client's payload
 * and rendering its answer cost. One call after the other for its time, and many connections for the work of the gateway.
 *
 *     npm run bench dialects [-- calls of each]
 */
import { randomUUID } from "node:crypto";
import { Agent, request } from "node:http";
import { ownServer } from "../e2e/fixtures/own-server.ts";
import { load, type Peer } from "./fixtures/closed-loop.ts";
import { NATIVE, PAYLOADS } from "./fixtures/dialect-payloads.ts";
import { observed, promised } from "./fixtures/figures.ts";
import { gatedAgent } from "./fixtures/gated-agent.ts";
import { ms, percentile } from "./fixtures/percentile.ts";

const CALLS = 1_500;
const WARM_UP = 300;
const CONNECTIONS = 64;
const ROUNDS = 5;
const ROUND_S = 4;
const RATIO_MAX = 1.1;

/** True when an adapter costs at most a tenth more. */
export async function bench(args: readonly string[]): Promise<boolean> {
  const calls = Number(args[0] ?? CALLS);
  const server = await ownServer();
  try {
    await server.start();
    const key = await gatedAgent(server);
    const peers = Object.entries(PAYLOADS).map(([name, payload]): Peer & { body: () => string } => ({
      ...{ name, key, url: `${server.url}/api/v1/hooks/${name}` },
      body: () => JSON.stringify(payload(randomUUID())),
    }));
    const times = await oneByOne(peers, calls);
    const rates = await inRounds(peers);
    return report(times, rates);
  } finally {
    await server.close();
  }
}

type ByName = ReadonlyMap<string, readonly number[]>;

async function oneByOne(peers: readonly (Peer & { body: () => string })[], calls: number): Promise<ByName> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times = new Map<string, number[]>(peers.map(({ name }) => [name, []]));
  for (let call = -WARM_UP; call < calls; call += 1)
    for (const peer of peers) {
      const took = await ask(peer, peer.body(), agent);
      if (call >= 0) times.get(peer.name)?.push(took);
    }
  agent.destroy();
  return times;
}

/** Milliseconds until the whole answer. Errors: another status than 200. */
function ask({ name, url, key = "" }: Peer, body: string, agent: Agent): Promise<number> {
  const headers = { "content-type": "application/json", authorization: `Bearer ${key}` };
  const startedMs = performance.now();
  return new Promise((resolve, reject) => {
    const asked = request(url, { method: "POST", agent, headers }, (response) => {
      response.resume().on("end", () => {
        if (response.statusCode === 200) resolve(performance.now() - startedMs);
        else reject(new Error(`${name} was answered ${response.statusCode}`));
      });
    });
    asked.on("error", reject).end(body);
  });
}

async function inRounds(peers: readonly Peer[]): Promise<ByName> {
  const rates = new Map<string, number[]>(peers.map(({ name }) => [name, []]));
  for (let round = 0; round <= ROUNDS; round += 1)
    for (const peer of peers) {
      const { perSecond } = await load(peer, CONNECTIONS, ROUND_S);
      // The first one warms up.
      if (round > 0) rates.get(peer.name)?.push(perSecond);
    }
  return rates;
}

function report(times: ByName, rates: ByName): boolean {
  const median = (of: ByName, name: string) => percentile(of.get(name) ?? [], 0.5);
  const text = (name: string) =>
    `p50 ${ms(median(times, name))}, p95 ${ms(percentile(times.get(name) ?? [], 0.95))}; ${median(rates, name).toFixed(0)}/s over ${CONNECTIONS} connections`;
  observed("native", text(NATIVE));
  const kept = Object.keys(PAYLOADS).flatMap((name) => {
    if (name === NATIVE) return [];
    const [client = ""] = name.split("/");
    observed(client, text(name));
    const slower = median(times, name) / median(times, NATIVE);
    // Round by round: the machine is not the same all the time.
    const shares = (rates.get(name) ?? []).map((rate, round) => (rates.get(NATIVE)?.[round] ?? 0) / rate);
    const dearer = percentile(shares, 0.5);
    const asked = `at most ${RATIO_MAX.toFixed(2)}x of native`;
    return [
      promised(`${client}, time of a call`, asked, `${slower.toFixed(2)}x`, slower <= RATIO_MAX),
      promised(`${client}, work of a call`, asked, `${dearer.toFixed(2)}x`, dearer <= RATIO_MAX),
    ];
  });
  return kept.every(Boolean);
}
