/**
 * A length of time as people read it: `0.4 ms`, `840 ms`, `1.2 s`, `3 m 10 s`, `2 h 5 m`, `4 d 3 h`.
 *
 * Units: `ms` counts milliseconds; a negative or non-finite one is the caller's missing value, written "—".
 */
export function formatDuration(ms: number): string {
  if (!Number.isFinite(ms) || ms < 0) return "—";
  if (ms === 0) return "0 ms";
  if (ms < 1) return ms < 0.05 ? "<0.1 ms" : `${trim(ms, 1)} ms`;
  if (Math.round(ms) < 1000) return `${ms < 10 ? trim(ms, 1) : Math.round(ms)} ms`;
  if (ms < 9_950) return `${trim(ms / 1000, 1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return pair(seconds, 60, "m", "s");
  const minutes = Math.round(seconds / 60);
  if (minutes < 24 * 60) return pair(minutes, 60, "h", "m");
  return pair(Math.round(minutes / 60), 24, "d", "h");
}

const trim = (value: number, digits: number): string => String(Number(value.toFixed(digits)));

function pair(total: number, per: number, big: string, small: string): string {
  const rest = total % per;
  return rest === 0 ? `${Math.floor(total / per)} ${big}` : `${Math.floor(total / per)} ${big} ${rest} ${small}`;
}
