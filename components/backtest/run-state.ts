/** The address of a run, and whether it still changes; pure. */
import type { BacktestRunView } from "@/server/backtest/run-schema";

export const backtestsHref = (policyId: string) => `/policies/${policyId}/backtests`;
export const hrefOf = ({ policyId, id }: Pick<BacktestRunView, "policyId" | "id">) =>
  `${backtestsHref(policyId)}/${id}`;

const OPEN_STATES: readonly string[] = ["waiting", "running", "following"];
export const REFRESH_MS = 1_000;
const LIVE_REFRESH_MS = 5_000;
/** Milliseconds until these runs are asked for again; false once all have ended. */
export function refreshMs(runs: readonly Pick<BacktestRunView, "state">[]): number | false {
  if (!runs.some(isOpen)) return false;
  return runs.every(({ state }) => state === "following" || !isOpen({ state })) ? LIVE_REFRESH_MS : REFRESH_MS;
}
export const isOpen = ({ state }: Pick<BacktestRunView, "state">) => OPEN_STATES.includes(state);
