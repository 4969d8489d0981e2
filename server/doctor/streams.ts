/** Streams of the record that a receiver holds up, that are behind, or that set events aside lately. */
import type { Database } from "../platform/db.ts";
import { countSetAside, listStreams } from "../streams/index.ts";
import { counted, failure, listed, midSentence, ok, warning } from "./finding.ts";
import type { Finding } from "./schema.ts";

const DAY_MS = 86_400_000;
/** Files of a store gather events for half a minute. */
const BEHIND_MS = 60_000;
/** From here on a failing stream is a failure: retention can remove calls before they are sent. */
const LONG_MS = 3_600_000;

interface Looked {
  readonly db: Database;
  readonly workspaceId: string;
}

export async function streams({ db, workspaceId }: Looked, now: Date): Promise<Finding> {
  const enabled = (await listStreams(db, workspaceId)).filter(({ isEnabled }) => isEnabled);
  if (enabled.length === 0) return ok("streams", "No stream is on.");
  const failing = enabled.filter(({ error }) => error !== null);
  if (failing.length > 0) {
    const names = failing.map(({ name, error, lagMs }) => `${name} (${behind(lagMs)}; ${midSentence(error ?? "")})`);
    const isLong = failing.some(({ lagMs }) => lagMs >= LONG_MS);
    return (isLong ? failure : warning)(
      "streams",
      `The receiver did not accept the last events of ${listed(names)}.`,
      "Check the receiver, then select Send test in Settings, Streams. Events are sent once it accepts them.",
    );
  }
  const late = enabled.filter(({ lagMs }) => lagMs >= BEHIND_MS);
  if (late.length > 0)
    return warning(
      "streams",
      `Streams are behind the record: ${listed(late.map(({ name, lagMs }) => `${name} (${behind(lagMs)})`))}.`,
      "Check that the jobs process runs. In Settings, Streams, increase the events a second, or those of a request.",
    );
  const setAside = await countSetAside(db.pool, workspaceId, new Date(now.getTime() - DAY_MS), now);
  if (setAside > 0)
    return warning(
      "streams",
      `Receivers refused ${counted(setAside, "event")} in the last 24 hours. The streams continued without them.`,
      "See the reasons in Settings, Streams, Events set aside. Send them again once the receiver accepts them.",
    );
  return ok("streams", `${counted(enabled.length, "stream is", "streams are")} on and up to date.`);
}

const MINUTE_MS = 60_000;

function behind(lagMs: number): string {
  if (lagMs < 2 * MINUTE_MS) return `${Math.round(lagMs / 1_000)} s behind`;
  const minutes = Math.round(lagMs / MINUTE_MS);
  return minutes < 120 ? `${minutes} min behind` : `${Math.round(minutes / 60)} h behind`;
}
