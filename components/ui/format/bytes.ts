/** A size: `312 B`, `4.1 KiB`, `2 MiB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  let value = bytes;
  for (const unit of ["KiB", "MiB", "GiB"]) {
    value /= 1024;
    if (value < 1024 || unit === "GiB") return `${Number(value.toFixed(value < 100 ? 1 : 0))} ${unit}`;
  }
  return `${bytes} B`;
}
