/**
 * Each page's queries together, warm, on 1,000,000 stored dispatches and on 10,000 in the same run.
 *
 *     npm run bench dashboards [-- 1000000]
 */
import { create as createAgent } from "../server/agents/service.ts";
import { createBus } from "../server/live/service.ts";
import { ensureFirstRun } from "../server/people/service.ts";
import { uuidv7 } from "../server/platform/ids.ts";
import { createLog } from "../server/platform/log.ts";
import { NO_CASES, publishByName } from "../server/policies/service.ts";
import { createCallerFactory } from "../server/trpc/init.ts";
import { appRouter } from "../server/trpc/root.ts";
import { AGENTS, fill } from "./fixtures/history.ts";
import { ms, percentile } from "./fixtures/percentile.ts";
import { temporaryDatabase } from "./fixtures/temporary-database.ts";

const FEW = 10_000;
const MANY = 1_000_000;
const WARM_UP = 5;
const ROUNDS = 40;
const ROUNDS_ALONE = 10;
const PAGE_MS_MAX = 150;
const RATIO_MAX = 2;
/** Between medians this close the machine decides, not the number of rows. */
const NOISE_MS = 10;
const RANGES = { "1h": 3_600_000, "6h": 6 * 3_600_000, "24h": 24 * 3_600_000, "30d": 30 * 24 * 3_600_000 } as const;

const callerOf = createCallerFactory(appRouter);
type Caller = ReturnType<typeof callerOf>;
type Range = { readonly from: Date; readonly to: Date };

type Query = (ask: Caller, range: Range) => Promise<unknown>;

const COSTS: Readonly<Record<string, Query>> = {
  summary: (ask, range) => ask.costs.summary(range),
  byModel: (ask, range) => ask.costs.byModel(range),
  byAgent: (ask, range) => ask.costs.byAgent(range),
};

/** What each page asks for at once, as its page.tsx prefetches it. */
const PAGES: Readonly<Record<string, Readonly<Record<string, Query>>>> = {
  overview: {
    start: (ask) => ask.overview.start(),
    summary: (ask, range) => ask.overview.summary(range),
    series: (ask, range) => ask.overview.series(range),
    recentDenials: (ask, range) => ask.overview.recentDenials(range),
    topDenied: (ask, range) => ask.overview.topDenied(range),
    agents: (ask, range) => ask.overview.agents(range),
  },
  decisions: {
    list: (ask, range) => ask.decisions.list({ range }),
    facets: (ask, range) => ask.decisions.facets({ range }),
  },
  "decisions, denied by a tool": {
    list: (ask, range) => ask.decisions.list({ range, filters: { verdict: ["deny"], tool: ["fetch"] } }),
    facets: (ask, range) => ask.decisions.facets({ range }),
  },
  costs: { ...COSTS, series: (ask, range) => ask.costs.series({ ...range, by: "model" }) },
  "costs by session": { ...COSTS, bySession: (ask, range) => ask.costs.bySession(range) },
  "costs by call": { ...COSTS, calls: (ask, range) => ask.costs.calls(range) },
  compactions: {
    summary: (ask, range) => ask.compactions.summary(range),
    list: (ask, range) => ask.compactions.list(range),
  },
  policies: { list: (ask) => ask.policies.list(), agents: (ask) => ask.agents.list() },
  agents: { list: (ask) => ask.agents.list() },
};

/** Whether every page keeps its promise. */
export async function bench(args: readonly string[]): Promise<boolean> {
  const many = Number(args[0] ?? MANY);
  const few = await measure(FEW);
  const full = await measure(many);
  const cells = (...texts: readonly string[]) => texts.map((text) => text.padStart(11)).join("");
  console.log(`${" ".repeat(38)}${cells(`${FEW}`, "", `${many}`, "", "ratio")}        slowest query`);
  console.log(`${"page".padEnd(32)}${"range".padEnd(6)}${cells("p50", "p95", "p50", "p95", "of p50")}`);
  let isKept = true;
  for (const { page, range, p50, p95, slowest } of full) {
    const small = few.find((one) => one.page === page && one.range === range);
    if (!small) continue;
    const isOver = p95 > PAGE_MS_MAX || p50 > RATIO_MAX * small.p50 + NOISE_MS;
    const times = cells(ms(small.p50), ms(small.p95), ms(p50), ms(p95), (p50 / small.p50).toFixed(2));
    console.log(`${page.padEnd(32)}${range.padEnd(6)}${times}  ${isOver ? "over" : "    "}  ${slowest}`);
    isKept &&= !isOver;
  }
  console.log(`${ROUNDS} warm rounds; to hold: p95 under ${PAGE_MS_MAX} ms, ratio at most ${RATIO_MAX}`);
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

async function measure(count: number): Promise<Timed[]> {
  const { database, owner, url, stop } = await temporaryDatabase();
  const bus = createBus(url, createLog("error"));
  try {
    const { workspaceId } = await ensureFirstRun(database);
    const actor = { kind: "script", workspaceId, id: "bench", name: "bench" } as const;
    const agentIds: string[] = [];
    for (let index = 0; index < AGENTS; index += 1) {
      const name = `agent-${String(index).padStart(2, "0")}`;
      agentIds.push((await createAgent(database, bus, actor, { name })).agentId);
    }
    const source = "hooks:\n  pre_tool_use:\n    - matcher: shell\n      hooks: [{ type: command, command: 'true' }]\n";
    for (let index = 0; index < 5; index += 1)
      await publishByName(database, bus, actor, { name: `policy ${index}`, source, note: uuidv7() }, NO_CASES);
    const startedMs = performance.now();
    const now = new Date();
    await fill(owner, workspaceId, agentIds, count, now);
    console.error(`${count} dispatches made in ${((performance.now() - startedMs) / 1_000).toFixed(1)} s`);
    const context = { db: database, actor, app: null, session: null, setHeader: () => undefined };
    return await timePages(callerOf(context), now);
  } finally {
    await bus.close();
    await stop();
  }
}

async function timePages(ask: Caller, now: Date): Promise<Timed[]> {
  const timed: Timed[] = [];
  for (const [page, queries] of Object.entries(PAGES)) {
    for (const [name, lengthMs] of Object.entries(RANGES)) {
      const range = { from: new Date(now.getTime() - lengthMs), to: now };
      const together = await times(ROUNDS, () => Promise.all(Object.values(queries).map((query) => query(ask, range))));
      const alone: [string, number][] = [];
      for (const [query, run] of Object.entries(queries))
        alone.push([query, percentile(await times(ROUNDS_ALONE, () => run(ask, range)), 0.5)]);
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
