/** The pressure level now and lately, and the work that gives way to gates for it. */
import { LEVEL_MAX, type Pressure, type Yielding, yieldingAt } from "../pressure/index.ts";
import { listed, ok, warning } from "./finding.ts";
import type { Finding } from "./schema.ts";

const RECENT_MS = 3_600_000;
const ADVICE = "Give the server more processes (GATEWAY_WORKERS), another node, or a faster disk.";
const WHAT: Readonly<Record<Yielding, string>> = {
  refresh: "live updates are slowed",
  figures: "figures lag",
  exports: "exports pause",
  scans: "scans pause",
  reports: "reports and telemetry are refused",
  reads: "reads of pages are refused after 2 s",
  observers: "observing events are refused",
};

export function pressure(state: Pick<Pressure, "level" | "last"> | undefined, now: Date): Finding {
  if (state === undefined) return ok("pressure", "Not measured: no server was asked.");
  const { level, last } = state;
  if (level > 0)
    return warning("pressure", `Gates wait, so other work gives way: ${whatYields(level)}. ${levelOf(level)}.`, ADVICE);
  if (last === null || now.getTime() - last.atMs > RECENT_MS)
    return ok("pressure", "Gates do not wait, and no work has given way to them in the last hour.");
  const at = new Date(last.atMs).toISOString().slice(11, 16);
  return ok("pressure", `Gates do not wait. Other work gave way until ${at} UTC: ${whatYields(last.level)}.`);
}

const whatYields = (level: number): string =>
  listed(
    yieldingAt(level).map((one) => WHAT[one]),
    10,
  );
const levelOf = (level: number): string => `The pressure level is ${level} of ${LEVEL_MAX}`;
