/**
 * Credentials of model providers, sealed with AES-256-GCM.
 *
 * Shape of a sealed one: a version byte, 12 bytes nonce, 16 bytes tag, then the text encrypted. It opens only for the
 * workspace, connection and origin it was sealed for: moved to another row, or its row pointed elsewhere, it is noise.
 */
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

const ALGORITHM = "aes-256-gcm";
const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = 1 + NONCE_BYTES + TAG_BYTES;

/** Whose credential it is, and where it is sent. */
export interface CredentialOwner {
  readonly workspaceId: string;
  readonly connectionId: string;
  readonly baseUrl: string;
}

/** `key` has 32 bytes. Two seals of one text differ. */
export function sealed(key: Buffer, owner: CredentialOwner, text: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(boundTo(owner));
  const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([Buffer.of(VERSION), nonce, cipher.getAuthTag(), body]);
}

/** The text; null when it was sealed with another key or for another owner, or was changed since. */
export function opened(key: Buffer, owner: CredentialOwner, bytes: Uint8Array): string | null {
  const whole = Buffer.from(bytes);
  if (whole.length <= HEAD_BYTES || whole[0] !== VERSION) return null;
  const decipher = createDecipheriv(ALGORITHM, key, whole.subarray(1, 1 + NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(boundTo(owner));
  decipher.setAuthTag(whole.subarray(1 + NONCE_BYTES, HEAD_BYTES));
  try {
    return decipher.update(whole.subarray(HEAD_BYTES)).toString("utf8") + decipher.final("utf8");
  } catch {
    return null;
  }
}

function boundTo({ workspaceId, connectionId, baseUrl }: CredentialOwner): Buffer {
  return Buffer.from(["model credential", workspaceId, connectionId, new URL(baseUrl).origin].join("\n"));
}

/** A part of one shorter than this would tell too much. */
const SHOWN_FROM = 16;

/** The last four characters, for a person to tell keys apart; null for a short one. */
export const lastFourOf = (text: string): string | null => (text.length >= SHOWN_FROM ? text.slice(-4) : null);
