const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

const BEGINS = 4;
const WORD_BEGINS = 3;
const HOLDS = 2;
const KEYWORD = 1;
const NO_MATCH = 0;

/**
 * The rank of an item for a text, 0 for no match. From the best: the label begins with the text; each typed word begins
 * a word of the label; the label contains the text; each word begins a word of the label or of the keywords. Scattered
 * letters never match.
 */
export function rankOf(text: string, label: string, keywords: readonly string[] = []): number {
  const wanted = text.trim().toLowerCase();
  const typed = wordsOf(wanted);
  if (typed.length === 0) return wanted === "" ? BEGINS : NO_MATCH;
  const name = label.toLowerCase();
  if (name.startsWith(wanted)) return BEGINS;
  const isBegun = (words: readonly string[]) => typed.every((one) => words.some((word) => word.startsWith(one)));
  const own = wordsOf(label);
  if (isBegun(own)) return WORD_BEGINS;
  if (name.includes(wanted)) return HOLDS;
  return isBegun([...own, ...keywords.flatMap(wordsOf)]) ? KEYWORD : NO_MATCH;
}

/** The matching items, the best first; equal ones keep their order. */
export function matching<Item>(
  text: string,
  items: readonly Item[],
  read: (item: Item) => { label: string; keywords?: readonly string[] | undefined },
): Item[] {
  return items
    .map((item) => {
      const { label, keywords } = read(item);
      return { item, rank: rankOf(text, label, keywords) };
    })
    .filter(({ rank }) => rank > NO_MATCH)
    .sort((a, b) => b.rank - a.rank)
    .map(({ item }) => item);
}
