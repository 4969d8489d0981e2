/** A file with its two covers, as one archive to hand over. */
import { strToU8, zipSync } from "fflate";
import { fileDigest, sealCover } from "../../audit/cover-seal.ts";
import type { EvidenceSigner } from "../../audit/evidence-seal.ts";
import type { CoverDocument } from "./cover-document.ts";
import { coverHtml } from "./cover-html.ts";
import { coverPdf } from "./cover-pdf.ts";
import { evidenceCover } from "./evidence-cover.ts";

export const EVIDENCE_FILE = "evidence.jsonl";

export interface CoveredFile {
  readonly workspace: string;
  readonly name: string;
  readonly text: string;
}

/** The ZIP archive of a file and the covers that describe it. */
export async function archiveOf(
  { workspace, name, text }: CoveredFile,
  document: CoverDocument,
  signer: EvidenceSigner,
): Promise<Buffer> {
  const of = { workspace, file: fileDigest(text) };
  const html = sealCover("html", Buffer.from(coverHtml(document)), of, signer);
  const pdf = sealCover("pdf", await coverPdf(document), of, signer);
  const files = { [name]: strToU8(text), "cover.html": new Uint8Array(html), "cover.pdf": new Uint8Array(pdf) };
  return Buffer.from(zipSync(files, { level: 6, mtime: document.madeAt }));
}

/** The archive of an evidence file. `keyIds`: the ids of the console's signing keys, present and former. */
export async function createEvidenceArchive(
  workspace: string,
  text: string,
  keyIds: readonly string[],
  signer: EvidenceSigner,
): Promise<Buffer> {
  const file = { name: EVIDENCE_FILE, sha256: fileDigest(text) };
  return archiveOf({ workspace, name: EVIDENCE_FILE, text }, await evidenceCover(text, file, keyIds), signer);
}
