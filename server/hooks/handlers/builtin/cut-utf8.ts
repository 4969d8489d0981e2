/** Truncates UTF-8 by bytes without splitting a character. */

/** The longest prefix of at most `bytesMax` bytes, as text. */
export function firstBytesAsText(bytes: Buffer, bytesMax: number): string {
  let end = Math.min(bytes.length, bytesMax);
  while (end > 0 && isContinuation(bytes[end])) end--;
  return bytes.toString("utf8", 0, end);
}

/** The longest suffix of at most `bytesMax` bytes, as text. */
export function lastBytesAsText(bytes: Buffer, bytesMax: number): string {
  if (bytes.length <= bytesMax) return bytes.toString("utf8");
  let start = bytes.length - bytesMax;
  while (start < bytes.length && isContinuation(bytes[start])) start++;
  return bytes.toString("utf8", start);
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
