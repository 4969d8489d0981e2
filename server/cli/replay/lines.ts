/** Session files as events, one line at a time: a file of any size is never in memory. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { z } from "zod";
import { memberSources } from "../../recording/index.ts";
import { Refusal } from "../refusal.ts";

/** A longer line is not an event: the server accepts 4 MiB. */
const LINE_BYTES_MAX = 16 * 1024 * 1024;

const sessionLine = z.looseObject({
  event: z.string().min(1),
  at_ms: z.number().min(0),
  input: z.looseObject({}),
});

export interface SessionLine {
  /** FILE:LINE, for messages. */
  readonly place: string;
  readonly event: string;
  readonly atMs: number;
  /** The first 128 bits of the line's sha256, as a UUID: the same line is the same event, whenever it is sent. */
  readonly eventId: string;
  /** The input's original text, not serialised again, so that numbers keep their digits. */
  readonly inputText: string;
}
export interface BadLine {
  readonly place: string;
  readonly problem: string;
}

/** The lines of `file` in their order. Errors: a `Refusal` when it cannot be read. */
export async function* sessionLines(file: string): AsyncGenerator<SessionLine | BadLine> {
  let number = 0;
  for await (const bytes of rawLines(file)) {
    number += 1;
    if (bytes.length > 0) yield readLine(bytes, `${file}:${number}`);
  }
}

function readLine(bytes: Buffer, place: string): SessionLine | BadLine {
  const text = bytes.toString("utf8");
  try {
    const { event, at_ms } = sessionLine.parse(JSON.parse(text));
    const inputText = memberSources(text).get("input") ?? "{}";
    return { place, event, atMs: at_ms, eventId: eventIdOf(bytes), inputText };
  } catch {
    return { place, problem: "This line is no session event: it needs event, at_ms and input." };
  }
}

function eventIdOf(line: Buffer): string {
  const hex = createHash("sha256").update(line).digest("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join("-");
}

/** Splits only at line feeds: other line ends may occur in JSON strings. */
async function* rawLines(file: string): AsyncGenerator<Buffer> {
  let rest: Buffer[] = [];
  let restBytes = 0;
  try {
    for await (const chunk of createReadStream(file, { highWaterMark: 256 * 1024 }) as AsyncIterable<Buffer>) {
      let from = 0;
      for (let to = chunk.indexOf(10); to !== -1; to = chunk.indexOf(10, from)) {
        yield Buffer.concat([...rest, chunk.subarray(from, to)]);
        rest = [];
        restBytes = 0;
        from = to + 1;
      }
      rest.push(chunk.subarray(from));
      restBytes += chunk.length - from;
      if (restBytes > LINE_BYTES_MAX) throw new Refusal(`${file} has a line of more than 16 MiB: no session file.`);
    }
  } catch (error) {
    if (error instanceof Refusal) throw error;
    const why = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
    throw new Refusal(`${file} cannot be read${why}.`);
  }
  if (restBytes > 0) yield Buffer.concat(rest);
}
