/**
 * The program quarterdeck-verify.mjs: proves an evidence file or an export of the record, with Node and nothing else.
 * It reads the file and the given keys, and makes no connection.
 *
 *     node quarterdeck-verify.mjs [--trust KEY-ID]... [--key FILE]... FILE
 *
 * Exit codes: 0 proven; 1 something altered or missing; 2 invalid arguments; 3 nothing found, but not everything is
 * proven by a trusted key.
 */
import { createReadStream, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { type PublicKey, parsePublicKey } from "../audit/checkpoint.ts";
import { evidenceExitCode, evidenceReportText } from "../audit/evidence-report.ts";
import { verificationExitCode, verificationReportText } from "../audit/verification-report.ts";
import { isEvidenceHeader, verifyEvidence } from "../audit/verify-evidence.ts";
import { verifyExport } from "../audit/verify-export.ts";
import { print, printError } from "./print.ts";

const USAGE = `usage: node quarterdeck-verify.mjs [--trust KEY-ID]... [--key FILE]... FILE

KEY-ID is the id of the signing key, as the console shows it under Audit, Integrity and retention.
FILE is what Decisions or Audit exported.
`;

async function main(): Promise<number> {
  const asked = arguments_();
  if (asked === null) return wrong(USAGE);
  const { file, ids, keyFiles } = asked;
  const keys = keyFiles.flatMap(keysIn);
  if (isEvidenceHeader(await firstLineOf(file))) {
    const report = await verifyEvidence(linesIn(file), { keys, ids });
    say(evidenceReportText(report));
    return evidenceExitCode(report);
  }
  const report = await verifyExport(linesIn(file), { keys: [...keys, ...(await keysNamed(file, ids))], outside: null });
  const { altered, missing, notes } = verificationReportText(report);
  say([...altered, ...missing, ...notes]);
  return verificationExitCode(report);
}

function arguments_(): { file: string; ids: string[]; keyFiles: string[] } | null {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { trust: { type: "string", multiple: true }, key: { type: "string", multiple: true } },
    });
    const [file, ...more] = positionals;
    return file === undefined || more.length > 0 ? null : { file, ids: values.trust ?? [], keyFiles: values.key ?? [] };
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
