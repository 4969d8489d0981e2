/**
 * `npm run drill:cluster [-- --rate 50] [--keep]`: a cluster of Debian's packages on loopback, in which one part after the other is
 * killed under load. Prints a table; exit 1 when an acknowledged call was lost or doubled, or one was allowed against the policy.
 *
 * --rate   calls a second
 * --keep   leaves the directory with everybody's log
 */
import { cpus } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { ensurePackages } from "../../scripts/debian-packages.mjs";
import { build, prepare } from "../../scripts/prepare.mjs";
import { program } from "../../scripts/programs.mjs";
import { type Cluster, withCluster } from "./cluster.ts";
import { drillTable, type FailureResult, isHeld, refusalLines } from "./drill-table.ts";
import { FAILURES, type Failure } from "./failures.ts";
import { type LoadResult, runLoad } from "./load.ts";
import { compareStored } from "./stored-calls.ts";
import { waitUntil } from "./wait-until.ts";

const RATE = 50;
/** Load before each failure and after it. */
const AROUND_MS = 5_000;
const WHOLE_MS = 60_000;
/** All of it, after which it is taken down and has failed. */
const DRILL_MS_MAX = 600_000;

const { values } = parseArgs({ options: { rate: { type: "string" }, keep: { type: "boolean", default: false } } });
const rate = Number(values.rate ?? RATE);
let startMs = performance.now();

async function drill(cluster: Cluster): Promise<boolean> {
  const results: FailureResult[] = [];
  try {
    for (const failure of FAILURES) {
      await waitUntil("the cluster is whole", cluster.isWhole, WHOLE_MS);
      say(failure.name);
      const result = await resultOf(failure, cluster);
      results.push(result);
      say(`  whole again ${((result.wholeAfterMs ?? 0) / 1_000).toFixed(1)} s after it, all calls are answered`);
    }
    // A later failure may have taken what an earlier one had kept.
    const load = sumOf(results.map((result) => result.load));
    const stored = await compareStored(cluster.databaseUrl, load);
    results.push({ failure: "all, at the end", wholeAfterMs: null, load, ...stored });
  } finally {
    print(results);
  }
  return results.every(isHeld);
}

function print(results: readonly FailureResult[]): void {
  console.log(`\n${rate} calls a second, ${cpus().length} processors (${cpus()[0]?.model ?? "unknown"})\n`);
  console.log(drillTable(results));
  for (const line of refusalLines(results)) console.log(line);
}

async function resultOf(failure: Failure, cluster: Cluster): Promise<FailureResult> {
  let wholeAfterMs = 0;
  const { gatewayUrls, key } = cluster.installation;
  const run = async () => {
    await delay(AROUND_MS);
    const failedMs = performance.now();
    await failure.run(cluster);
    wholeAfterMs = performance.now() - failedMs;
    await delay(AROUND_MS);
  };
  const load = await runLoad({ gatewayUrls, key, perSecond: rate }, run());
  return { failure: failure.name, wholeAfterMs, load, ...(await compareStored(cluster.databaseUrl, load)) };
}

function sumOf(loads: readonly LoadResult[]): LoadResult {
  const [first] = loads;
  return {
    acknowledged: new Map(loads.flatMap((load) => [...load.acknowledged])),
    contradicted: loads.flatMap((load) => load.contradicted),
    refusals: new Map(), // each failure's own are listed
    allowedAgainstPolicy: loads.reduce((sum, load) => sum + load.allowedAgainstPolicy, 0),
    blockedAgainstPolicy: loads.reduce((sum, load) => sum + load.blockedAgainstPolicy, 0),
    silenceMs: {
      all: Math.max(...loads.map(({ silenceMs }) => silenceMs.all)),
      byGateway: (first?.silenceMs.byGateway ?? []).map((_, index) =>
        Math.max(...loads.map(({ silenceMs }) => silenceMs.byGateway[index] ?? 0)),
      ),
    },
  };
}

function say(sentence: string): void {
  console.log(`${((performance.now() - startMs) / 1_000).toFixed(0).padStart(4)} s  ${sentence}`);
}

/** Settles never; fails when the drill takes too long or somebody ends it. */
function interruption(): Promise<never> {
  return new Promise((_, reject) => {
    setTimeout(() => reject(new Error("the drill took too long")), DRILL_MS_MAX).unref();
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
      process.on(signal, () => reject(new Error(`ended by ${signal}`)));
  });
}

if (!Number.isFinite(rate) || rate < 1 || rate > 1_000) throw new Error("--rate is calls a second, from 1 to 1,000.");
if (process.getuid?.() !== 0) throw new Error("The drill runs servers as the user postgres, so it needs root.");
if (!(await ensurePackages(["etcd-server", "patroni", "postgresql-15", "haproxy", "bubblewrap"]))) process.exit(2);
// Before the clock starts: five servers would wait for it.
await prepare({ withDevelopment: true });
await Promise.all([program("main"), build()]);
startMs = performance.now();
const interrupted = interruption();
interrupted.catch(() => undefined); // thrown by the race below
try {
  const isKept = await withCluster({ isKept: values.keep, say, interrupted }, drill);
  process.exit(isKept ? 0 : 1);
} catch (error) {
  console.error(error);
  process.exit(1);
}
