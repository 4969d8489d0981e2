/**
 * The hot path: an agent asks about a tool that none of twenty matchers selects, and every answer is committed first.
 * Measured against a bare node:http echo on the same machine in the same run, turn by turn, because only ratios travel.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { Agent, request } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import autocannon from "autocannon";
import { type OwnServer, ownServer } from "../e2e/fixtures/own-server.ts";
import { ms, percentile } from "./fixtures/percentile.ts";
import { TOOL_CALL } from "./fixtures/reports.ts";

const CONNECTIONS = 64;
const ROUNDS = 5;
const ROUND_S = 3;
/** Until everything that can be compiled has been. */
const WARM_UP_S = 10;
const SINGLE_REQUESTS = 1_000;
const MATCHERS = 20;
const RATIO_MIN = 0.25;
const SINGLE_MS_MAX = 3;

const BODY = JSON.stringify(TOOL_CALL);

/** Whether the hot path keeps its share of a bare server's throughput, and one lone agent its time. */
export async function bench(): Promise<boolean> {
  const server = await ownServer();
  const echo = fork(fileURLToPath(new URL("./fixtures/echo.mjs", import.meta.url)));
  try {
    const [port] = await once(echo, "message");
    await server.start();
    const target = { url: `${server.url}/api/v1/hooks/pre_tool_use`, key: await prepare(server) };
    const bare = { url: `http://127.0.0.1:${port}/`, key: "" };

    let answered = (await load(target, WARM_UP_S)).answered;
    await load(bare, ROUND_S);
    const ratios: number[] = [];
    for (let round = 1; round <= ROUNDS; round += 1) {
      const echoed = await load(bare, ROUND_S);
      const dispatched = await load(target, ROUND_S);
      answered += dispatched.answered;
      const ratio = dispatched.perSecond / echoed.perSecond;
      ratios.push(ratio);
      console.log(
        `round ${round}: ${ratio.toFixed(2)}x (${dispatched.perSecond.toFixed(0)}/s of ${echoed.perSecond.toFixed(0)}/s)`,
      );
    }
    const times = await oneByOne(target);
    answered += times.length;
    const stored = await storedBy(server);

    const ratio = percentile(ratios, 0.5);
    const [p50, p99] = [percentile(times, 0.5), percentile(times, 0.99)];
    console.log(`${CONNECTIONS} connections: ${ratio.toFixed(2)}x of a bare echo; to hold: ${RATIO_MIN}x`);
    console.log(`1 connection: p50 ${ms(p50)}, p99 ${ms(p99)}; to hold: p50 under ${SINGLE_MS_MAX} ms`);
    console.log(`${answered} answered, ${stored} stored; to hold: none answered that is not stored`);
    return ratio >= RATIO_MIN && p50 < SINGLE_MS_MAX && stored >= answered;
  } finally {
    echo.disconnect();
    await server.close();
  }
}

interface Target {
  readonly url: string;
  readonly key: string;
}

const headersFor = ({ key }: Target) => ({ "content-type": "application/json", authorization: `Bearer ${key}` });

async function prepare(server: OwnServer): Promise<string> {
  const entries = Array.from(
    { length: MATCHERS },
    (_, index) =>
      `    - matcher: "tool_${index}_[a-z]+|mcp_${index}_.*"\n      hooks: [{ type: command, command: exit 2 }]\n`,
  );
  const file = join(server.dataDir, "bench.yaml");
  await writeFile(file, `hooks:\n  pre_tool_use:\n${entries.join("")}`);
  await server.quarterdeck(["policy", "publish", file, "--name", "bench"]);
  return (await server.quarterdeck(["key", "create", "--agent", "bench"])).trim();
}

async function load(target: Target, seconds: number): Promise<{ perSecond: number; answered: number }> {
  const result = await autocannon({
    url: target.url,
    connections: CONNECTIONS,
    duration: seconds,
    method: "POST",
    headers: headersFor(target),
    body: BODY,
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${result.non2xx} requests were refused and ${result.errors} failed`);
  return { perSecond: result.requests.average, answered: result["2xx"] };
}

/** Milliseconds of each of many calls, one after the other on one connection. */
async function oneByOne(target: Target): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times: number[] = [];
  for (let call = 0; call < SINGLE_REQUESTS; call += 1) {
    const startedMs = performance.now();
    await new Promise<void>((resolve, reject) => {
      const asked = request(target.url, { method: "POST", agent, headers: headersFor(target) }, (response) => {
        response.resume().on("end", resolve);
      });
      asked.on("error", reject).end(BODY);
    });
    times.push(performance.now() - startedMs);
  }
  agent.destroy();
  return times;
}

async function storedBy(server: OwnServer): Promise<number> {
  const stats = JSON.parse(await server.quarterdeck(["stats", "--json"])) as { overall: { event_count: number } }; // the command's own format
  return stats.overall.event_count;
}
