/** An export against its proof, line by line. */
import { z } from "zod";
import type { Checkpoint, PublicKey } from "./checkpoint.ts";
import { type ExportHead, exportHead, exportLine, toDispatchRow } from "./export-lines.ts";
import { createVerifier, type VerificationReport, type Verifier, type VerifyState, verifyState } from "./verify.ts";

/** Thrown for text that is not an export, or an incomplete one, so that it cannot be verified. */
export class NoExportError extends Error {
  override readonly name = "NoExportError";
}

export interface ExportOptions {
  readonly keys: readonly PublicKey[];
  readonly outside: readonly Checkpoint[] | null;
  /** Called now and then with the number of entries read. */
  readonly onProgress?: (entries: number) => void;
}

const PROGRESS_EVERY = 50_000;

/** The check between two lines. */
export const exportCheckState = z.strictObject({
  head: exportHead.nullable(),
  at: z.number().int(),
  entries: z.number().int(),
  isEnded: z.boolean(),
  verify: verifyState.nullable(),
});
export type ExportCheckState = z.infer<typeof exportCheckState>;

/**
 * Checks an export line by line; with `saved`, it continues an earlier check. Errors: `NoExportError` with the line.
 */
export function createExportCheck(options: ExportOptions, saved?: ExportCheckState) {
  let head: ExportHead | null = saved?.head ?? null;
  let verifier: Verifier | null = head === null ? null : verifierOf(head, options, saved?.verify ?? undefined);
  let at = saved?.at ?? 0;
  let entries = saved?.entries ?? 0;
  let isEnded = saved?.isEnded ?? false;

  function take(value: unknown): void {
    if (verifier === null) {
      head = headOf(value, at);
      verifier = verifierOf(head, options);
      return;
    }
    const line = exportLine.safeParse(value).data;
    if (!line) throw new NoExportError(`Line ${at} is none that an export has.`);
    if (isEnded) throw new NoExportError(`Line ${at} stands behind the end of the export.`);
    if (line.type === "entry") {
      const { type: _, names, ...entry } = line;
      verifier.entry(entry, names);
      entries += 1;
      if (entries % PROGRESS_EVERY === 0) options.onProgress?.(entries);
    } else if (line.type === "dispatch") verifier.row(toDispatchRow(line));
    else if (line.type === "held") verifier.row(line);
    else if (line.type === "checkpoint") verifier.inside(line);
    else if (line.type === "end") {
      isEnded = true;
      verifier.head(line.seq, line.hash);
    }
  }

  return {
    line(text: string): void {
      at += 1;
      if (text !== "") take(parsed(text, at));
    },
    /** A line that was parsed already. */
    value(value: unknown): void {
      at += 1;
      take(value);
    },
    entries: () => entries,
    /** Between a batch and the next entry. */
    save: (): ExportCheckState => ({ head, at, entries, isEnded, verify: verifier?.save() ?? null }),
    end(): VerificationReport {
      if (verifier === null) throw new NoExportError("The file is empty.");
      if (!isEnded)
        throw new NoExportError(`The file breaks off after line ${at}: the export was not finished, or it was cut.`);
      return verifier.end();
    },
  };
}

/** Errors: `NoExportError` with the line. */
export async function verifyExport(lines: AsyncIterable<string>, options: ExportOptions): Promise<VerificationReport> {
  const check = createExportCheck(options);
  for await (const text of lines) check.line(text);
  return check.end();
}

function headOf(value: unknown, at: number): ExportHead {
  const head = exportHead.safeParse(value).data;
  if (!head) throw new NoExportError(`Line ${at} does not begin an export of this version.`);
  return head;
}

function verifierOf(
  { workspace, from, previous, dispatches, picked = false }: ExportHead,
  { keys, outside }: ExportOptions,
  saved?: VerifyState,
): Verifier {
  const given = picked ? "picked" : dispatches ? "all" : "none";
  return createVerifier({ workspace, from, previous, keys, outside, dispatches: given }, saved);
}

function parsed(text: string, at: number): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new NoExportError(`Line ${at} is no JSON.`);
  }
}
