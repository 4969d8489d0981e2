/**
 * The only output of every verb. Agents, authors and servers choose parts of the text, so characters that control a
 * terminal or reverse its text are replaced: by spaces in sentences, and by escapes in JSON.
 */
import { plainJson, plainText } from "../platform/plain-line.ts";

export function print(text: string): void {
  process.stdout.write(plainText(text));
}

export function printError(text: string): void {
  process.stderr.write(plainText(text));
}

export function printJson(value: unknown): void {
  process.stdout.write(`${plainJson(JSON.stringify(value, null, 2))}\n`);
}

/** Text that a file takes byte by byte, such as an export: whole, but for a terminal. False: wait for `drain`. */
export const printExact = (text: string): boolean =>
  process.stdout.write(process.stdout.isTTY ? plainText(text) : text);

/** JSON lines, written byte for byte, because hashes cover the values. */
export const printExactJson = (lines: string): boolean =>
  process.stdout.write(process.stdout.isTTY ? plainJson(lines) : lines);

/** A progress line that replaces the previous one on a terminal. */
export function printProgress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${plainText(text)}`);
}
