/** Verifies an evidence file: every dispatch, every span of the chain up to a signature, and every text. */
import { z } from "zod";
import { sha256 } from "../platform/secrets.ts";
import { type PublicKey, parsePublicKey } from "./checkpoint.ts";
import {
  EVIDENCE_VERSION,
  type EvidenceHead,
  evidenceHead,
  type RevisionLine,
  revisionLine,
} from "./evidence-lines.ts";
import { createSealCheck, type SealLine, sealLine } from "./evidence-seal.ts";
import { type ExportHead, type ExportLine, exportLine, keyLine } from "./export-lines.ts";
import { createExportCheck, NoExportError } from "./verify-export.ts";
import type { NameCount } from "./verify-names.ts";
import { createPublicationCheck, type TextReport } from "./verify-publications.ts";

export interface EvidenceReport {
  readonly head: EvidenceHead;
  /** True when a trusted key sealed the file: then the console wrote its header. */
  readonly isSealed: boolean;
  /** Dispatches that match the record, and those of them whose content was erased. */
  readonly proven: number;
  readonly erased: number;
  /** Names of people in the entries of the file: as recorded, and erased. */
  readonly names: NameCount;
  /** Dispatches whose stretch ends in no signature of a key that is trusted. */
  readonly unsigned: number;
  readonly texts: Omit<TextReport, "findings">;
  /** The keys that signed and were not given. */
  readonly unknownKeys: readonly string[];
  /** Empty: nothing in the file was altered, and nothing that it refers to is missing. */
  readonly findings: readonly string[];
}

export interface Trust {
  readonly keys?: readonly PublicKey[];
  /** Ids of trusted keys (checkpoint.ts); the file holds the keys, and an id is derived from its key. */
  readonly ids?: readonly string[];
}

/** The parts of a file, in the order of its lines. */
const PARTS = ["evidence", "key", "revision", "export", "seal"] as const;
type Part = (typeof PARTS)[number];
const typed = z.looseObject({ type: z.string() });

/** Errors: `NoExportError` with the line, for text that is not an evidence file. */
export async function verifyEvidence(lines: AsyncIterable<string>, trust: Trust): Promise<EvidenceReport> {
  const check = createEvidenceCheck(trust);
  let at = 0;
  for await (const text of lines) {
    at += 1;
    if (text !== "") check.line(text, at);
  }
  return check.end();
}

/** True for the first line of an evidence file. */
export const isEvidenceHeader = (firstLine: string): boolean => firstLine.startsWith('{"type":"evidence"');

function createEvidenceCheck({ keys: given = [], ids = [] }: Trust) {
  const keys = [...given];
  const texts = createPublicationCheck();
  const sealed = createSealCheck();
  const stretches = createStretchCheck(keys, texts);
  const findings: string[] = [];
  let head: EvidenceHead | null = null;
  let seal: SealLine | null = null;
  let part: Part = "evidence";

  function take(type: string, value: unknown, at: number): void {
    const next = PARTS.find((one) => one === type) ?? null;
    if (next !== null && PARTS.indexOf(next) < PARTS.indexOf(part))
      throw new NoExportError(`Line ${at} (${type}) is not where an evidence file has it.`);
    if (next !== null) part = next;
    if (next === "key") takeKey(parsedAs(keyLine, value, at));
    else if (next === "revision") takeText(parsedAs(revisionLine, value, at));
    else if (next === "seal") seal = parsedAs(sealLine, value, at);
    else if (part !== "export") throw new NoExportError(`Line ${at} stands before the first stretch of the chain.`);
    else stretches.line(parsedAs(exportLine, value, at), at);
  }

  function takeKey({ id, publicKey }: z.infer<typeof keyLine>): void {
    const key = parsePublicKey(publicKey);
    if (key?.id !== id) findings.push(`the public key ${id} is not the key of this id`);
    else if (ids.includes(id)) keys.push(key);
  }

  function takeText(line: RevisionLine): void {
    const isAsHashed = sha256(line.source).toString("hex") === line.sha256;
    if (!isAsHashed) findings.push(`the text of ${line.policy}, revision ${line.revision}, was changed`);
    texts.text(line);
  }

  /** A forger who removes the seal has to claim version 1, whose header is never proven. */
  function sealOf({ version, workspace }: EvidenceHead): boolean {
    if (seal === null && version !== EVIDENCE_VERSION) return false;
    const state = seal === null ? "none" : sealed.state(workspace, seal, keys);
    if (state === "none") findings.push("the console's seal at the end is missing: the file was cut");
    if (state === "false") findings.push("the file is not the one that the console sealed");
    if (state === "unknown" && seal !== null) stretches.unknownKeys.add(seal.key);
    return state === "signed";
  }

  return {
    line(text: string, at: number): void {
      if (seal !== null) throw new NoExportError(`Line ${at} stands behind the seal.`);
      const { type, value } = typeOf(text, at);
      if (head === null) head = parsedAs(evidenceHead, value, at);
      else if (type === "evidence") throw new NoExportError(`Line ${at} begins another evidence file.`);
      else take(type, value, at);
      if (seal === null) sealed.line(text);
    },
    end(): EvidenceReport {
      if (head === null) throw new NoExportError("The file is empty.");
      const { stretches: count, unknownKeys, ...sums } = stretches.end(head);
      findings.push(...sums.findings);
      const { findings: textFindings, ...found } = texts.end();
      findings.push(...textFindings);
      const isSealed = sealOf(head);
      if (count !== head.stretches)
        findings.push(`${Math.abs(head.stretches - count)} of ${head.stretches} stretches are missing or were added`);
      else if (sums.proven !== head.dispatches && findings.length === 0)
        findings.push(
          sums.proven < head.dispatches
            ? `${head.dispatches - sums.proven} of ${head.dispatches} dispatches are missing`
            : `${sums.proven - head.dispatches} dispatches more are there than the ${head.dispatches} that the file names`,
        );
      const { proven, erased, names, unsigned } = sums;
      return { head, isSealed, proven, erased, names, unsigned, texts: found, unknownKeys: [...unknownKeys], findings };
    },
  };
}

