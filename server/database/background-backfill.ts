/** Runs the backfills of an upgrade while the server is up: one node at a time, retried after a failure. */
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import type { Log } from "../platform/log.ts";
import { BACKFILLS, type Backfill, backfill, pendingBackfills } from "./backfills.ts";

/** Any number will do, as long as every node takes the same one. */
const LOCK = 7_361_900_421;
const PAUSE_MS = 5_000;

export interface BackgroundBackfill {
  /** Resolves when nothing is left, or when it was stopped. */
  readonly finished: Promise<void>;
  /** Only the current step is lost. */
  stop(): Promise<void>;
}

export function startBackfill(
  ownerUrl: string,
  log: Log,
  backfills: readonly Backfill[] = BACKFILLS,
): BackgroundBackfill {
  const stopping = new AbortController();
  const { signal } = stopping;
  const finished = untilDone(ownerUrl, log, backfills, signal);
  return {
    finished,
    async stop() {
      stopping.abort();
      await finished;
    },
  };
}

async function untilDone(
  ownerUrl: string,
  log: Log,
  backfills: readonly Backfill[],
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const isDone = await attempt(ownerUrl, log, backfills, signal).catch((error: unknown) => {
      if (!signal.aborted) log.warn({ err: error }, "a step of the upgrade failed and is tried again");
      return false;
    });
    if (isDone) return;
    await delay(PAUSE_MS, undefined, { signal }).catch(() => undefined);
  }
}

/** True when nothing is left to do. */
async function attempt(
  ownerUrl: string,
  log: Log,
  backfills: readonly Backfill[],
  signal: AbortSignal,
): Promise<boolean> {
  const client = new pg.Client({ connectionString: ownerUrl, application_name: "quarterdeck backfill" });
  client.on("error", () => undefined); // a query reports a lost connection
  // Building an index may take minutes: a stop ends it on the server's side too.
  const end = () => void client.end().catch(() => undefined);
  await client.connect();
  signal.addEventListener("abort", end, { once: true });
  try {
    // Under row-level security, a backfill needs the scope of all workspaces.
    await client.query("SET statement_timeout = 0; SELECT set_config('quarterdeck.workspace', '*', false)");
    const pending = await pendingBackfills(client, backfills);
    if (pending.length === 0) return true;
    const { rows } = await client.query<{ mine: boolean }>("SELECT pg_try_advisory_lock($1) AS mine", [LOCK]);
    if (rows[0]?.mine !== true) return false;
    log.info({ pending: pending.map(({ name }) => name) }, "the upgrade goes on in the background");
    await backfill(client, pending, signal);
    if (!signal.aborted) log.info("the upgrade is complete");
    return !signal.aborted;
  } finally {
    signal.removeEventListener("abort", end);
    await client.end().catch(() => undefined); // the advisory lock ends with the session
  }
}
