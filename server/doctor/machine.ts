/** The findings about the machine and its data directory that need no database. */
import { stat, statfs } from "node:fs/promises";
import { isIP } from "node:net";
import { join } from "node:path";
import { SECRET_FILES } from "../platform/secrets.ts";
import { failure, listed, ok, warning } from "./finding.ts";
import type { Finding } from "./schema.ts";

const GIB = 1024 ** 3;
const DISK_WARNING_BYTES = 2 * GIB;
const DISK_FAILURE_BYTES = GIB / 4;

export async function disk(dataDir: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(dataDir);
  const free = bavail * bsize;
  const says = `${(free / GIB).toFixed(1)} GiB are free on the data disk.`;
  if (free < DISK_FAILURE_BYTES)
    return failure("disk", says, "Free some space now: a full disk denies every gated action.");
  if (free < DISK_WARNING_BYTES)
    return warning("disk", says, "Free some space, or keep recorded data for a shorter time.");
  return ok("disk", says);
}

/** Only the owner may read the files of the data directory. */
export async function modes(dataDir: string): Promise<Finding> {
  const open: string[] = [];
  for (const name of ["", ...SECRET_FILES]) {
    const found = await stat(join(dataDir, name)).catch(() => null);
    if (found && (found.mode & 0o077) !== 0) open.push(name || "the directory itself");
  }
  if (open.length === 0) return ok("file_modes", "Only its owner can read the data directory.");
  return failure(
    "file_modes",
    `Other users of this machine can read parts of the data directory: ${listed(open)}.`,
    "Run chmod -R go-rwx on it.",
  );
}

const CHARACTERS_MIN = 32;
const DIFFERENT_MIN = 12;

/** Secrets that were given rather than made: long, and not one letter over and over. */
export function secrets(given: Readonly<Record<string, string | undefined>>): Finding {
  const weak = Object.entries(given).flatMap(([name, value]) =>
    value !== undefined && (value.length < CHARACTERS_MIN || new Set(value).size < DIFFERENT_MIN) ? [name] : [],
  );
  if (weak.length === 0) return ok("secrets", "No secret is short or repetitive.");
  return failure(
    "secrets",
    `${listed(weak)} can be guessed.`,
    "Replace it with the output of openssl rand -base64 32.",
  );
}

const LOOPBACK = /^(127\.|::1$|localhost$)/;

/** Checks that others cannot reach it without TLS. */
export function exposure(host: string, url: string): Finding {
  if (LOOPBACK.test(host)) return ok("exposure", "The server listens on this machine only.");
  const where = isIP(host) !== 0 && /^(0\.0\.0\.0|::)$/.test(host) ? "every interface" : host;
  if (url.startsWith("https:")) return ok("exposure", `The server listens on ${where} and is reached by https.`);
  return failure(
    "exposure",
    `The server listens on ${where} without https: keys and sessions cross the network unencrypted.`,
    "Put a TLS proxy in front, and set QUARTERDECK_URL to its https address.",
  );
}

export function nodeVersion(version: string): Finding {
  const [major = 0, minor = 0] = version.replace(/^v/, "").split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return ok("node", `Node is ${version}.`);
  return failure("node", `Node is ${version}.`, "Install Node 20.19 or newer.");
}
