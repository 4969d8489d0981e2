/** Identifiers: time-ordered ones for rows, unguessable ones for secrets. */
import { hash, randomFillSync, randomInt } from "node:crypto";

const pool = Buffer.allocUnsafe(4096);
let poolAt = pool.length;

/** `count` random bytes, drawn from the system in blocks because one id at a time is slow. Copy to keep. */
function randomBytesFromPool(count: number): Buffer {
  if (poolAt + count > pool.length) {
    randomFillSync(pool);
    poolAt = 0;
  }
  poolAt += count;
  return pool.subarray(poolAt - count, poolAt);
}

const COUNTER_MAX = 0xfff;
let lastMs = 0;
let counter = 0;

/**
 * A UUIDv7, greater as text than every one that this process made before.
 *
 * Within one millisecond, or when the clock steps back, a 12-bit counter increases; when it overflows, the time part
 * advances.
 */
export function uuidv7(nowMs: number = Date.now()): string {
  if (nowMs > lastMs) {
    lastMs = nowMs;
    counter = randomBytesFromPool(2).readUInt16BE() & (COUNTER_MAX >> 1);
  } else if (counter < COUNTER_MAX) {
    counter += 1;
  } else {
    lastMs += 1;
    counter = 0;
  }
  const tail = Buffer.from(randomBytesFromPool(8));
  tail.writeUInt8((tail.readUInt8(0) & 0x3f) | 0x80, 0); // the RFC 9562 variant
  const time = lastMs.toString(16).padStart(12, "0");
  const rest = tail.toString("hex");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${counter.toString(16).padStart(3, "0")}-${rest.slice(0, 4)}-${rest.slice(4)}`;
}

/** The instant inside a UUIDv7, in milliseconds since 1970. */
export function uuidv7Ms(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

/** The first 128 bits of a text's sha256 in the form of a UUID: the same text always has the same. */
export function uuidOfText(text: string): string {
  const hex = hash("sha256", text, "hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join("-");
}

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** An unguessable secret: `prefix` and 43 letters and digits (256 bits). Survives a double click and a URL. */
export function randomToken(prefix = ""): string {
  let token = prefix;
  for (let index = 0; index < 43; index++) token += ALPHABET.charAt(randomInt(ALPHABET.length));
  return token;
}
