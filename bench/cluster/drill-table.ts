/** The outcome of each failure as lines of a table. */
import type { LoadResult } from "./load.ts";
import type { StoredCalls } from "./stored-calls.ts";

export interface FailureResult extends StoredCalls {
  readonly failure: string;
  /** From the failure until the cluster was whole again. */
  readonly wholeAfterMs: number | null;
  readonly load: LoadResult;
}

/** True if nothing that must not happen happened. */
export const isHeld = ({ lost, doubled, load }: FailureResult): boolean =>
  lost === 0 && doubled === 0 && load.allowedAgainstPolicy === 0;

export function drillTable(results: readonly FailureResult[]): string {
  const gateways = results[0]?.load.silenceMs.byGateway.length ?? 0;
  const ofGateways = Array.from({ length: gateways }, (_, index) => `gateway ${index + 1}`);
  const head = [
    "failure",
    "silence",
    ...ofGateways,
    "whole after",
    "acknowledged",
    "refused",
    "lost",
    "doubled",
    "allowed",
  ];
  const rows = results.map(({ failure, wholeAfterMs, load, lost, doubled }) => [
    failure,
    seconds(load.silenceMs.all),
    ...load.silenceMs.byGateway.map(seconds),
    wholeAfterMs === null ? "" : seconds(wholeAfterMs),
    String(load.acknowledged.size),
    String(sumOf(load.refusals)),
    String(lost),
    String(doubled),
    String(load.allowedAgainstPolicy),
  ]);
  return aligned([head, ...rows]);
}

/** The reasons of refusals, most frequent first. */
export function refusalLines(results: readonly FailureResult[]): string[] {
  return results
    .filter(({ load }) => load.refusals.size + load.blockedAgainstPolicy > 0)
    .map(({ failure, load }) => {
      const reasons = [...load.refusals].sort(([, left], [, right]) => right - left);
      const said = reasons.map(([reason, count]) => `${count} × ${reason}`);
      if (load.blockedAgainstPolicy > 0) said.push(`${load.blockedAgainstPolicy} blocked though the policy does not`);
      return `${failure}: ${said.join(", ")}`;
    });
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
const sumOf = (counts: ReadonlyMap<string, number>): number => [...counts.values()].reduce((sum, one) => sum + one, 0);

/** Columns of equal width; the first is text, the others are numbers. */
function aligned(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join("  ");
  return rows.map(line).join("\n");
}
