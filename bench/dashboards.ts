/**
 * Each page's queries together, warm and over HTTP, on many stored dispatches and on few in the same run; then what storing
 * costs: events a second, bytes an event, and the memory of everything we run.
 *
 *     npm run bench dashboards [-- 1000000 [the beginning of a page's name]]
 */
import autocannon from "autocannon";
import type { Script } from "../e2e/fixtures/console.ts";
import { PAGES, type Range } from "./fixtures/console-pages.ts";
import { type FilledServer, filledServer } from "./fixtures/filled-server.ts";
import { memoryOf } from "./fixtures/memory.ts";
import { ms, percentile } from "./fixtures/percentile.ts";
import { reports } from "./fixtures/reports.ts";

const FEW = 10_000;
const MANY = 1_000_000;
const WARM_UP = 3;
const ROUNDS = 20;
const ROUNDS_ALONE = 5;
/** Up to a million, and beyond. */
const pageMsMax = (count: number): number => (count <= MANY ? 150 : 500);
const RATIO_MAX = 2;
/** Between medians this close the machine decides, not the number of rows. */
const NOISE_MS = 10;
const INGEST_S = 15;
const INGEST_CONNECTIONS = 4;
const INGEST_BATCH = 500;
const MEMORY_MAX = 1_024 ** 3;
const RANGES = { "1h": 3_600_000, "24h": 24 * 3_600_000, "30d": 30 * 24 * 3_600_000 } as const;

/** Whether every page keeps its promise, and our memory its limit. */
export async function bench(args: readonly string[]): Promise<boolean> {
  const [many, named] = [Number(args[0] ?? MANY), args[1] ?? ""];
  // Beyond a million only the time counts.
  const few = many > MANY ? [] : await using(FEW, ({ script, until }) => timePages(script, until, named));
  return using(many, async (filled) => {
    const full = await timePages(filled.script, filled.until, named);
    const kept = [tellPages(few, full, many), await tellStorage(filled, many), await tellIngest(filled)];
    return kept.every(Boolean);
  });
}

async function using<T>(count: number, work: (filled: FilledServer) => Promise<T>): Promise<T> {
  const filled = await filledServer(count);
  try {
    return await work(filled);
  } finally {
    await filled.close();
  }
}

function tellPages(few: readonly Timed[], full: readonly Timed[], many: number): boolean {
  const cells = (...texts: readonly string[]) => texts.map((text) => text.padStart(11)).join("");
  console.log(`${" ".repeat(38)}${cells(`${FEW}`, "", `${many}`, "", "ratio")}        slowest query`);
  console.log(`${"page".padEnd(32)}${"range".padEnd(6)}${cells("p50", "p95", "p50", "p95", "of p50")}`);
  let isKept = true;
  for (const { page, range, p50, p95, slowest } of full) {
    const small = few.find((one) => one.page === page && one.range === range);
    const isOver = p95 > pageMsMax(many) || (small !== undefined && p50 > RATIO_MAX * small.p50 + NOISE_MS);
    const beside = small ? [ms(small.p50), ms(small.p95)] : ["", ""];
    const times = cells(...beside, ms(p50), ms(p95), small ? (p50 / small.p50).toFixed(2) : "");
    console.log(`${page.padEnd(32)}${range.padEnd(6)}${times}  ${isOver ? "over" : "    "}  ${slowest}`);
    isKept &&= !isOver;
  }
  console.log(`${ROUNDS} warm rounds; to hold: p95 under ${pageMsMax(many)} ms, up to ${MANY} a ratio of ${RATIO_MAX}`);
  return isKept;
}

interface Timed {
  readonly page: string;
  readonly range: string;
  readonly p50: number;
  readonly p95: number;
  /** The query that takes longest alone, and its median. */
  readonly slowest: string;
}

async function timePages(script: Script, until: Date, named: string): Promise<Timed[]> {
  const timed: Timed[] = [];
  for (const [page, queriesOf] of Object.entries(PAGES)) {
    if (!page.startsWith(named)) continue;
    for (const [name, lengthMs] of Object.entries(RANGES)) {
      const range: Range = { from: new Date(until.getTime() - lengthMs), to: until };
      const queries = queriesOf(range);
      const ask = ([path, input]: (typeof queries)[number]) => script.query(path, input);
      const together = await times(ROUNDS, () => Promise.all(queries.map(ask)));
      const alone: [string, number][] = [];
      for (const query of queries) alone.push([query[0], percentile(await times(ROUNDS_ALONE, () => ask(query)), 0.5)]);
      const [query, median] = alone.sort(([, left], [, right]) => right - left)[0] ?? ["", 0];
      const [p50, p95] = [percentile(together, 0.5), percentile(together, 0.95)];
      timed.push({ page, range: name, p50, p95, slowest: `${query} ${ms(median)}` });
    }
  }
  return timed;
}

async function times(rounds: number, run: () => Promise<unknown>): Promise<number[]> {
  const taken: number[] = [];
  for (let round = 0; round < WARM_UP + rounds; round += 1) {
    const startedMs = performance.now();
    await run();
    if (round >= WARM_UP) taken.push(performance.now() - startedMs);
  }
  return taken;
}

async function tellStorage({ owner }: FilledServer, count: number): Promise<boolean> {
  const found = await owner.query<{ name: string; bytes: string }>(
    `SELECT CASE WHEN relname ~ '_\\d{4}_\\d{2}$' THEN left(relname, -8) ELSE relname END AS name,
       sum(pg_total_relation_size(oid)) AS bytes
     FROM pg_class WHERE relkind IN ('r', 'm') AND relnamespace = 'public'::regnamespace GROUP BY 1 ORDER BY 2 DESC`,
  );
  const total = found.rows.reduce((sum, { bytes }) => sum + Number(bytes), 0);
  const largest = found.rows.slice(0, 6).map(({ name, bytes }) => `${name} ${Math.round(Number(bytes) / count)}`);
  console.log(`${Math.round(total / count)} bytes an event, indexes included (${largest.join(", ")})`);
  return true;
}

/** Events that are taken while the memory is watched. */
async function tellIngest({ server, script }: FilledServer): Promise<boolean> {
  const key = await script.key("ingest");
  let most = 0;
  let parts = "";
  const watch = setInterval(() => {
    const memory = memoryOf(server.pid ?? 0);
    const total = [...memory.values()].reduce((sum, bytes) => sum + bytes, 0);
    if (total <= most) return;
    most = total;
    parts = [...memory]
      .slice(0, 4)
      .map(([name, bytes]) => `${name} ${mebibytes(bytes)}`)
      .join(", ");
  }, 500);
  const load = autocannon({
    url: `${server.url}/api/v1/events`,
    connections: INGEST_CONNECTIONS,
    duration: INGEST_S,
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${key}` },
    requests: [{ setupRequest: (request) => ({ ...request, body: reports(INGEST_BATCH) }) }],
  });
  const result = await load;
  clearInterval(watch);
  if (result.non2xx > 0 || result.errors > 0) throw new Error(`${result.non2xx} reports were refused`);
  console.log(`${Math.round(result.requests.average * INGEST_BATCH)} reported events a second into it`);
  console.log(`${mebibytes(most)} at most in all our processes (${parts}); to hold: under ${mebibytes(MEMORY_MAX)}`);
  return most < MEMORY_MAX;
}

const mebibytes = (bytes: number): string => `${Math.round(bytes / 1_024 ** 2)} MiB`;
