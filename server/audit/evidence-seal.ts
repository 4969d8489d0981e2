/**
 * The seal of an evidence file: the console's signature over every line before it, so that nothing in the file can be
 * changed, added or left out. The signature (Ed25519) covers the RFC 8785 text of `{key, sha256, type:
 * "quarterdeck-evidence", version: 2, workspace}`; `sha256` is that of the lines, each with a line feed at its end.
 */
import { createHash, type KeyObject, sign, verify } from "node:crypto";
import { z } from "zod";
import { canonicalJson } from "./chain.ts";
import type { PublicKey } from "./checkpoint.ts";
import { EVIDENCE_VERSION } from "./evidence-lines.ts";

export const sealLine = z.strictObject({
  type: z.literal("seal"),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** The id of the key that signed, as in checkpoint.ts. */
  key: z.string().regex(/^[0-9a-f]{16}$/),
  /** Base64. */
  signature: z.string().max(200),
});
export type SealLine = z.infer<typeof sealLine>;

export interface EvidenceSigner {
  readonly signingKey: KeyObject;
  readonly signingPublicKey: KeyObject;
  readonly signingKeyId: string;
}

function signedText(workspace: string, { sha256, key }: Pick<SealLine, "sha256" | "key">): Buffer {
  return Buffer.from(
    canonicalJson({ type: "quarterdeck-evidence", version: EVIDENCE_VERSION, workspace, sha256, key }),
  );
}

/** The seal of a file's text. */
export function sealEvidence(workspace: string, text: string, signer: EvidenceSigner): SealLine {
  const of = { sha256: createHash("sha256").update(text).digest("hex"), key: signer.signingKeyId };
  const signature = sign(null, signedText(workspace, of), signer.signingKey).toString("base64");
  return { type: "seal", ...of, signature };
}

/** "unknown": no trusted key made it. */
type SealState = "none" | "unknown" | "signed" | "false";

/** Takes the lines of a file one by one, and holds its seal against them. */
export function createSealCheck() {
  const digest = createHash("sha256");
  return {
    line: (text: string) => void digest.update(`${text}\n`),
    state(workspace: string, seal: SealLine, keys: readonly PublicKey[]): SealState {
      if (digest.digest("hex") !== seal.sha256) return "false";
      const trusted = keys.find(({ id }) => id === seal.key);
      if (trusted === undefined) return "unknown";
      const signature = Buffer.from(seal.signature, "base64");
      return verify(null, signedText(workspace, seal), trusted.key, signature) ? "signed" : "false";
    },
  };
}
