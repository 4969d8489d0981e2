/** `audit export` and `audit verify`: the record as a file that proves itself, and the proof. */
import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { z } from "zod";
import { type Checkpoint, checkpoint, type PublicKey, parsePublicKey } from "../audit/checkpoint.ts";
import { evidenceExitCode, evidenceReportText } from "../audit/evidence-report.ts";
import { verificationExitCode, verificationReportText } from "../audit/verification-report.ts";
import type { VerificationReport } from "../audit/verify.ts";
import { isEvidenceHeader, verifyEvidence } from "../audit/verify-evidence.ts";
import { NoExportError, verifyExport } from "../audit/verify-export.ts";
import { type EXPORT_DISPATCHES, exportPage } from "../record/schema.ts";
import { print, printError, printExactJson, printJson, printProgress } from "./print.ts";
import { Refusal } from "./refusal.ts";
import { ask } from "./server.ts";
import { verifyServer } from "./verify-server.ts";

export interface ExportOptions {
  readonly from?: number;
  readonly to?: number;
  readonly dispatches?: boolean;
}

/** Prints the record as JSON lines: entries, checkpoints, public keys and, when asked for, the dispatches. */
export async function exportRecord(options: ExportOptions): Promise<void> {
  let entries = 0;
  for await (const text of exported(options, options.dispatches === true ? "rows" : "none")) {
    if (!printExactJson(text)) await new Promise((resolve) => process.stdout.once("drain", resolve));
    entries += text.split('\n{"type":"entry"').length - 1;
  }
  printError(`${entries.toLocaleString("en-US")} entries exported\n`);
}

async function* exported(
  { from, to }: ExportOptions,
  dispatches: (typeof EXPORT_DISPATCHES)[number],
): AsyncGenerator<string> {
  const range = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
  let page = await ask("audit.startExport", { ...range, dispatches }, exportPage);
  yield page.text;
  const isWhole = from === undefined || from === 1;
  while (page.next !== null) {
    page = await ask("audit.exportPage", { ...page.next, dispatches, isWhole }, exportPage);
    yield page.text;
  }
}

/** Prints the public keys that checkpoints are verified with, in PEM. */
export async function printCheckpointKeys(): Promise<void> {
  for (const { publicKey } of await ask("audit.keys", undefined, keyList)) print(publicKey);
}

const keyList = z.array(z.object({ id: z.string(), publicKey: z.string() }));

export interface VerifyOptions {
  readonly key?: readonly string[];
  readonly checkpoint?: readonly string[];
  readonly json?: boolean;
  /** The file with the position in the running server's record, to continue after an interruption. */
  readonly resume?: string;
}

/**
 * Verifies an export file, or without one the audit record of the running server, dispatches included.
 *
 * Exit codes: 0 nothing altered or missing; 1 something altered or missing; 2 invalid arguments; 3 nothing found, but
 * without an external checkpoint a cut-off end cannot be ruled out.
 */
export async function verify(file: string | undefined, options: VerifyOptions): Promise<void> {
  const trusted = options.key?.length ? await keysIn(options.key) : await serverKeys(file);
  const outside = options.checkpoint?.length ? await checkpointsIn(options.checkpoint) : null;
  if (file !== undefined && isEvidenceHeader(await firstLineOf(file)))
    return verifyEvidenceFile(file, trusted, options.json);
  if (file !== undefined && options.resume !== undefined)
    throw new Refusal("--resume is for the record of a running server; a file is verified in one go.", 2);
  const onProgress = (count: number) => printProgress(`${count.toLocaleString("en-US")} entries`);
  const verified =
    file === undefined
      ? verifyServer({ keys: trusted, outside }, options.resume)
      : verifyExport(linesIn(file), { keys: trusted, outside, onProgress });
  const report = await verified.catch((error: unknown) => {
    if (error instanceof NoExportError) throw new Refusal(error.message, 2);
    throw error;
  });
  printProgress("");
  printReport(report, options.json === true);
  const code = verificationExitCode(report);
  // A refusal without a message, because everything is printed already.
  if (code !== 0) throw new Refusal("", code);
}

/** Exit codes: those of `evidenceExitCode`. */
async function verifyEvidenceFile(file: string, keys: readonly PublicKey[], asJson = false): Promise<void> {
  const report = await verifyEvidence(linesIn(file), { keys }).catch((error: unknown) => {
    if (error instanceof NoExportError) throw new Refusal(error.message, 2);
    throw error;
  });
  const lines = evidenceReportText(report);
  if (asJson) printJson({ ...report, told: lines });
  else print(`${lines.join("\n")}\n`);
  const code = evidenceExitCode(report);
  if (code !== 0) throw new Refusal("", code);
}

async function firstLineOf(path: string): Promise<string> {
  for await (const text of linesIn(path)) return text;
  return "";
}

function printReport(report: VerificationReport, asJson: boolean): void {
  const text = verificationReportText(report);
  if (asJson) {
    printJson({ ...report, told: text });
    return;
  }
  const lines = ["Altered", ...text.altered, "", "Missing", ...text.missing];
  if (text.notes.length > 0) lines.push("", "To know", ...text.notes);
  for (const line of lines) print(isTitle(line) ? `${line}\n` : line === "" ? "\n" : `  ${line}\n`);
}

const isTitle = (line: string) => line === "Altered" || line === "Missing" || line === "To know";

async function keysIn(files: readonly string[]): Promise<PublicKey[]> {
  const found = await Promise.all(files.map(async (path) => ({ path, text: await textOf(path) })));
  return found.flatMap(({ path, text }) => {
    const blocks = text.match(/-----BEGIN PUBLIC KEY-----[\s\S]*?-----END PUBLIC KEY-----/g) ?? [];
    const read = blocks.map((pem) => parsePublicKey(pem));
    const good = read.filter((one) => one !== null);
    if (good.length === 0 || good.length < read.length)
      throw new Refusal(
        `${path} holds no Ed25519 public key in PEM. \`quarterdeck audit keys\` prints the right ones.`,
        2,
      );
    return good;
  });
}

async function serverKeys(file: string | undefined): Promise<PublicKey[]> {
  if (file !== undefined) throw new Refusal("Say which public key to trust: --key FILE.", 2);
  return (await ask("audit.keys", undefined, keyList)).flatMap(({ publicKey }) => parsePublicKey(publicKey) ?? []);
}

async function checkpointsIn(files: readonly string[]): Promise<Checkpoint[]> {
  const found: Checkpoint[] = [];
  for (const path of files) {
    const before = found.length;
    for (const line of (await textOf(path)).split("\n")) {
      const one = checkpointIn(line);
      if (one !== null) found.push(one);
    }
    if (found.length === before) throw new Refusal(`${path} holds no checkpoint.`, 2);
  }
  return found;
}

function checkpointIn(line: string): Checkpoint | null {
  try {
    return checkpoint.safeParse(JSON.parse(line)).data ?? null;
  } catch {
    return null;
  }
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch {
    throw new Refusal(`${path} could not be read.`, 2);
  }
}

/** One dispatch may be several megabytes long; a longer line is not from this project. */
async function* linesIn(path: string): AsyncGenerator<string> {
  const stream = createReadStream(path, { highWaterMark: 1024 * 1024 });
  try {
    yield* createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY });
  } catch (error) {
    if (error instanceof Error && "code" in error) throw new Refusal(`${path} could not be read.`, 2);
    throw error;
  }
}
