/**
 * The console's signed statement about a policy: the hash of its bytes, the agent and the key, the time and the
 * sequence number. A JSON Web Token of one kind, checked with the pinned key.
 */
import { createHash, type KeyObject, verify } from "node:crypto";
import { ATTESTATION_TYPE, type PolicyAttestation } from "../access/local-executor-schema.ts";
import { Trouble } from "./errors.ts";
import { FORGED, foreignKey, keyIdOf } from "./signature.ts";

const CHARS_MAX = 4_096;

/** The claims of `token`. Errors: a `Trouble` unless it is whole and signed with the key. */
export function readAttestation(token: string, key: KeyObject): PolicyAttestation {
  const [head = "", claims = "", signature = "", ...more] = token.length > CHARS_MAX ? [] : token.split(".");
  const { alg, typ, kid } = objectIn(head);
  if (alg !== "EdDSA" || typ !== ATTESTATION_TYPE || more.length > 0) throw new Trouble(FORGED);
  if (typeof kid === "string" && kid !== keyIdOf(key)) throw foreignKey(kid, key);
  if (!verify(null, Buffer.from(`${head}.${claims}`), key, Buffer.from(signature, "base64url")))
    throw new Trouble(FORGED);
  const value = objectIn(claims);
  const isWhole =
    TEXTS.every((name) => typeof value[name] === "string") && NUMBERS.every((name) => Number.isFinite(value[name]));
  if (!isWhole)
    throw new Trouble("The console signs its policies in a way this executor does not know. Download it anew.");
  return value as unknown as PolicyAttestation; // holds: every claim was checked
}

const TEXTS = ["sub", "workspace", "key", "nonce", "revision", "sha256"] as const satisfies (keyof PolicyAttestation)[];
const NUMBERS = ["iat", "exp", "sequence"] as const satisfies (keyof PolicyAttestation)[];

function objectIn(part: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
    if (typeof value === "object" && value !== null) return value as Readonly<Record<string, unknown>>; // an object
  } catch {
    // The caller refuses it.
  }
  return {};
}

/** Names a key as the console does, without giving it away. */
export function keyFingerprint(key: string): string {
  const stored = createHash("sha256").update(key).digest();
  return createHash("sha256").update(stored).digest("hex").slice(0, 32);
}

export const sha256Of = (body: Buffer): string => createHash("sha256").update(body).digest("hex");
