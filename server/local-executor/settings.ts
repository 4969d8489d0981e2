/** The console's address, the agent's key, the trusted key and the state directory. */
import { readFileSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { splitAgentKey } from "../platform/answer-mac.ts";
import type { ConsoleFlags } from "./arguments.ts";
import { causeOf, Trouble } from "./errors.ts";
import { openState, type StateDirectory } from "./state-directory.ts";

export type Variables = Readonly<Record<string, string | undefined>>;

export interface Address {
  /** The base URL without a trailing slash. */
  readonly url: string;
  /** The half of the key that is sent. */
  readonly bearer: string;
  /** The half that answers are checked with; null with a key of the older form. */
  readonly answerKey: string | null;
}

export interface Settings extends Address {
  /** The console's public key as it was written: PEM, or the base64 of its DER form. */
  readonly trustKey: string;
  readonly state: StateDirectory;
  /** The maximum age of a policy without the console's confirmation. */
  readonly policyAgeMsMax: number;
}

const FILE_BYTES_MAX = 16 * 1024;
const DAY_MS = 86_400_000;

/** Errors: a `Trouble` that names the variable and the fix. */
export function readSettings(env: Variables, files: ConsoleFlags): Settings {
  const { url, ...keys } = readAddress(env, files);
  const trustKey = files.trustKeyFile ? contents(files.trustKeyFile, "--trust-key") : (env.QUARTERDECK_TRUST_KEY ?? "");
  const policyAgeMsMax = ageOf(env.QUARTERDECK_POLICY_MAX_AGE || "24h");
  return {
    url,
    ...keys,
    trustKey: trustKey.trim(),
    state: openState(stateRoot(env), url, keys.bearer),
    policyAgeMsMax,
  };
}

/**
 * The console's address and the agent's key. Arguments take precedence over the environment. Errors: as `readSettings`.
 */
export function readAddress(env: Variables, { url, keyFile }: ConsoleFlags): Address {
  const address =
    url === undefined ? urlOf(env.QUARTERDECK_URL || "http://127.0.0.1:3000", "QUARTERDECK_URL") : urlOf(url, "--url");
  return { url: address, ...readKey(env, keyFile) };
}

function urlOf(text: string, name: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && /^https?:$/.test(url.protocol)) return text.replace(/\/+$/, "");
  throw new Trouble(`${name} is not an address such as https://quarterdeck.example.`);
}

function readKey(env: Variables, file: string | undefined): Omit<Address, "url"> {
  const inVariable = file === undefined ? env.QUARTERDECK_KEY : undefined;
  const path = file ?? env.QUARTERDECK_KEY_FILE;
  // An enrolment's file contains the whole header.
  const written = inVariable || (path ? contents(path, "The key file") : "");
  const key = written.trim().replace(/^authorization:\s*bearer\s+/i, "");
  if (key === "") throw new Trouble("QUARTERDECK_KEY is not set, so nothing can be judged. Set it to the agent's key.");
  // It becomes a header's value.
  if (!/^[\x21-\x7e]{1,200}$/.test(key)) throw new Trouble("QUARTERDECK_KEY is not a key: keys look like qd_...");
  const { bearer, answerKey } = splitAgentKey(key);
  return { bearer, answerKey: answerKey ?? (inVariable || !path ? null : findAnswerKey(path)) };
}

/** An enrolment keeps the second half in a file of its own, in the folder of the first. */
function findAnswerKey(path: string): string | null {
  try {
    const text = readFileSync(join(dirname(path), "answer-key"), "utf8");
    return /^[0-9a-f]{64}\n?$/.test(text) ? text.trim() : null;
  } catch {
    return null;
  }
}

function contents(path: string, what: string): string {
  try {
    const text = readFileSync(path);
    if (text.length <= FILE_BYTES_MAX) return text.toString("utf8");
  } catch (error) {
    throw new Trouble(`${what} (${path}) cannot be read: ${causeOf(error)}.`);
  }
  throw new Trouble(`${what} (${path}) is too large to hold a key.`);
}

const UNITS = { s: 1_000, m: 60_000, h: 3_600_000, d: DAY_MS } as const;

function ageOf(text: string): number {
  const [, digits = "", unit = "s"] = /^(\d{1,6})([smhd])?$/.exec(text.trim()) ?? [];
  if (digits !== "") return Number(digits) * UNITS[unit as keyof typeof UNITS]; // holds: the pattern allows no other
  throw new Trouble("QUARTERDECK_POLICY_MAX_AGE is a time such as 90s, 30m, 24h or 7d.");
}

function stateRoot(env: Variables): string {
  const root = env.QUARTERDECK_HOOK_DIR || (env.HOME ? join(env.HOME, ".cache", "quarterdeck") : "");
  if (!isAbsolute(root)) throw new Trouble("Set QUARTERDECK_HOOK_DIR to the absolute path of a directory of your own.");
  return root;
}
