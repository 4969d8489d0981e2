/** Divides the limits of a node by its processes: connections are spread over them. */
export function shareOf<Limits extends { readonly [Name in keyof Limits]: number }>(
  limits: Limits,
  processes: number,
): Limits {
  const parts = Object.entries<number>(limits).map(([name, max]) => [name, Math.ceil(max / processes)]);
  // Holds: the same names.
  return Object.fromEntries(parts) as Limits;
}
