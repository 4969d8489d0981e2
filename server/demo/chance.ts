/** Pseudo-random numbers: the same seed gives the same value, so every demo is the same. */
import { createHash } from "node:crypto";

/** A number from 0 up to 1. */
export function fraction(seed: string): number {
  return createHash("sha256").update(seed).digest().readUInt32BE() / 2 ** 32;
}

/** An id in the form of a UUID. */
export function identifier(seed: string): string {
  const hex = createHash("sha256").update(`id ${seed}`).digest("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `a${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    "-",
  );
}
