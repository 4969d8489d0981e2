/** An evidence file against its proof: every dispatch as it was recorded, every stretch of the chain up to a signature. */
import { z } from "zod";
import { sha256 } from "../platform/secrets.ts";
import { type PublicKey, parsePublicKey } from "./checkpoint.ts";
import { type EvidenceHead, evidenceHead, revisionLine } from "./evidence-lines.ts";
import { createExportCheck, NoExportError } from "./verify-export.ts";
import type { NameCount } from "./verify-names.ts";

export interface EvidenceReport {
  readonly head: EvidenceHead;
  /** Dispatches that are as they were recorded, and those of them without content any more. */
  readonly proven: number;
  readonly erased: number;
  /** Names of people in the entries of the file: as recorded, and held no more. */
  readonly names: NameCount;
  /** Dispatches whose stretch ends in no signature of a key that is trusted. */
  readonly unsigned: number;
  readonly revisions: number;
  /** The keys that signed and were not given. */
  readonly unknownKeys: readonly string[];
  /** Empty: nothing was altered, and nothing that the file speaks of is missing. */
  readonly findings: readonly string[];
}

export interface Trust {
  readonly keys?: readonly PublicKey[];
  /** Ids of keys (checkpoint.ts) that are trusted as they stand in the file: an id is made of its key. */
  readonly ids?: readonly string[];
}

/** Errors: `NoExportError` with the line, for a text that is no evidence. */
export async function verifyEvidence(
  lines: AsyncIterable<string>,
  { keys: given = [], ids = [] }: Trust,
): Promise<EvidenceReport> {
  const keys = [...given];
  let head: EvidenceHead | null = null;
  let stretch: ReturnType<typeof createExportCheck> | null = null;
  const sums = { proven: 0, erased: 0, names: { held: 0, erased: 0 }, unsigned: 0, revisions: 0, stretches: 0 };
  const unknownKeys = new Set<string>();
  const findings: string[] = [];
  let at = 0;

  function close(): void {
    if (stretch === null) return;
    const { altered, missing, dispatches, names, checkpoints } = stretch.end();
    const held = dispatches?.held ?? 0;
    const found = [...altered.findings, ...missing.findings];
    findings.push(...found.map(({ seq, says }) => (seq === null ? says : `entry ${seq} ${says}`)));
    for (const key of checkpoints.unknownKeys) unknownKeys.add(key);
    if (checkpoints.fitting === 0) sums.unsigned += held;
    if (found.length === 0) sums.proven += held;
    sums.erased += dispatches?.erased ?? 0;
    sums.names = { held: sums.names.held + names.held, erased: sums.names.erased + names.erased };
    sums.stretches += 1;
    stretch = null;
  }

  for await (const text of lines) {
    at += 1;
    if (text === "") continue;
    const type = typeOf(text, at);
    if (head === null) {
      head = headOf(text, at);
    } else if (type === "export") {
      close();
      stretch = createExportCheck({ keys, outside: null });
      stretch.line(text);
    } else if (type === "revision") {
      const line = revisionLine.safeParse(JSON.parse(text)).data;
      if (!line) throw new NoExportError(`Line ${at} is no revision of a policy.`);
      const isAsHashed = sha256(line.source).toString("hex") === line.sha256;
      if (!isAsHashed) findings.push(`the text of ${line.policy}, revision ${line.revision}, was changed`);
      sums.revisions += 1;
    } else if (stretch !== null) stretch.line(text);
    else if (type === "key") {
      const key = parsePublicKey(keyText.safeParse(JSON.parse(text)).data?.publicKey ?? "");
      if (key !== null && ids.includes(key.id)) keys.push(key);
    } else throw new NoExportError(`Line ${at} stands before the first stretch of the chain.`);
  }
  close();
  if (head === null) throw new NoExportError("The file is empty.");
  if (sums.stretches !== head.stretches)
    findings.push(`${head.stretches - sums.stretches} of ${head.stretches} stretches are missing: the file was cut`);
  else if (sums.proven !== head.dispatches && findings.length === 0)
    findings.push(`${head.dispatches - sums.proven} of ${head.dispatches} dispatches are missing`);
  const { proven, erased, names, unsigned, revisions } = sums;
  return { head, proven, erased, names, unsigned, revisions, unknownKeys: [...unknownKeys], findings };
}

const keyText = z.object({ publicKey: z.string() });

/** True for the first line of an evidence file. */
export const isEvidenceHeader = (firstLine: string): boolean => firstLine.startsWith('{"type":"evidence"');

function headOf(text: string, at: number): EvidenceHead {
  const head = evidenceHead.safeParse(JSON.parse(text)).data;
  if (!head) throw new NoExportError(`Line ${at} does not begin an evidence file of this version.`);
  return head;
}

function typeOf(text: string, at: number): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? Reflect.get(value, "type") : undefined;
  } catch {
    throw new NoExportError(`Line ${at} is no JSON.`);
  }
}

/** The report in sentences. */
export function evidenceReportText({
  head,
  proven,
  erased,
  names,
  unsigned,
  revisions,
  unknownKeys,
  findings,
}: EvidenceReport): string[] {
  const number = (value: number) => value.toLocaleString("en-US");
  const lines = [`${head.name}: ${head.asked}; made by ${head.madeBy} at ${head.madeAt}.`];
  if (findings.length > 0) return [...lines, "NOT proven:", ...findings.map((one) => `  ${one}`)];
  lines.push(
    `${number(proven)} of ${number(head.dispatches)} dispatches over ${number(head.calls)} ${head.calls === 1 ? "call" : "calls"} are as they were recorded.`,
  );
  if (erased > 0) lines.push(`${number(erased)} of them have no content any more: it was erased on request.`);
  if (names.erased > 0)
    lines.push(
      `${number(names.erased)} ${names.erased === 1 ? "name of a person in its entries is" : "names of people in its entries are"} not held any more: erased on request.`,
    );
  if (head.unproven > 0)
    lines.push(
      `${number(head.unproven)} more were recorded before rows could be proven one by one, and are not in the file.`,
    );
  if (revisions > 0) lines.push(`The texts of ${number(revisions)} revisions are those that their hashes name.`);
  if (unsigned > 0) lines.push(`${number(unsigned)} dispatches stand in a stretch that no trusted key signed.`);
  if (unknownKeys.length > 0)
    lines.push(`Signatures of ${unknownKeys.join(", ")} were left out: that public key was not given.`);
  lines.push("Which dispatches the filter left out, no file can prove: export the record for that.");
  return lines;
}
