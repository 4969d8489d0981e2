/** `npm run bench [name] [-- arguments]`: one bench, or all of them; exit 1 when a promise is not kept. */
export type Bench = (args: readonly string[]) => Promise<boolean>;

const BENCHES: Readonly<Record<string, () => Promise<{ readonly bench: Bench }>>> = {
  apart: () => import("./apart.ts"),
  "budget-race": () => import("./budget-race.ts"),
  dashboards: () => import("./dashboards.ts"),
  "editor-latency": () => import("./editor-latency.ts"),
  "event-to-pixel": () => import("./event-to-pixel.ts"),
  hooks: () => import("./hooks.ts"),
  "hot-path": () => import("./hot-path.ts"),
  kills: () => import("./kills.ts"),
  lint: () => import("./lint.ts"),
  "local-executor": () => import("./local-executor.ts"),
  peers: () => import("./peers.ts"),
  redaction: () => import("./redaction.ts"),
  start: () => import("./start.ts"),
  sustained: () => import("./sustained.ts"),
  timeline: () => import("./timeline.ts"),
};

const [name, ...args] = process.argv.slice(2);
if (name !== undefined && !Object.hasOwn(BENCHES, name)) {
  console.error(`There is no bench "${name}"; there are ${Object.keys(BENCHES).join(", ")}.`);
  process.exit(2);
}
let isKept = true;
for (const [one, load] of Object.entries(BENCHES)) {
  if (name !== undefined && name !== one) continue;
  console.log(`\n${one}`);
  isKept = (await (await load()).bench(args)) && isKept;
}
process.exit(isKept ? 0 : 1);
