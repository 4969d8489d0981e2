/** An export against its proof, line by line. */
import type { Checkpoint, PublicKey } from "./checkpoint.ts";
import { type ExportHead, exportHead, exportLine, heldRow } from "./export-lines.ts";
import { createVerifier, type Report, type Verifier } from "./verify.ts";

/** What is no export, or no whole one: it cannot be judged. */
export class NoExportError extends Error {
  override readonly name = "NoExportError";
}

export interface ExportOptions {
  readonly keys: readonly PublicKey[];
  readonly outside: readonly Checkpoint[] | null;
  /** Told now and then how many entries were read. */
  readonly onProgress?: (entries: number) => void;
}

const PROGRESS_EVERY = 50_000;

/** Errors: `NoExportError` with the line. */
export async function verifyExport(lines: AsyncIterable<string>, options: ExportOptions): Promise<Report> {
  let verifier: Verifier | null = null;
  let at = 0;
  let entries = 0;
  let isEnded = false;
  for await (const text of lines) {
    at += 1;
    if (text === "") continue;
    const value = parsed(text, at);
    if (verifier === null) {
      verifier = begin(value, at, options);
      continue;
    }
    const line = exportLine.safeParse(value).data;
    if (!line) throw new NoExportError(`Line ${at} is none that an export has.`);
    if (line.type === "entry") {
      verifier.entry(line);
      entries += 1;
      if (entries % PROGRESS_EVERY === 0) options.onProgress?.(entries);
    } else if (line.type === "dispatch") verifier.row(heldRow(line));
    else if (line.type === "held") verifier.row(line);
    else if (line.type === "checkpoint") verifier.inside(line);
    else if (line.type === "end") {
      isEnded = true;
      verifier.head(line.seq, line.hash);
    }
  }
  if (verifier === null) throw new NoExportError("The file is empty.");
  if (!isEnded)
    throw new NoExportError(`The file breaks off after line ${at}: the export was not finished, or it was cut.`);
  return verifier.end();
}

function begin(value: unknown, at: number, { keys, outside }: ExportOptions): Verifier {
  const head: ExportHead | undefined = exportHead.safeParse(value).data;
  if (!head) throw new NoExportError(`Line ${at} does not begin an export of this version.`);
  const { workspace, from, previous, dispatches } = head;
  return createVerifier({ workspace, from, previous, keys, outside, dispatches: dispatches ? "all" : "none" });
}

function parsed(text: string, at: number): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new NoExportError(`Line ${at} is no JSON.`);
  }
}
