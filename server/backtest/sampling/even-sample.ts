/** An even sample of calls whose number is not known in advance: every n-th call is kept, and n doubles as calls arrive. Pure. */

/** The distance between kept calls after `seen` calls: the smallest power of 2 that keeps at most twice the wanted number. */
export function strideOf(seen: number, wanted: number): number {
  let stride = 1;
  while (Math.ceil(seen / stride) > 2 * wanted) stride *= 2;
  return stride;
}

/** At most `wanted` items, at even distances. */
export function pickEvenly<T>(items: readonly T[], wanted: number): T[] {
  if (items.length <= wanted) return [...items];
  return Array.from({ length: wanted }, (_, at) => items[Math.floor((at * items.length) / wanted)]).filter(
    (item) => item !== undefined,
  );
}
