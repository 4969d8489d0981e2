/**
 * Latencies as counts in buckets that grow by a constant factor, so that the counts of two time spans can be added, and
 * a percentile read from the sum is off by no more than half a bucket.
 *
 * Bucket n holds latencies from 2^(n/4) to 2^((n+1)/4) microseconds. A percentile is reported as its bucket's geometric
 * mean: within 2^(1/8), 9.1 %, of the exact value.
 */

/** No bucket: it was not started, or did not end by itself. */
export const NO_LATENCY = -1;
const PER_DOUBLING = 4;
/** Some 15 hours: beyond any hook's time limit. */
const BUCKET_MAX = 143;
/** The largest error of a percentile, as a factor. */
export const LATENCY_ERROR = 2 ** (1 / (2 * PER_DOUBLING));

/** Less than a microsecond is one. */
export function latencyBucket(ms: number): number {
  const us = Math.max(ms * 1_000, 1);
  return Math.min(Math.floor(PER_DOUBLING * Math.log2(us)), BUCKET_MAX);
}

/** The middle of a bucket, in milliseconds. */
export const latencyOfBucket = (bucket: number): number => 2 ** ((bucket + 0.5) / PER_DOUBLING) / 1_000;

export interface LatencyCount {
  readonly bucket: number;
  readonly count: number;
}

/** The latency that `share` of the counted stayed within, by nearest rank; null when none was counted. */
export function latencyPercentile(counts: readonly LatencyCount[], share: number): number | null {
  const measured = counts.filter(({ bucket }) => bucket !== NO_LATENCY).toSorted((a, b) => a.bucket - b.bucket);
  const total = measured.reduce((sum, { count }) => sum + count, 0);
  if (total === 0) return null;
  const rank = Math.max(1, Math.ceil(share * total));
  let seen = 0;
  for (const { bucket, count } of measured) {
    seen += count;
    if (seen >= rank) return latencyOfBucket(bucket);
  }
  return null;
}
