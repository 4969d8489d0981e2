/** A duration in docker-agent's format: `500ms`, `1s`, `1m30s`, `1h0m0s`. */
export function goDuration(ms: number): string {
  if (ms < 1_000) return `${ms}ms`;
  const seconds = ms / 1_000;
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  const rest = `${seconds % 60}s`;
  if (hours > 0) return `${hours}h${minutes % 60}m${rest}`;
  return minutes > 0 ? `${minutes}m${rest}` : rest;
}
