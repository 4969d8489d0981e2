/**
 * Finds the half minute of an authenticator's code (RFC 6238). The library has accepted the code, but does not report
 * its step.
 */
import { createHmac } from "node:crypto";

const STEP_MS = 30_000;
/** Steps before and after the current one that the library accepts, plus one: time passes between the two checks. */
const WINDOW = 2;

/** The newest step whose code it is, or null. */
export function findTotpStep(secret: string, code: string, nowMs: number): number | null {
  const now = Math.floor(nowMs / STEP_MS);
  for (let step = now + WINDOW; step >= now - WINDOW; step -= 1) if (codeAt(secret, step) === code) return step;
  return null;
}

function codeAt(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac("sha1", secret).update(counter).digest();
  const at = digest.readUInt8(digest.length - 1) & 0x0f;
  return String((digest.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}
