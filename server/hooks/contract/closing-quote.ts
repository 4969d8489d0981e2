/** Returns the index of the quote that closes the JSON string opened at `open`, or the length of the text if the string is not closed. */
export function closingQuote(json: string, open: number): number {
  let quote = json.indexOf('"', open + 1);
  while (quote !== -1 && isEscaped(json, quote)) quote = json.indexOf('"', quote + 1);
  return quote === -1 ? json.length : quote;
}

function isEscaped(json: string, at: number): boolean {
  let backslashes = 0;
  while (json.charCodeAt(at - 1 - backslashes) === 0x5c) backslashes += 1;
  return backslashes % 2 === 1;
}
