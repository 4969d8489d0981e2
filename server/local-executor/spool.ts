/**
 * The events still to be reported: one file per event, so that parallel processes never wait for each other and a crash
 * tears nothing. A file is one line of the report (NDJSON), 0600, and carries the event_id it is always sent under.
 */
import { randomUUID } from "node:crypto";
import { appendFileSync, mkdirSync, readdirSync, renameSync, statSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { EventName, Lane } from "@quarterdeck/hooks/contract/events";
import type { LocalExecutorResult } from "../dispatches/schema.ts";
import { isMissing } from "./errors.ts";

export interface SpoolLimits {
  readonly eventsMax: number;
  readonly bytesMax: number;
}
export const SPOOL_LIMITS: SpoolLimits = { eventsMax: 10_000, bytesMax: 128 * 1024 * 1024 };

export interface Spooled {
  readonly eventId: string;
  readonly event: EventName;
  readonly lane: Lane;
  readonly occurredMs: number;
  /** The input's JSON text. */
  readonly text: string;
  readonly local?: LocalExecutorResult | undefined;
}

export interface SpoolFile {
  readonly name: string;
  readonly bytes: number;
}

export const spoolDir = (dir: string) => join(dir, "spool");
const LOST = "lost";
/** The time, the event's id and the size in bytes: a directory listing is enough to apply the limits. */
const NAME = /^\d{15}-[0-9a-f-]{36}-(\d{1,9})\.ndjson$/;

/** Keeps an event. False if the spool is full: the oldest events are kept, and this one is only counted. */
export function spool(dir: string, spooled: Spooled, limits: SpoolLimits = SPOOL_LIMITS): boolean {
  const folder = spoolDir(dir);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const line = Buffer.from(`${lineOf(spooled)}\n`);
  const kept = listSpool(dir);
  const bytes = kept.reduce((sum, file) => sum + file.bytes, 0);
  if (kept.length >= limits.eventsMax || bytes + line.length > limits.bytesMax) {
    appendFileSync(join(folder, LOST), ".", { mode: 0o600 });
    return false;
  }
  const name = `${String(Math.trunc(spooled.occurredMs)).padStart(15, "0")}-${spooled.eventId}-${line.length}.ndjson`;
  const draft = join(folder, `.${name}.new`);
  writeFileSync(draft, line, { mode: 0o600 });
  renameSync(draft, join(folder, name));
  return true;
}

function lineOf({ eventId, event, lane, occurredMs, text, local }: Spooled): string {
  const outline = { event_id: eventId, event, lane, occurred_at: new Date(occurredMs).toISOString() };
  // The input's own text, so that numbers keep their digits; in JSON a line break is never inside a string.
  const input = text.replace(/[\r\n]+/g, " ");
  return `${JSON.stringify(outline).slice(0, -1)},"input":${input}${local ? `,"local":${JSON.stringify(local)}` : ""}}`;
}

/** The oldest first. */
export function listSpool(dir: string): SpoolFile[] {
  return listed(spoolDir(dir))
    .flatMap((name) => {
      const bytes = NAME.exec(name)?.[1];
      return bytes === undefined ? [] : [{ name, bytes: Number(bytes) }];
    })
    .sort((left, right) => (left.name < right.name ? -1 : 1));
}

function listed(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/**
 * Turns the count of lost events into a notification event. Its id is fixed before the count is removed, so that a
 * repeat has the same id.
 */
export function spoolLoss(dir: string, nowMs: number): void {
  const folder = spoolDir(dir);
  for (const name of listed(folder)) {
    if (name === LOST) renameSync(join(folder, LOST), join(folder, `${LOST}-${randomUUID()}`));
  }
  for (const name of listed(folder)) {
    const eventId = /^lost-([0-9a-f-]{36})$/.exec(name)?.[1];
    if (eventId === undefined) continue;
    const count = statSync(join(folder, name)).size;
    const says = `${count} events of this agent were not kept while the console was away: the spool was full.`;
    const text = JSON.stringify({ session_id: "", notification_level: "warning", notification_message: says });
    spool(dir, { eventId, event: "notification", lane: "default", occurredMs: nowMs, text }, NO_LIMITS);
    unlinkSync(join(folder, name));
  }
}

const NO_LIMITS: SpoolLimits = { eventsMax: Number.POSITIVE_INFINITY, bytesMax: Number.POSITIVE_INFINITY };

/** Deletes a reported file. */
export function removeSpooled(dir: string, { name }: SpoolFile): void {
  try {
    unlinkSync(join(spoolDir(dir), name));
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}
