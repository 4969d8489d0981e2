const MINUTE = 60_000;
const UNITS = [
  [24 * 60 * MINUTE, "day"],
  [60 * MINUTE, "hour"],
  [MINUTE, "minute"],
] as const;

/** The length of time of one bar: "minute", "5 minutes", "hour". */
export function barDurationText(bucketMs: number): string {
  const [size, word] = UNITS.find(([size]) => bucketMs % size === 0) ?? [MINUTE, "minute"];
  return bucketMs === size ? word : `${bucketMs / size} ${word}s`;
}
