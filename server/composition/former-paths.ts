/**
 * Routers and procedures by the names that they had in the release before. Pages that are still open, scripts and command lines
 * of that release are answered under them for one release; the next one removes the rows.
 */
import type { AppRouter } from "./router.ts";

/** Never `agent`: the gateway knows by that name which requests it answers itself. */
type RouterName = Exclude<keyof AppRouter["_def"]["record"], "agent">;

export const ROUTER_BY_FORMER_NAME = {
  bench: "playground",
  circuits: "circuitBreakers",
  impact: "backtest",
  live: "events",
  observations: "shadowMode",
  services: "serviceAccounts",
  unseen: "coverage",
} as const satisfies Readonly<Record<string, RouterName>>;

/** Procedures whose own name changed, by the whole path of before. */
export const PATH_BY_FORMER_PATH: ReadonlyMap<string, string> = new Map([
  ["budgets.standings", "budgets.statuses"],
  ["compactions.surroundings", "compactions.sessionContext"],
  ["decisions.settled", "decisions.approvalSources"],
  ["decisions.settledSeries", "decisions.approvalSourceSeries"],
  ["policies.surroundings", "policies.checkContext"],
  ["webhooks.settleDead", "webhooks.resolveDead"],
]);

/** The paths of a request's procedures (`live.changes`, or several with commas between them) as they are called now. */
export function toCurrentPaths(paths: string): string {
  return paths.split(",").map(toCurrentPath).join(",");
}

function toCurrentPath(path: string): string {
  const dot = path.indexOf(".");
  const name = path.slice(0, Math.max(dot, 0));
  if (isFormer(name)) return `${ROUTER_BY_FORMER_NAME[name]}${path.slice(dot)}`;
  return PATH_BY_FORMER_PATH.get(path) ?? path;
}

const isFormer = (name: string): name is keyof typeof ROUTER_BY_FORMER_NAME =>
  Object.hasOwn(ROUTER_BY_FORMER_NAME, name);
