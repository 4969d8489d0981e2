/** `stream tail`: events of the record as lines for a pipe, from a place that a file may keep. */
import { readFile, rename, writeFile } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import { EVENT_KIND_NAMES, type Position, position, type TailPage, tailPage } from "../streams/schema.ts";
import { printExactJson } from "./print.ts";
import { Refusal } from "./refusal.ts";
import { ask } from "./server.ts";

export interface TailOptions {
  readonly kind: readonly string[];
  readonly format: string;
  readonly masking: string;
  readonly cursor?: string;
  readonly from?: string;
  readonly once: boolean;
}

const POLL_MS = 1_000;

/** Prints events until it is interrupted, or until the end of the record. A line is printed before its place is kept. */
export async function tail({ kind, format, masking, cursor, from, once }: TailOptions): Promise<void> {
  const kinds = kind.length === 0 ? EVENT_KIND_NAMES : kind;
  let after = (await readCursor(cursor)) ?? placeOf(from);
  for (;;) {
    const page: TailPage = await ask("streams.tail", { after, kinds, format, masking }, tailPage);
    for (const line of page.lines)
      if (!printExactJson(`${line}\n`)) await new Promise((resolve) => process.stdout.once("drain", resolve));
    if (cursor !== undefined) await keepCursor(cursor, page.after);
    after = page.after;
    if (once && !page.isMore) return;
    if (!page.isMore) await setTimeout(POLL_MS);
  }
}

/** Null: the next event. Errors: a `Refusal`. */
function placeOf(text: string | undefined): Position | null {
  if (text === undefined) return null;
  if (text === "start") return { seq: 0, place: 0 };
  const [, seq, place] = /^(\d{1,15})\.(\d{1,9})$/.exec(text) ?? [];
  if (seq === undefined || place === undefined) throw new Refusal("Give start, or a place such as 1042.3.", 2);
  return { seq: Number(seq), place: Number(place) };
}

/** Null when there is no such file yet. Errors: a `Refusal` for a file with other contents. */
async function readCursor(file: string | undefined): Promise<Position | null> {
  if (file === undefined) return null;
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (text === null) return null;
  try {
    return position.parse(JSON.parse(text));
  } catch {
    throw new Refusal(`${file} does not hold a place in the record. Remove it to begin anew.`);
  }
}

/** Replaced whole: an interruption leaves the former place. */
async function keepCursor(file: string, at: Position): Promise<void> {
  await writeFile(`${file}.new`, `${JSON.stringify(at)}\n`);
  await rename(`${file}.new`, file);
}