/** The stretches of a file, one after the other. */
function createStretchCheck(keys: readonly PublicKey[], texts: ReturnType<typeof createPublicationCheck>) {
  let open: { readonly head: ExportHead; readonly check: ReturnType<typeof createExportCheck> } | null = null;
  const heads: ExportHead[] = [];
  const findings: string[] = [];
  const unknownKeys = new Set<string>();
  const sums = { proven: 0, erased: 0, names: { held: 0, erased: 0 }, unsigned: 0 };

  function close(): void {
    if (open === null) return;
    const { altered, missing, dispatches, names, checkpoints, entries } = open.check.end();
    const held = dispatches?.held ?? 0;
    const found = [...altered.findings, ...missing.findings];
    findings.push(...found.map(({ seq, says }) => (seq === null ? says : `entry ${seq} ${says}`)));
    for (const key of checkpoints.unknownKeys) unknownKeys.add(key);
    // Anyone who holds a file can add entries after its last signature: only a signature proves them.
    const isSigned = checkpoints.lastFitting === entries.to && entries.count > 0;
    if (!isSigned) sums.unsigned += held;
    if (found.length === 0) sums.proven += held;
    sums.erased += dispatches?.erased ?? 0;
    sums.names = { held: sums.names.held + names.held, erased: sums.names.erased + names.erased };
    texts.close(isSigned && found.length === 0);
    open = null;
  }

  return {
    unknownKeys,
    line(line: ExportLine, at: number): void {
      if (line.type === "export") {
        close();
        open = { head: line, check: createExportCheck({ keys, outside: null }) };
        heads.push(line);
      } else if (line.type === "held" || line.type === "key")
        throw new NoExportError(`Line ${at} is none that a stretch of the chain has.`);
      if (open === null) throw new NoExportError(`Line ${at} stands before the first stretch of the chain.`);
      open.check.value(line);
      if (line.type === "entry") texts.entry(line);
      if (line.type === "dispatch" && line.content !== null) texts.hooks(line.content.hooks);
    },
    end(of: EvidenceHead) {
      close();
      for (const { workspace, name, exportedAt, dispatches, picked } of heads) {
        if (workspace !== of.workspace) findings.push("the head names another workspace than the entries are of");
        else if (name !== of.name || exportedAt !== of.madeAt)
          findings.push("the head names another workspace or time than its stretches");
        if (!dispatches || picked !== true) findings.push("a stretch holds no chosen dispatches");
      }
      return { ...sums, stretches: heads.length, unknownKeys, findings: [...new Set(findings)] };
    },
  };
}

function parsedAs<T>(shape: z.ZodType<T>, value: unknown, at: number): T {
  const line = shape.safeParse(value);
  if (line.success) return line.data;
  const [issue] = line.error.issues;
  throw new NoExportError(
    `Line ${at} is none that an evidence file of a known version has: ${issue?.path.join(".") ?? ""} ${issue?.message ?? ""}.`,
  );
}

/**
 * Refuses a line that differs from the console's own spelling, since it could be read in two ways: two equal keys, or a
 * number in another form.
 */
function typeOf(text: string, at: number): { readonly type: string; readonly value: unknown } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new NoExportError(`Line ${at} is no JSON.`);
  }
  const type = typed.safeParse(value).data?.type;
  if (type === undefined) throw new NoExportError(`Line ${at} has no type.`);
  if (JSON.stringify(value) !== text) throw new NoExportError(`Line ${at} is not written as a console writes it.`);
  return { type, value };
}
