/** Limits of a node as those of one of its processes: connections are spread over them, so each has its part. */
export function shareOf<Limits extends { readonly [Name in keyof Limits]: number }>(
  limits: Limits,
  processes: number,
): Limits {
  const parts = Object.entries<number>(limits).map(([name, max]) => [name, Math.ceil(max / processes)]);
  // Holds: the same names.
  return Object.fromEntries(parts) as Limits;
}
