/** Checks that bytes are from the console with which this machine was enrolled (Ed25519). */

import { createHash, createPublicKey, type KeyObject, verify } from "node:crypto";
import { truncateText } from "@quarterdeck/hooks/contract/truncate-text";
import { Trouble } from "./errors.ts";

const HOW = "Copy it from Agents in the console, where the snippets are; GET /api/v1/signing-key has it too.";

/** The pinned key. Errors: a `Trouble` if it is missing or not a valid key. */
export function pinnedKey(text: string): KeyObject {
  if (text === "") throw new Trouble(`QUARTERDECK_TRUST_KEY is not set, so no policy can be trusted. ${HOW}`);
  try {
    const isPem = text.includes("-----BEGIN");
    const key = isPem
      ? createPublicKey(text)
      : createPublicKey({ key: Buffer.from(text, "base64"), format: "der", type: "spki" });
    if (key.asymmetricKeyType === "ed25519") return key;
  } catch {
    // Said below.
  }
  throw new Trouble(`QUARTERDECK_TRUST_KEY is not an Ed25519 public key (PEM, or its DER in base64). ${HOW}`);
}

export const FORGED = "The policy's signature is wrong: it was forged or damaged on its way, so it is refused.";

export function foreignKey(keyid: string, trusted: KeyObject): Trouble {
  const own = keyIdOf(trusted);
  return new Trouble(
    `The policy is signed with another key (${truncateText(keyid, 64)}, trusted is ${own}), so it is refused. If the console's key was changed on purpose, set QUARTERDECK_TRUST_KEY to the new one.`,
  );
}

/** Errors: a `Trouble` unless `header` (`keyid=...; ed25519=<base64>`) contains the key's signature over `body`. */
export function checkSignature(body: Buffer, header: string, key: KeyObject): void {
  const keyid = /(?:^|;)\s*keyid=([0-9a-f]{1,64})\s*(?:;|$)/.exec(header)?.[1];
  const signature = /(?:^|;)\s*ed25519=([A-Za-z0-9+/]{86}==)\s*(?:;|$)/.exec(header)?.[1];
  if (signature === undefined) throw new Trouble("The policy is not signed, so it is refused.");
  if (keyid !== undefined && keyid !== keyIdOf(key)) throw foreignKey(keyid, key);
  if (!verify(null, body, key, Buffer.from(signature, "base64"))) throw new Trouble(FORGED);
}

export function keyIdOf(key: KeyObject): string {
  return createHash("sha256")
    .update(key.export({ type: "spki", format: "der" }))
    .digest("hex")
    .slice(0, 16);
}
