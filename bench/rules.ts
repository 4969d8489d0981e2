/**
 * Rules: 200 of them in process, and the same guard as a hook that starts a program, turn by turn in the same run. Then the hot path
 * at 64 connections with a policy of rules, against the same policy without them.
 *
 *     npm run bench rules [-- seconds of a round]
 */
import { execa } from "execa";
import { type OwnServer, ownServer } from "../e2e/fixtures/own-server.ts";
import { testProgram } from "../scripts/programs.mjs";
import { load, type Peer } from "./fixtures/closed-loop.ts";
import { observed, promised } from "./fixtures/figures.ts";
import { gatedAgent } from "./fixtures/gated-agent.ts";
import { ms, percentile } from "./fixtures/percentile.ts";
import { TOOL_CALL } from "./fixtures/reports.ts";
import { publishRules } from "./fixtures/rule-policies.ts";
import type { RuleTimes } from "./fixtures/rules-in-process.ts";

const RULES = 200;
const P99_MS_MAX = 1;
const CONNECTIONS = 64;
const ROUNDS = 5;
const ROUND_S = 5;
const OF_UNRULED_MIN = 0.9;

/** True when rules keep their time in process, and the hot path its throughput. */
export async function bench(args: readonly string[]): Promise<boolean> {
  const seconds = Number(args[0] ?? ROUND_S);
  const isFast = await inProcess();
  return (await hotPath(seconds)) && isFast;
}

async function inProcess(): Promise<boolean> {
  const { stdout } = await execa(process.execPath, [await testProgram("rules-in-process"), String(RULES)]);
  const { short, long, command, longBytes }: RuleTimes = JSON.parse(stdout);
  report(`${RULES} rules, a short command, processor`, short);
  report("the same guard as a command hook, with its waiting", command);
  const p99 = report(`${RULES} rules, a command of ${Math.round(longBytes / 1_024)} KiB, processor`, long);
  return promised(`${RULES} rules, 16 KiB, p99`, `under ${P99_MS_MAX} ms`, ms(p99), p99 < P99_MS_MAX);
}

function report(name: string, times: readonly number[]): number {
  const [p50, p99] = [percentile(times, 0.5), percentile(times, 0.99)];
  const perSecond = (times.length * 1_000) / times.reduce((sum, one) => sum + one, 0);
  observed(name, `p50 ${ms(p50)}, p99 ${ms(p99)}, ${perSecond.toFixed(0)}/s one by one`);
  return p99;
}

/** Two servers, so that each has one policy, and one of them is asked at a time. */
async function hotPath(seconds: number): Promise<boolean> {
  const servers: OwnServer[] = [];
  try {
    const peers: Peer[] = [];
    for (const name of ["without rules", "with rules"]) {
      const server = await ownServer();
      servers.push(server);
      await server.start();
      const key = await gatedAgent(server);
      if (name === "with rules") await publishRules(server, RULES);
      const url = `${server.url}/api/v1/hooks/pre_tool_use?lane=default`;
      peers.push({ name, url, key, body: JSON.stringify(TOOL_CALL) });
    }
    for (const peer of peers) await load(peer, CONNECTIONS, seconds);
    const ratios: number[] = [];
    for (let round = 1; round <= ROUNDS; round += 1) {
      const rates: number[] = [];
      for (const peer of peers) rates.push((await load(peer, CONNECTIONS, seconds)).perSecond);
      const [without = 0, ruled = 0] = rates;
      console.log(`round ${round}: without rules ${without.toFixed(0)}/s, with rules ${ruled.toFixed(0)}/s`);
      ratios.push(ruled / without);
    }
    const ratio = percentile(ratios, 0.5);
    const asked = `at least ${OF_UNRULED_MIN.toFixed(2)}x`;
    const name = `${CONNECTIONS} connections, with ${RULES} rules of the throughput without`;
    return promised(name, asked, `${ratio.toFixed(2)}x`, ratio >= OF_UNRULED_MIN);
  } finally {
    for (const server of servers) await server.close();
  }
}
