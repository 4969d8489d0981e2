/**
 * The installation's own secrets: made once, kept in the data directory with mode 0600.
 * Nodes that share a database share them through the environment instead.
 */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
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

export interface Secrets {
  /** What the command line on this machine shows to be trusted. */
  readonly adminToken: string;
  readonly sessionSecret: string;
  /** Signs policies handed to agents (Ed25519). */
  readonly signingKey: KeyObject;
  /** What agents check a signature with. */
  readonly signingPublicKey: KeyObject;
  /** Names the public key: the first 16 hex digits of the sha256 of its DER form. */
  readonly signingKeyId: string;
  /** 32 bytes: what the credentials of model providers are encrypted with. Without it they are lost. */
  readonly credentialKey: Buffer;
}

/** The secrets of a data directory; the ones it lacks are made. Two processes that start at once get the same ones. */
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
    credentialKey: Buffer.from(hkdfSync("sha256", credentialSecret, "", "quarterdeck model credentials", 32)),
  };
}

/** The 32 bytes of `data`'s sha256: how tokens and bodies are kept in the database. */
export function sha256(data: string | Uint8Array): Buffer {
  return createHash("sha256").update(data).digest();
}

/** Whether two secrets are equal, in a time that does not tell where they differ. */
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
