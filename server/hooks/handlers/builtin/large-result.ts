/** The part of a large tool result that the model sees, with a notice about the rest. */
import type { HookInput } from "../../contract/input.ts";
import { firstBytesAsText, lastBytesAsText } from "./cut-utf8.ts";

export const BYTES_MAX = 50 * 1024;
export const LINES_MAX = 2_000;

/** The separator between the state and the output of a background job. */
const JOB_OUTPUT = "--- Output ---\n";
const JOB_LINE_BYTES_MAX = 512;
const JOB_HEAD_BYTES_MAX = BYTES_MAX / 4;
/** The notice leaves at least half of the space to the result. */
const NOTICE_BYTES_MAX = BYTES_MAX / 2;

type Call = Pick<HookInput, "tool_category" | "tool_name" | "tool_input">;

export function isTooLarge(text: string): boolean {
  return Buffer.byteLength(text) > BYTES_MAX || startOfLastLines(text) > 0;
}

/**
 * The notice and a part of the result, 51 200 bytes together. For a file read, the part is the first lines, because the tool can
 * continue from there; otherwise the last. Without a `path`, the whole result was not saved.
 */
export function shortenWithin(text: string, call: Call, path: string | undefined): string {
  const readsFile = call.tool_category === "filesystem" && call.tool_name === "read_file";
  const isLong = Buffer.byteLength(text) > BYTES_MAX;
  if (path !== undefined) {
    const notice = `${sizeNotice(text)} The full result is available in a file: ${path}\n\n`;
    return readsFile ? headThatFits(text, notice, call) : tail(text, call, notice);
  }
  if (!isLong) return tail(text, call, "The full result could not be saved.\n\n");
  const advice = "The full result could not be saved; narrow the tool query to retrieve the part you need.";
  const notice = `${sizeNotice(text)} ${advice}\n\n`;
  if (!readsFile) return tail(text, call, notice);
  return beginning(`${notice}Showing the beginning of the result:\n\n`, text);
}

function sizeNotice(text: string): string {
  const bytes = Buffer.byteLength(text);
  const size =
    bytes > BYTES_MAX
      ? `${bytes} bytes; limit ${BYTES_MAX} bytes`
      : `${lineCount(text)} lines; limit ${LINES_MAX} lines`;
  return `Tool call result was too large (${size}).`;
}

function tail(text: string, { tool_category }: Call, notice: string): string {
  const room = `Showing the last ${LINES_MAX} lines (up to ${BYTES_MAX} bytes, including this notice):\n\n`;
  const head = tool_category === "background_jobs" ? jobHead(text, Buffer.byteLength(notice)) : "";
  const prefix = firstBytesAsText(Buffer.from(`${notice}${head}${room}`), NOTICE_BYTES_MAX);
  const rest = Buffer.from(text.slice(startOfLastLines(text)));
  return prefix + lastBytesAsText(rest, BYTES_MAX - Buffer.byteLength(prefix));
}

/** The state of a background job. Each line is truncated, and excess lines at the end are left out. */
function jobHead(text: string, bytesBefore: number): string {
  const end = text.indexOf(JOB_OUTPUT);
  if (end === -1) return "";
  let head = "";
  let bytes = bytesBefore;
  for (let from = 0; from <= end && bytes <= JOB_HEAD_BYTES_MAX; ) {
    const newline = text.indexOf("\n", from);
    const to = newline === -1 || newline > end ? end : newline;
    const line = `${firstBytesAsText(Buffer.from(text.slice(from, Math.min(to, from + JOB_LINE_BYTES_MAX))), JOB_LINE_BYTES_MAX)}\n`;
    head += line;
    bytes += Buffer.byteLength(line);
    from = to + 1;
  }
  return head;
}

/** The first lines after a notice that explains how to continue. The notice contains their count, so it is rewritten until both fit. */
function headThatFits(text: string, notice: string, call: Call): string {
  let head = firstBytesAsText(Buffer.from(text.slice(0, endOfFirstLines(text))), BYTES_MAX);
  for (;;) {
    const whole = `${notice}${readingOn(head, call)}\n\n${head}`;
    const over = Buffer.byteLength(whole) - BYTES_MAX;
    if (over <= 0) return whole;
    if (head === "") return firstBytesAsText(Buffer.from(whole), NOTICE_BYTES_MAX);
    const bytes = Buffer.from(head);
    head = firstBytesAsText(bytes, Math.max(0, bytes.length - over));
  }
}

function readingOn(head: string, { tool_input }: Call): string {
  const bytes = Buffer.byteLength(head);
  const lineEnds = countLineEnds(head);
  if (lineEnds === 0) {
    return `Showing the first ${bytes} bytes. The first line of this result alone exceeds the excerpt limit, so the line and limit arguments of read_file cannot advance within it, and reading the file above with read_file would be cut the same way. To read further, use a tool that reads ranges of bytes, a shell command for example, on that file:`;
  }
  const next = startLine(tool_input?.line) + lineEnds;
  return `Showing the first ${lineCount(head)} lines (up to ${bytes} bytes). To continue reading, call read_file again with the same path plus "line": ${next} (1-based start line) and a "limit" (maximum number of lines):`;
}

/** The requested start line; 1 unless it is a number from 1. */
function startLine(line: unknown): number {
  return typeof line === "number" && line >= 1 && line <= Number.MAX_SAFE_INTEGER ? Math.floor(line) : 1;
}

function beginning(notice: string, text: string): string {
  const prefix = firstBytesAsText(Buffer.from(notice), NOTICE_BYTES_MAX);
  return prefix + firstBytesAsText(Buffer.from(text), BYTES_MAX - Buffer.byteLength(prefix));
}

/** A last line without a newline counts. */
function lineCount(text: string): number {
  if (text === "") return 0;
  return countLineEnds(text) + (text.endsWith("\n") ? 0 : 1);
}

function countLineEnds(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}

function endOfFirstLines(text: string): number {
  let at = -1;
  for (let lines = 0; lines < LINES_MAX; lines++) {
    at = text.indexOf("\n", at + 1);
    if (at === -1) return text.length;
  }
  return at + 1;
}

/** The start of the last 2000 lines; 0 if there are no more. A last line without a newline counts. */
export function startOfLastLines(text: string): number {
  let at = text.endsWith("\n") ? text.length - 1 : text.length;
  for (let lines = 0; lines < LINES_MAX; lines++) {
    if (at === 0) return 0;
    at = text.lastIndexOf("\n", at - 1);
    if (at === -1) return 0;
  }
  return at + 1;
}
