/**
 * The only way out for the words of every verb. Agents, authors and servers choose parts of them, so characters that act on a terminal or
 * turn its text around do not get through: they become blanks in sentences, and escapes in JSON.
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

/** JSON lines that a file takes byte by byte: the hashes are those of the values. */
export const printExactJson = (lines: string): boolean =>
  process.stdout.write(process.stdout.isTTY ? plainJson(lines) : lines);

/** One line that takes the place of the last one, where a person looks on. */
export function printProgress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${plainText(text)}`);
}
