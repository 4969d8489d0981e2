/**
 * Verifies the audit record of the running server range by range, with the caller's keys and checkpoints. The position
 * is kept in a file if one is named, so that an interrupted verification continues there.
 */
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { z } from "zod";
import type { VerificationReport } from "../audit/verify.ts";
import { createExportCheck, type ExportOptions, exportCheckState } from "../audit/verify-export.ts";
import { exportPage } from "../record/schema.ts";
import { printError, printProgress } from "./print.ts";
import { Refusal } from "./refusal.ts";
import { ask } from "./server.ts";

/** The number of entries between two progress lines without a terminal. */
const SAY_EVERY = 50_000;

const saved = z.strictObject({
  version: z.literal(1),
  next: exportPage.shape.next,
  total: z.number().nullable(),
  check: exportCheckState,
});

/** `resume`: a file that is made, kept up to date after each range, and removed with the result. */
export async function verifyServer(options: ExportOptions, resume: string | undefined): Promise<VerificationReport> {
  const before = resume === undefined ? null : await placeIn(resume);
  const check = createExportCheck(options, before?.check);
  const take = (text: string) => {
    for (const line of text.split("\n")) check.line(line);
  };
  let next = before?.next ?? null;
  let total = before?.total ?? null;
  if (before === null) {
    const first = await ask("audit.startExport", { dispatches: "leaves" }, exportPage);
    take(first.text);
    ({ next, total } = first);
  } else printError(`Goes on after ${counted(check.entries())} entries.\n`);
  const say = createProgress();
  while (next !== null) {
    const page: z.infer<typeof exportPage> = await ask(
      "audit.exportPage",
      { ...next, dispatches: "leaves", isWhole: true },
      exportPage,
    );
    take(page.text);
    next = page.next;
    say(check.entries(), total, dayOf(next?.strays?.at));
    if (resume !== undefined && next !== null)
      await write(resume, JSON.stringify({ version: 1, next, total, check: check.save() }));
  }
  const report = check.end();
  if (resume !== undefined) await rm(resume, { force: true });
  return report;
}

const counted = (count: number): string => count.toLocaleString("en-US");
const dayOf = (at: string | undefined): string | null => (at?.startsWith("2") ? at.slice(0, 10) : null);

function createProgress() {
  let said = 0;
  return (entries: number, total: number | null, day: string | null): void => {
    const of = total === null ? "" : ` of ${counted(total)}`;
    const text = `${counted(entries)}${of} entries${day === null ? "" : `, dispatches of ${day}`}`;
    if (process.stderr.isTTY) printProgress(text);
    else if (entries - said >= SAY_EVERY || (entries === total && said < entries)) {
      printError(`${text}\n`);
      said = entries;
    }
  };
}

async function placeIn(path: string): Promise<z.infer<typeof saved> | null> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw new Refusal(`${path} could not be read.`, 2);
  }
  const place = saved.safeParse(parsed(text)).data;
  if (!place) throw new Refusal(`${path} holds no place of a verification. Name a file that is not there yet.`, 2);
  return place;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** All of it or nothing, whenever it is interrupted. */
async function write(path: string, text: string): Promise<void> {
  const fresh = `${path}.${process.pid}`;
  try {
    await writeFile(fresh, text, { mode: 0o600 });
    await rename(fresh, path);
  } catch {
    throw new Refusal(`${path} could not be written.`, 2);
  }
}
