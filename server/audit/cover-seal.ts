/**
 * The seal of a cover: the document that a person reads next to an evidence file or a statement. It is the last line of
 * the cover, a comment in HTML and in PDF. Its signature (Ed25519) covers the RFC 8785 text of `{cover, file, key, type:
 * "quarterdeck-cover", version: 1, workspace}`. `cover` is the SHA-256 of every byte before that line; `file` is the
 * SHA-256 of the whole file that the cover describes.
 */
import { createHash, sign, verify } from "node:crypto";
import { z } from "zod";
import { canonicalJson } from "./chain.ts";
import type { PublicKey } from "./checkpoint.ts";
import type { EvidenceSigner } from "./evidence-seal.ts";

const COVER_VERSION = 1;
const sha256Hex = z.string().regex(/^[0-9a-f]{64}$/);

const coverSeal = z.strictObject({
  workspace: z.uuid(),
  file: sha256Hex,
  cover: sha256Hex,
  key: z.string().regex(/^[0-9a-f]{16}$/),
  /** Base64. */
  signature: z.string().max(200),
});
type CoverSeal = z.infer<typeof coverSeal>;

/** The comment of each format. */
const COMMENTS = { html: ["<!-- quarterdeck-cover ", " -->\n"], pdf: ["%quarterdeck-cover ", "\n"] } as const;
export type CoverFormat = keyof typeof COMMENTS;
/** The last line is shorter than this. */
const LAST_LINE_MAX = 1_000;

export const fileDigest = (bytes: string | Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

function signedText({ workspace, file, cover, key }: Omit<CoverSeal, "signature">): Buffer {
  return Buffer.from(canonicalJson({ type: "quarterdeck-cover", version: COVER_VERSION, workspace, file, cover, key }));
}

/** The cover with its seal. `file` is the SHA-256 of the file that it describes. */
export function sealCover(
  format: CoverFormat,
  body: Uint8Array,
  { workspace, file }: { readonly workspace: string; readonly file: string },
  signer: EvidenceSigner,
): Buffer {
  const of = { workspace, file, cover: fileDigest(body), key: signer.signingKeyId };
  const seal: CoverSeal = { ...of, signature: sign(null, signedText(of), signer.signingKey).toString("base64") };
  const [begin, end] = COMMENTS[format];
  return Buffer.concat([body, Buffer.from(begin + JSON.stringify(seal) + end)]);
}

/**
 * The result of a check of one cover. `other`: sealed for another file. `false`: changed after it was made. `unknown`: no
 * trusted key made it. `none`: no cover.
 */
export type CoverState = "sealed" | "other" | "false" | "unknown" | "none";

export function checkCover(bytes: Buffer, file: string, keys: readonly PublicKey[]): CoverState {
  const found = sealIn(bytes);
  if (found === null) return "none";
  const { seal, body } = found;
  if (fileDigest(body) !== seal.cover) return "false";
  if (seal.file !== file) return "other";
  const trusted = keys.find(({ id }) => id === seal.key);
  if (trusted === undefined) return "unknown";
  return verify(null, signedText(seal), trusted.key, Buffer.from(seal.signature, "base64")) ? "sealed" : "false";
}

function sealIn(bytes: Buffer): { readonly seal: CoverSeal; readonly body: Buffer } | null {
  for (const [begin, end] of Object.values(COMMENTS)) {
    const at = bytes.lastIndexOf(begin);
    if (at === -1 || bytes.length - at > LAST_LINE_MAX) continue;
    const line = bytes.subarray(at).toString();
    if (!line.endsWith(end)) continue;
    const seal = coverSeal.safeParse(jsonOf(line.slice(begin.length, -end.length))).data;
    if (seal) return { seal, body: bytes.subarray(0, at) };
  }
  return null;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** A sentence about a cover, by the name of its file. */
export const COVER_TEXTS: Readonly<Record<CoverState, string>> = {
  sealed: "belongs to this file and is as the console made it.",
  other: "belongs to another file.",
  false: "was changed after the console made it.",
  unknown: "names this file, but no trusted key sealed it.",
  none: "has no seal: it is not a complete cover.",
};
