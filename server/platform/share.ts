/** Limits of a node as those of one of its processes: connections are spread over them, so each has its part. */
export function shareOf<Limits extends Readonly<Record<string, number>>>(limits: Limits, processes: number): Limits {
  const parts = Object.entries(limits).map(([name, max]) => [name, Math.ceil(max / processes)]);
  // Holds: the same names.
  return Object.fromEntries(parts) as Limits;
}
