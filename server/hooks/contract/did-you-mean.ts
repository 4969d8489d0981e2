/** ` (did you mean "stop"?)` if a known word is close to `written`; else "". */
export function didYouMean(written: string, known: readonly string[]): string {
  const best = nearestWord(written, known);
  return best === undefined ? "" : ` (did you mean "${best}"?)`;
}

/** The closest known word, if it is close enough for a typing error. */
export function nearestWord(written: string, known: readonly string[]): string | undefined {
  let best: string | undefined;
  let bestDistance = Math.floor(written.length / 3) + 1;
  for (const word of known) {
    const distance = editDistance(written.toLowerCase().replaceAll("-", "_"), word);
    if (distance < bestDistance) {
      best = word;
      bestDistance = distance;
    }
  }
  return best;
}

/** The number of letters to insert, delete or replace. Long names are not compared: they are not typing errors. */
function editDistance(a: string, b: string): number {
  if (a.length > 64) return a.length;
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
