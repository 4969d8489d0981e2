/**
 * Every page's and every drawer's queries together, warm and over HTTP, on many stored dispatches; up to a million on few in the
 * same run too. Then what storing costs.
 *
 *     npm run bench dashboards [-- 5000000 [the beginning of a page's name [rounds]]]
 */
import { DRAWERS } from "./fixtures/console-drawers.ts";
import { type Asked, PAGES, type Range } from "./fixtures/console-pages.ts";
import { subjectsOf } from "./fixtures/console-subjects.ts";
import { observed, promised } from "./fixtures/figures.ts";
import { type FilledServer, filledServer } from "./fixtures/filled-server.ts";
import { timePage } from "./fixtures/page-times.ts";
import { ms } from "./fixtures/percentile.ts";
import { signedIn } from "./fixtures/signed-in.ts";

const FEW = 10_000;
const A_MILLION = 1_000_000;
const MANY = 5_000_000;
/** Up to a million, and beyond. */
const pageMsMax = (count: number): number => (count <= A_MILLION ? 150 : 500);
const RATIO_MAX = 2;
/** Between medians this close the machine decides, not the number of rows. */
const NOISE_MS = 10;
const RANGES = { "1h": 3_600_000, "24h": 24 * 3_600_000, "30d": 30 * 24 * 3_600_000 } as const;

/** True when every page and drawer keeps its time. */
export async function bench(args: readonly string[]): Promise<boolean> {
  const [many, named, rounds] = [Number(args[0] ?? MANY), args[1] ?? "", Number(args[2] ?? 20)];
  // Beyond a million only the time counts.
  const few = many > A_MILLION ? [] : await using(FEW, (filled) => timePages(filled, named, rounds));
  return using(many, async (filled) => {
    await reportTables(filled, many);
    return reportPages(few, await timePages(filled, named, rounds), many);
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

interface Timed {
  readonly page: string;
  readonly range: string;
  readonly p50: number;
  readonly p95: number;
  readonly slowest: string;
}

async function timePages({ script, until }: FilledServer, named: string, rounds: number): Promise<Timed[]> {
  const person = await signedIn(script);
  const timed: Timed[] = [];
  const time = async (page: string, range: string, queries: readonly Asked[]) => {
    if (!page.startsWith(named)) return;
    const times = await timePage(person, queries, rounds);
    console.log(`${page.padEnd(40)}${range.padEnd(5)} p50 ${ms(times.p50)}, p95 ${ms(times.p95)}; ${times.slowest}`);
    timed.push({ page, range, ...times });
  };
  const ranges = Object.entries(RANGES).map(([name, lengthMs]): [string, Range] => [
    name,
    { from: new Date(until.getTime() - lengthMs), to: until },
  ]);
  for (const [page, queriesOf] of Object.entries(PAGES))
    for (const [name, range] of ranges) {
      const queries = queriesOf(range);
      await time(page, isAbout(queries, range) ? name : "", queries);
      if (!isAbout(queries, range)) break;
    }
  const [, month] = ranges.at(-1) ?? [];
  if (month === undefined) return timed;
  const subjects = await subjectsOf(script, month);
  for (const [drawer, queriesOf] of Object.entries(DRAWERS)) await time(drawer, "", queriesOf(month, subjects));
  return timed;
}

/** False for a page that shows the same whatever the time chosen. */
const isAbout = (queries: readonly Asked[], { from }: Range): boolean =>
  JSON.stringify(queries.map(([, input]) => input ?? null)).includes(from.toISOString());

function reportPages(few: readonly Timed[], full: readonly Timed[], many: number): boolean {
  const max = pageMsMax(many);
  const over: string[] = [];
  for (const { page, range, p50, p95, slowest } of full) {
    const small = few.find((one) => one.page === page && one.range === range);
    const name = `${page} ${range}`.trim();
    if (p95 > max) over.push(`${name} ${ms(p95)} (${slowest})`);
    if (small !== undefined && p50 > RATIO_MAX * small.p50 + NOISE_MS)
      over.push(`${name} ${(p50 / small.p50).toFixed(1)}x of ${FEW} dispatches`);
  }
  const slow = [...full].sort((left, right) => right.p95 - left.p95).slice(0, 5);
  observed("slowest", slow.map(({ page, range, p95 }) => `${`${page} ${range}`.trim()} ${ms(p95)}`).join(", "));
  return promised(
    `pages and drawers at ${many} dispatches, p95`,
    `each under ${max} ms`,
    over.length === 0 ? `all ${full.length} are` : `${over.length} of ${full.length} are not: ${over.join("; ")}`,
    over.length === 0,
  );
}

async function reportTables({ owner }: FilledServer, count: number): Promise<void> {
  const { rows } = await owner.query<{ name: string; bytes: string }>(
    `SELECT regexp_replace(relname, '_\\d{4}_\\d{2}$', '') AS name, sum(pg_total_relation_size(oid)) AS bytes
     FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace GROUP BY 1 ORDER BY 2 DESC`,
  );
  const total = rows.reduce((sum, { bytes }) => sum + Number(bytes), 0);
  const largest = rows.slice(0, 6).map(({ name, bytes }) => `${name} ${Math.round(Number(bytes) / count)}`);
  observed("bytes an event, indexes included", `${Math.round(total / count)} (${largest.join(", ")})`);
  const empty: string[] = [];
  for (const { name } of rows) {
    const found = await owner.query(`SELECT FROM ${name} LIMIT 1`);
    if (found.rowCount === 0) empty.push(name);
  }
  observed(
    "tables without a row",
    empty.length === 0 ? "none" : `${empty.length} of ${rows.length}: ${empty.sort().join(", ")}`,
  );
}
