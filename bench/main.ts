/** `npm run bench [name] [-- arguments]`: one bench, or all of them; exit 1 when a promise is not kept. */
import { keptBench } from "./fixtures/figures.ts";

export type Bench = (args: readonly string[]) => Promise<boolean>;

const BENCHES: Readonly<Record<string, () => Promise<{ readonly bench: Bench }>>> = {
  apart: () => import("./apart.ts"),
  approvals: () => import("./approvals.ts"),
  backtest: () => import("./backtest.ts"),
  "budget-race": () => import("./budget-race.ts"),
  dashboards: () => import("./dashboards.ts"),
  dialects: () => import("./dialects.ts"),
  "editor-latency": () => import("./editor-latency.ts"),
  "event-to-pixel": () => import("./event-to-pixel.ts"),
  floor: () => import("./floor.ts"),
  hooks: () => import("./hooks.ts"),
  "hot-path": () => import("./hot-path.ts"),
  kills: () => import("./kills.ts"),
  lint: () => import("./lint.ts"),
  "local-executor": () => import("./local-executor.ts"),
  memory: () => import("./memory.ts"),
  "page-weight": () => import("./page-weight.ts"),
  peak: () => import("./peak.ts"),
  peers: () => import("./peers.ts"),
  posture: () => import("./posture.ts"),
  pressure: () => import("./pressure.ts"),
  rebuild: () => import("./rebuild.ts"),
  redaction: () => import("./redaction.ts"),
  rules: () => import("./rules.ts"),
  shim: () => import("./shim.ts"),
  start: () => import("./start.ts"),
  streams: () => import("./streams.ts"),
  sustained: () => import("./sustained.ts"),
  timeline: () => import("./timeline.ts"),
  verification: () => import("./verification.ts"),
  viewers: () => import("./viewers.ts"),
};

const [name, ...args] = process.argv.slice(2);
if (name === "table") {
  const { table } = await import("./table.ts");
  process.exit((await table(args)) ? 0 : 1);
}
if (name !== undefined && !Object.hasOwn(BENCHES, name)) {
  console.error(`There is no bench "${name}"; there are table, ${Object.keys(BENCHES).join(", ")}.`);
  process.exit(2);
}
let isKept = true;
for (const [one, load] of Object.entries(BENCHES)) {
  if (name !== undefined && name !== one) continue;
  console.log(`\n${one}`);
  const { bench } = await load();
  isKept = (await keptBench(one, args, () => bench(args))) && isKept;
}
process.exit(isKept ? 0 : 1);
