/**
 * The text without white space at both ends, as Go's `strings.TrimSpace` sees white space: U+0085 is, U+FEFF is not.
 * JavaScript's own `trim` has it the other way round on both.
 */
export function goTrim(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isSpace(text.charCodeAt(start))) start++;
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

function isSpace(code: number): boolean {
  if (code < 0x80) return code === 0x20 || (code >= 0x09 && code <= 0x0d);
  return (code >= 0x2000 && code <= 0x200a) || RARE.has(code);
}
const RARE = new Set([0x85, 0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000]);
