/** The last policy the console gave us, on disk with its signature, which is checked again whenever it is read. */
import type { KeyObject } from "node:crypto";
import {
  closeSync,
  fstatSync,
  openSync,
  readFileSync,
  renameSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { type Policy, policyOf } from "./policy.ts";
import { checkSignature } from "./signature.ts";
import { isMissing, Trouble } from "./trouble.ts";

export interface Cached {
  readonly policy: Policy;
  readonly etag: string;
  /** Since the console last said that it is in force. Infinite when the file claims to be from the future. */
  readonly ageMs: number;
}

const NAME = "policy.signed";
const BYTES_MAX = 16 * 1024 * 1024;
const CLOCK_SLACK_MS = 60_000;

/** Null when there is none. Errors: a `Trouble` when what is there is not what the console signed. */
export function readCache(dir: string, key: KeyObject, nowMs: number): Cached | null {
  const found = read(join(dir, NAME));
  if (found === null) return null;
  const end = found.bytes.indexOf(0x0a);
  const [etag = "", signature = ""] = found.bytes.subarray(0, Math.max(end, 0)).toString("latin1").split("\t");
  const body = found.bytes.subarray(end + 1);
  try {
    checkSignature(body, signature, key);
    const ageMs = nowMs - found.checkedMs;
    return {
      policy: policyOf(body),
      etag,
      ageMs: ageMs < -CLOCK_SLACK_MS ? Number.POSITIVE_INFINITY : Math.max(0, ageMs),
    };
  } catch (error) {
    if (error instanceof Trouble) throw new Trouble(`The policy kept in ${dir} cannot be trusted. ${error.message}`);
    throw error;
  }
}

function read(path: string): { bytes: Buffer; checkedMs: number } | null {
  try {
    const file = openSync(path, "r");
    try {
      const { size, mtimeMs } = fstatSync(file);
      if (size > BYTES_MAX) throw new Trouble(`${path} is too large to be a policy. Remove it.`);
      return { bytes: readFileSync(file), checkedMs: mtimeMs };
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** Keeps what was verified. Put in place whole: a reader beside us sees the one before or this one. */
export function writeCache(dir: string, { etag, signature, body }: { etag: string; signature: string; body: Buffer }) {
  const draft = join(dir, `${NAME}.${process.pid}.${Math.random().toString(36).slice(2)}`);
  try {
    writeFileSync(draft, Buffer.concat([Buffer.from(`${etag}\t${signature}\n`, "latin1"), body]), { mode: 0o600 });
    renameSync(draft, join(dir, NAME));
  } catch (error) {
    try {
      unlinkSync(draft);
    } catch {
      // It was never made.
    }
    throw error;
  }
}

/** The console says that it is still in force. */
export function confirmCache(dir: string, nowMs: number): void {
  utimesSync(join(dir, NAME), nowMs / 1_000, nowMs / 1_000);
}
