/**
 * A signed statement that the chain of a workspace had this hash at this entry. It is written outside the database, out
 * of reach of anyone who changes the database. The signature (Ed25519) covers the RFC 8785 text of `{at, hash, key,
 * seq, type: "quarterdeck-checkpoint", version: 1, workspace}`.
 */
import { createPublicKey, type KeyObject, sign, verify } from "node:crypto";
import { z } from "zod";
import { sha256 } from "../platform/secrets.ts";
import { canonicalJson } from "./chain.ts";

export const checkpoint = z.object({
  type: z.literal("checkpoint"),
  workspace: z.uuid(),
  seq: z.number().int().positive(),
  /** Hex, as in the entry. */
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  at: z.iso.datetime({ precision: 3 }),
  /** The first 16 hex digits of the sha256 of the public key's DER. */
  key: z.string().regex(/^[0-9a-f]{16}$/),
  /** Base64. */
  signature: z.string().max(200),
});
export type Checkpoint = z.infer<typeof checkpoint>;

function signedText({ workspace, seq, hash, at, key }: Omit<Checkpoint, "type" | "signature">): Buffer {
  return Buffer.from(canonicalJson({ type: "quarterdeck-checkpoint", version: 1, workspace, seq, hash, at, key }));
}

export function signCheckpoint(of: Omit<Checkpoint, "type" | "signature">, signingKey: KeyObject): Checkpoint {
  return { type: "checkpoint", ...of, signature: sign(null, signedText(of), signingKey).toString("base64") };
}

export function isSignedBy(one: Checkpoint, publicKey: KeyObject): boolean {
  return verify(null, signedText(one), publicKey, Buffer.from(one.signature, "base64"));
}

export interface PublicKey {
  readonly id: string;
  readonly key: KeyObject;
}

/** The Ed25519 public key of a PEM text, with its id; null for any other text. */
export function parsePublicKey(pem: string): PublicKey | null {
  try {
    const key = createPublicKey(pem);
    if (key.asymmetricKeyType !== "ed25519") return null;
    const id = sha256(key.export({ type: "spki", format: "der" }))
      .toString("hex")
      .slice(0, 16);
    return { id, key };
  } catch {
    return null;
  }
}
