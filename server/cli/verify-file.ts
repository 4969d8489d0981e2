/**
 * The program quarterdeck-verify.mjs: proves an evidence file or an export of the record, with Node and nothing else.
 * It reads the file and the given keys, and makes no connection.
 *
 *     node quarterdeck-verify.mjs [--trust KEY-ID]... [--key FILE]... [--cover FILE]... FILE
 *
 * `--cover`: a cover in HTML or PDF, checked to belong to the file and to be unchanged.
 *
 * Exit codes: 0 proven; 1 something altered or missing; 2 invalid arguments; 3 nothing found, but not everything is
 * proven by a trusted key.
 */
import { createReadStream, readFileSync } from "node:fs";
import { basename } from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { type PublicKey, parsePublicKey } from "../audit/checkpoint.ts";
import { COVER_TEXTS, checkCover, fileDigest } from "../audit/cover-seal.ts";
import { evidenceExitCode, evidenceReportText } from "../audit/evidence-report.ts";
import { isStatement, verifyStatement } from "../audit/statement.ts";
import { verificationExitCode, verificationReportText } from "../audit/verification-report.ts";
import { isEvidenceHeader, verifyEvidence } from "../audit/verify-evidence.ts";
import { verifyExport } from "../audit/verify-export.ts";
import { print, printError } from "./print.ts";

const USAGE = `usage: node quarterdeck-verify.mjs [--trust KEY-ID]... [--key FILE]... [--cover FILE]... FILE

KEY-ID is the id of the signing key, as the console shows it under Audit, Proof.
FILE is an evidence file, a statement or an export of the record. A cover is the HTML or PDF document next to it.
`;

async function main(): Promise<number> {
  const asked = arguments_();
  if (asked === null) return wrong(USAGE);
  const { file, ids, keyFiles, covers } = asked;
  const given = keyFiles.flatMap(keysIn);
  const keys = [...given, ...(await keysNamed(file, ids))];
  const code = await verifyFile(file, { keys, given, ids });
  const coverCodes = covers.map((cover) => verifyCover(cover, file, keys));
  return worst([code, ...coverCodes]);
}

const SEVERAL = { type: "string", multiple: true } as const;

type ExitCode = 0 | 1 | 3;

/** 1 before 3 before 0. */
const worst = (codes: readonly ExitCode[]): ExitCode => (codes.includes(1) ? 1 : codes.includes(3) ? 3 : 0);

interface Trusted {
  readonly keys: readonly PublicKey[];
  /** The keys from files of their own. */
  readonly given: readonly PublicKey[];
  readonly ids: readonly string[];
}

async function verifyFile(file: string, { keys, given, ids }: Trusted): Promise<ExitCode> {
  const firstLine = await firstLineOf(file);
  if (isStatement(firstLine)) {
    const report = verifyStatement(readFileSync(file, "utf8"), keys);
    say(report.lines);
    return report.code;
  }
  if (isEvidenceHeader(firstLine)) {
    const report = await verifyEvidence(linesIn(file), { keys: given, ids });
    say(evidenceReportText(report));
    return evidenceExitCode(report);
  }
  const report = await verifyExport(linesIn(file), { keys, outside: null });
  const { altered, missing, notes } = verificationReportText(report);
  say([...altered, ...missing, ...notes]);
  return verificationExitCode(report);
}

function verifyCover(cover: string, file: string, keys: readonly PublicKey[]): ExitCode {
  const state = checkCover(readFileSync(cover), fileDigest(readFileSync(file)), keys);
  say([`${basename(cover)} ${COVER_TEXTS[state]}`]);
  return state === "sealed" ? 0 : state === "unknown" ? 3 : 1;
}

function arguments_(): { file: string; ids: string[]; keyFiles: string[]; covers: string[] } | null {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { trust: SEVERAL, key: SEVERAL, cover: SEVERAL },
    });
    const [file, ...more] = positionals;
    if (file === undefined || more.length > 0) return null;
    return { file, ids: values.trust ?? [], keyFiles: values.key ?? [], covers: values.cover ?? [] };
  } catch {
    return null;
  }
}

function keysIn(path: string): PublicKey[] {
  const blocks = readFileSync(path, "utf8").match(/-----BEGIN PUBLIC KEY-----[\s\S]*?-----END PUBLIC KEY-----/g) ?? [];
  const keys = blocks.flatMap((pem) => parsePublicKey(pem) ?? []);
  if (keys.length === 0) throw new Error(`${path} holds no Ed25519 public key in PEM.`);
  return keys;
}

/** The keys of an export that are trusted by their ids; they precede its entries. */
async function keysNamed(path: string, ids: readonly string[]): Promise<PublicKey[]> {
  const keys: PublicKey[] = [];
  for await (const text of linesIn(path)) {
    if (text.startsWith('{"type":"entry"')) break;
    const found = /-----BEGIN PUBLIC KEY-----[^"]*-----END PUBLIC KEY-----/.exec(text)?.[0].replaceAll("\\n", "\n");
    const key = found === undefined ? null : parsePublicKey(found);
    if (key !== null && ids.includes(key.id)) keys.push(key);
  }
  return keys;
}

async function firstLineOf(path: string): Promise<string> {
  for await (const text of linesIn(path)) return text;
  return "";
}

const linesIn = (path: string): AsyncIterable<string> =>
  createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY });

const say = (lines: readonly string[]) => void print(`${lines.join("\n")}\n`);

function wrong(text: string): 2 {
  printError(text);
  return 2;
}

process.exitCode = await main().catch((error: unknown) => wrong(`${error instanceof Error ? error.message : error}\n`));
