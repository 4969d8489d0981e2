/** The last policy the console gave us, on disk with its attestation, which is checked again whenever it is read. */
import type { KeyObject } from "node:crypto";
import { closeSync, fstatSync, openSync, readFileSync, renameSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { PolicyAttestation } from "../access/local-executor-schema.ts";
import { readAttestation, sha256Of } from "./attestation.ts";
import { isMissing, Trouble } from "./errors.ts";
import { type Policy, policyOf } from "./policy.ts";
import { checkSignature, FORGED } from "./signature.ts";
import type { StateDirectory } from "./state-directory.ts";

export interface Cached {
  readonly policy: Policy;
  readonly body: Buffer;
  readonly etag: string;
  readonly attestation: PolicyAttestation;
  /** Milliseconds since the console last confirmed to this machine that the policy is in force. */
  readonly checkedAgeMs: number;
  /**
   * The same, but at least the age by the console's own date. Infinite if that date is ahead of this machine's clock.
   */
  readonly ageMs: number;
}

const NAME = "policy.signed";
const BYTES_MAX = 16 * 1024 * 1024;
/** The tolerated difference between the clocks of this machine and of the console. */
export const CLOCK_SKEW_MS = 5 * 60_000;

/** Null without a cached policy. Errors: a `Trouble` if the console did not sign its content for this agent. */
export function readCache(state: StateDirectory, key: KeyObject, nowMs: number): Cached | null {
  const found = read(join(state.dir, NAME));
  if (found === null) return null;
  const { etag, signed, body } = partsOf(found.bytes);
  // The format of older executors, which did not ask for a date.
  if (signed.startsWith("keyid=")) return null;
  try {
    const attestation = readAttestation(signed, key);
    if (sha256Of(body) !== attestation.sha256) throw new Trouble(FORGED);
    if (!state.isOf(attestation)) throw new Trouble("It is another agent's.");
    const checkedAgeMs = nowMs - found.checkedMs;
    return {
      policy: policyOf(body, nowMs),
      body,
      etag,
      attestation,
      checkedAgeMs,
      ageMs: ageOf(attestation, checkedAgeMs, nowMs),
    };
  } catch (error) {
    if (error instanceof Trouble)
      throw new Trouble(`The policy kept in ${state.dir} cannot be trusted. ${error.message}`);
    throw error;
  }
}

function partsOf(bytes: Buffer) {
  const end = bytes.indexOf(0x0a);
  const [etag = "", signed = ""] = bytes.subarray(0, Math.max(end, 0)).toString("latin1").split("\t");
  return { etag, signed, body: bytes.subarray(end + 1) };
}

/** Two clocks bound it: the file's time, which this machine's user may set, and the console's, which is signed. */
function ageOf({ iat, exp }: PolicyAttestation, checkedAgeMs: number, nowMs: number): number {
  const issuedAgeMs = nowMs - iat * 1_000;
  const isFromAhead = Math.min(issuedAgeMs, checkedAgeMs) < -CLOCK_SKEW_MS;
  if (isFromAhead || nowMs > exp * 1_000 + CLOCK_SKEW_MS) return Number.POSITIVE_INFINITY;
  return Math.max(0, checkedAgeMs, issuedAgeMs - CLOCK_SKEW_MS);
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

/**
 * Stores a verified policy. The file is replaced atomically: a reader in another process gets the old one or the new
 * one.
 */
export function writeCache(dir: string, { etag, token, body }: { etag: string; token: string; body: Buffer }): void {
  const draft = join(dir, `${NAME}.${process.pid}.${Math.random().toString(36).slice(2)}`);
  try {
    writeFileSync(draft, Buffer.concat([Buffer.from(`${etag}\t${token}\n`, "latin1"), body]), { mode: 0o600 });
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

/**
 * True if `dir`, from an executor that named directories by keys, holds a policy that the console signed for the agent.
 */
export function holdsPolicyOf(dir: string, agent: string, key: KeyObject): boolean {
  try {
    const found = read(join(dir, NAME));
    if (found === null) return false;
    const { signed, body } = partsOf(found.bytes);
    checkSignature(body, signed, key);
    return policyOf(body, Number.POSITIVE_INFINITY).agent === agent;
  } catch {
    return false;
  }
}
