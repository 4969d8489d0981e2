/**
 * The installation's own secrets: created once, stored in the data directory with mode 0600. Nodes that share a
 * database share them through the environment instead.
 */
import {
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  hash,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from "node:crypto";
import { chmod, link, mkdir, readFile, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Env, StartupError } from "./env.ts";
import { randomToken } from "./ids.ts";

export const ADMIN_TOKEN_FILE = "admin-token";
const SESSION_SECRET_FILE = "session-secret";
const SIGNING_KEY_FILE = "signing-key.pem";
const CREDENTIAL_KEY_FILE = "credential-key";

/** All secret files in a data directory. */
export const SECRET_FILES = [ADMIN_TOKEN_FILE, SESSION_SECRET_FILE, SIGNING_KEY_FILE, CREDENTIAL_KEY_FILE] as const;

export interface Secrets {
  /** The token that the command line on this machine shows to be trusted. */
  readonly adminToken: string;
  readonly sessionSecret: string;
  /** Signs policies for agents (Ed25519). */
  readonly signingKey: KeyObject;
  /** The key that agents check a signature with. */
  readonly signingPublicKey: KeyObject;
  /** Names the public key: the first 16 hex digits of the sha256 of its DER form. */
  readonly signingKeyId: string;
  /** 32 bytes: the encryption key of model providers' credentials. Without it they are lost. */
  readonly credentialKey: Buffer;
  /** 32 bytes: the encryption key of answers that hold a secret, kept for a repeat of the question. */
  readonly answerKey: Buffer;
  /** 32 bytes: the second half of each agent's key is derived from it. */
  readonly agentAnswerSecret: Buffer;
}

/** The secrets of a data directory; missing ones are created. Two processes that start at once get the same ones. */
export async function openSecrets(
  dataDir: string,
  env: Pick<Env, "token" | "sessionSecret" | "signingKey"> & Partial<Pick<Env, "credentialKey">>,
): Promise<Secrets> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const adminToken = env.token ?? (await readOrMake(join(dataDir, ADMIN_TOKEN_FILE), () => randomToken("qda_")));
  const sessionSecret =
    env.sessionSecret ?? (await readOrMake(join(dataDir, SESSION_SECRET_FILE), () => randomToken()));
  const keyFile = join(dataDir, SIGNING_KEY_FILE);
  const signingKey = env.signingKey
    ? parseSigningKey(env.signingKey, "QUARTERDECK_SIGNING_KEY")
    : parseSigningKey(await readOrMake(keyFile, newSigningKey), keyFile);
  const credentialSecret =
    env.credentialKey ?? (await readOrMake(join(dataDir, CREDENTIAL_KEY_FILE), () => randomToken()));
  const signingPublicKey = createPublicKey(signingKey);
  const der = signingPublicKey.export({ type: "spki", format: "der" });
  return {
    adminToken,
    sessionSecret,
    signingKey,
    signingPublicKey,
    signingKeyId: sha256(der).toString("hex").slice(0, 16),
    credentialKey: derived(credentialSecret, "quarterdeck model credentials"),
    answerKey: derived(credentialSecret, "quarterdeck answers"),
    agentAnswerSecret: derived(credentialSecret, "quarterdeck agent answer keys"),
  };
}

function derived(secret: string, use: string): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "", use, 32));
}

const ALGORITHM = "aes-256-gcm";
const SEAL_VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const SEAL_HEAD_BYTES = 1 + NONCE_BYTES + TAG_BYTES;

/**
 * `text` encrypted under a key of 32 bytes: a version byte, 12 bytes nonce, 16 bytes tag, the rest. It opens only for
 * the same `boundTo`: moved to another row it is noise. Two seals of one text differ.
 */
export function sealed(key: Buffer, boundTo: string, text: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(boundTo));
  const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([Buffer.of(SEAL_VERSION), nonce, cipher.getAuthTag(), body]);
}

/** The text; null when it was sealed with another key or bound to something else, or was changed since. */
export function opened(key: Buffer, boundTo: string, bytes: Uint8Array): string | null {
  const whole = Buffer.from(bytes);
  if (whole.length <= SEAL_HEAD_BYTES || whole[0] !== SEAL_VERSION) return null;
  const decipher = createDecipheriv(ALGORITHM, key, whole.subarray(1, 1 + NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(boundTo));
  decipher.setAuthTag(whole.subarray(1 + NONCE_BYTES, SEAL_HEAD_BYTES));
  try {
    return decipher.update(whole.subarray(SEAL_HEAD_BYTES)).toString("utf8") + decipher.final("utf8");
  } catch {
    return null;
  }
}

/** The 32 bytes of `data`'s sha256, the stored form of tokens and bodies. */
export function sha256(data: string | Uint8Array): Buffer {
  return hash("sha256", data, "buffer");
}

/**
 * The public name of a stored key. An executor derives the same name from its key; the key cannot be derived from it.
 */
export function keyFingerprint(keySha256: Uint8Array): string {
  return sha256(keySha256).toString("hex").slice(0, 32);
}

/** True if two secrets are equal, in constant time. */
export function sameSecret(left: string, right: string): boolean {
  return timingSafeEqual(sha256(left), sha256(right));
}

/** Linked into place whole: a crash leaves no half secret, and the slower of two makers reads the other's. */
async function readOrMake(file: string, make: () => string): Promise<string> {
  const found = await readSecret(file);
  if (found !== null) return found;
  const draft = `${file}.${randomToken()}.new`;
  await writeFile(draft, `${make().trim()}\n`, { mode: 0o600 });
  try {
    await link(draft, file);
  } catch (error) {
    if (!isCode(error, "EEXIST")) throw error;
  } finally {
    await unlink(draft);
  }
  const made = await readSecret(file);
  if (made === null) throw new StartupError(`${file} disappeared while Quarterdeck was starting; start it again.`);
  return made;
}

async function readSecret(file: string): Promise<string | null> {
  try {
    const text = (await readFile(file, "utf8")).trim();
    if (text === "") throw new StartupError(`${file} is empty; remove it to have a new one made.`);
    await chmod(file, 0o600);
    return text;
  } catch (error) {
    if (isCode(error, "ENOENT")) return null;
    throw error;
  }
}

function newSigningKey(): string {
  return generateKeyPairSync("ed25519").privateKey.export({ type: "pkcs8", format: "pem" }).toString();
}

function parseSigningKey(pem: string, source: string): KeyObject {
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === "ed25519") return key;
  } catch {
    // Said below, without the text that may hold half a key.
  }
  throw new StartupError(`${source} must be an Ed25519 private key in PEM.`);
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
