/** The requests that were turned away lately because there was too much to do. */
import type { LoadClass } from "../access/load-class.ts";
import { turnedAway } from "../load-shedding/index.ts";
import type { Database } from "../platform/db.ts";
import { failure, listed, ok, warning } from "./finding.ts";
import type { Finding } from "./schema.ts";

const DAY_MS = 86_400_000;
const WHAT: Readonly<Record<LoadClass, string>> = {
  gate: "gate calls, each denied",
  dispatch: "observing dispatches",
  console: "console requests",
  report: "event reports, which agents send again",
};
const ONE: Readonly<Record<LoadClass, string>> = {
  gate: "1 gate call, denied",
  dispatch: "1 observing dispatch",
  console: "1 console request",
  report: "1 event report, which the agent sends again",
};
const ADVICE = "Give the server more processes (GATEWAY_WORKERS), another node, or a faster disk.";

export async function load(db: Database, workspaceId: string, now: Date): Promise<Finding> {
  const { shed, dropped } = await turnedAway(db, workspaceId, new Date(now.getTime() - DAY_MS));
  const parts = shed.map(
    ({ class: of, requests, from, to }) =>
      `${requests === 1 ? ONE[of] : `${requests.toLocaleString("en")} ${WHAT[of]}`} (${period(from, to)} UTC)`,
  );
  if (dropped > 0) parts.push(`${dropped.toLocaleString("en")} runs of observed policies`);
  if (parts.length === 0) return ok("load", "No requests were turned away in the last 24 hours.");
  const says = `Turned away in the last 24 hours: ${listed(parts, parts.length)}.`;
  return shed.some((one) => one.class === "gate") ? failure("load", says, ADVICE) : warning("load", says, ADVICE);
}

const period = (from: Date, to: Date): string =>
  minute(from) === minute(to) ? minute(from) : `${minute(from)} to ${minute(to)}`;

const minute = (at: Date): string => at.toISOString().slice(11, 16);
