/**
 * A statement about the record of a period: its entries are all there, or the sentences that say which are not. It comes
 * out of a verification of that period. The console's signature (Ed25519) covers the RFC 8785 text of `{key, sha256,
 * type: "quarterdeck-statement", version: 1, workspace}`; `sha256` is that of the RFC 8785 text of the statement without
 * its seal.
 */
import { createHash, sign, verify } from "node:crypto";
import { canonicalJson } from "./chain.ts";
import type { PublicKey } from "./checkpoint.ts";
import { type EvidenceSigner, sealLine } from "./evidence-seal.ts";
import { STATEMENT_VERSION, type Statement, type StatementFacts, statement } from "./statement-schema.ts";
import { NoExportError } from "./verify-export.ts";

const sealedStatement = statement.extend({ seal: sealLine.omit({ type: true }) });

interface Seal {
  readonly sha256: string;
  readonly key: string;
}

const signedText = (workspace: string, { sha256, key }: Seal): Buffer =>
  Buffer.from(canonicalJson({ type: "quarterdeck-statement", version: STATEMENT_VERSION, workspace, sha256, key }));

const digestOf = (of: Statement): string => createHash("sha256").update(canonicalJson(of)).digest("hex");
const written = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;

/** The statement as the text of a file, with its seal. */
export function sealStatement(of: Statement, signer: EvidenceSigner): string {
  const seal = { sha256: digestOf(of), key: signer.signingKeyId };
  const signature = sign(null, signedText(of.workspace, seal), signer.signingKey).toString("base64");
  return written({ ...of, seal: { ...seal, signature } });
}

/** True for the first line of a statement. */
export const isStatement = (firstLine: string): boolean => firstLine === "{";

export interface StatementReport {
  readonly lines: readonly string[];
  /** 0: sealed by a trusted key, and complete. 1: changed, or incomplete. 3: not proven. */
  readonly code: 0 | 1 | 3;
}

/** Errors: `NoExportError` for a text that is not a statement. */
export function verifyStatement(text: string, keys: readonly PublicKey[]): StatementReport {
  const parsed = sealedStatement.safeParse(jsonOf(text)).data;
  // Two equal keys, or a number in another form, could be read in two ways.
  if (!parsed || written(parsed) !== text) throw new NoExportError("This is not a statement as a console writes it.");
  const { seal, ...of } = parsed;
  const trusted = keys.find(({ id }) => id === seal.key);
  const isSame = digestOf(of) === seal.sha256;
  const isSigned =
    trusted !== undefined &&
    verify(null, signedText(of.workspace, seal), trusted.key, Buffer.from(seal.signature, "base64"));
  if (!isSame || (trusted !== undefined && !isSigned))
    return { lines: ["NOT proven: the statement is not the one that the console sealed."], code: 1 };
  const about = [...statementText(of), ...of.altered, ...of.missing, ...of.notes];
  if (!isSigned) return { lines: [`No trusted key sealed this statement. It states, not proven:`, ...about], code: 3 };
  return { lines: about, code: of.verdict === "complete" ? 0 : of.verdict === "incomplete" ? 1 : 3 };
}

/** The conclusion and the range in sentences. */
export function statementText(
  of: Pick<Statement, "name" | "period" | "askedBy" | "verifiedAt"> & StatementFacts,
): string[] {
  const { entries, period } = of;
  const range =
    entries.first === null || entries.last === null
      ? "No entry was recorded in this period."
      : `Entries ${entries.first} to ${entries.last}: ${entries.count.toLocaleString("en-US")} entries with ${entries.dispatches.toLocaleString("en-US")} dispatches.`;
  return [
    `${of.name}, ${period.first} to ${period.last} (${period.timeZone}): ${CONCLUSIONS[of.verdict]}`,
    range,
    `Verified at ${of.verifiedAt} for ${of.askedBy}.`,
  ];
}

export const CONCLUSIONS: Readonly<Record<StatementFacts["verdict"], string>> = {
  complete: "Nothing was removed or changed without an entry that says so.",
  incomplete: "The record of this period does NOT hold.",
  unknown: "Nothing is missing as far as can be known: no checkpoint from outside covers the whole period.",
};

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
