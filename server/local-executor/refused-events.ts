/**
 * Events that the console refused because of their content: a retry would be refused again. The newest are kept in a
 * folder next to the spool for inspection, and their number is reported to the console.
 */
import { randomBytes } from "node:crypto";
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { isMissing } from "./errors.ts";
import { type SpoolFile, spoolDir } from "./spool.ts";

export interface RefusedLimits {
  readonly eventsMax: number;
  readonly bytesMax: number;
}
export const REFUSED_LIMITS: RefusedLimits = { eventsMax: 1_000, bytesMax: 32 * 1024 * 1024 };

export const refusedDir = (dir: string) => join(dir, "refused");
const DROPPED = "dropped";
const MACHINE = "machine";
/** The name in the spool, with the refusal's code. */
const NAME = /^\d{15}-[0-9a-f-]{36}-(\d{1,9})\.([a-z0-9_]{1,40})\.ndjson$/;

/** Moves a file out of the spool. If the folder is full, the oldest kept files are dropped and counted. */
export function keepRefused(dir: string, { name }: SpoolFile, code: string, limits = REFUSED_LIMITS): void {
  const folder = refusedDir(dir);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const why = /^[a-z0-9_]{1,40}$/.test(code) ? code : "unknown";
  try {
    renameSync(join(spoolDir(dir), name), join(folder, name.replace(/\.ndjson$/, `.${why}.ndjson`)));
  } catch (error) {
    // Another process was faster.
    if (!isMissing(error)) throw error;
  }
  const kept = listRefused(dir);
  let bytes = kept.reduce((sum, file) => sum + file.bytes, 0);
  for (let index = 0; kept.length - index > limits.eventsMax || bytes > limits.bytesMax; index += 1) {
    const oldest = kept[index];
    if (!oldest) break;
    bytes -= oldest.bytes;
    unlinkSync(join(folder, oldest.name));
    appendFileSync(join(folder, DROPPED), ".", { mode: 0o600 });
  }
}

function listRefused(dir: string) {
  return readdirSync(refusedDir(dir))
    .flatMap((name) => {
      const [, bytes, code = ""] = NAME.exec(name) ?? [];
      return bytes === undefined ? [] : [{ name, bytes: Number(bytes), code }];
    })
    .sort((left, right) => (left.name < right.name ? -1 : 1));
}

/** The value of `Quarterdeck-Refused` for the console; undefined on a machine where nothing ever was refused. */
export function refusedHeader(dir: string): string | undefined {
  try {
    const kept = listRefused(dir);
    const last = kept.at(-1)?.code ?? "";
    return `machine=${machineOf(dir)}; kept=${kept.length}; dropped=${droppedIn(dir)}; last=${last}`;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function droppedIn(dir: string): number {
  try {
    return statSync(join(refusedDir(dir), DROPPED)).size;
  } catch (error) {
    if (isMissing(error)) return 0;
    throw error;
  }
}

/** An id that distinguishes an agent's machines and reveals nothing else about this one. */
function machineOf(dir: string): string {
  const path = join(refusedDir(dir), MACHINE);
  try {
    writeFileSync(path, randomBytes(8).toString("hex"), { mode: 0o600, flag: "wx" });
  } catch {
    // It has one.
  }
  return readFileSync(path, "utf8").slice(0, 16);
}
