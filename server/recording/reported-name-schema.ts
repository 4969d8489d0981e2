/** Names of agents in events: the enrolled name, followed by the unverified name of an inner agent, if any. */

const SEPARATOR = " / ";

/** `ci-docker / root` for the inner agent `root` of `ci-docker`. An enrolled name has no slash. */
export const reportedName = (enrolled: string, inner: string): string => `${enrolled}${SEPARATOR}${inner}`;

/** The names by which a filter finds an event: its own, and that of the enrolled agent. */
export function filterNamesOf(name: string): string[] {
  const end = name.indexOf(SEPARATOR);
  return end > 0 ? [name, name.slice(0, end)] : [name];
}

/** The number of events that a filter by each name finds, the highest first. */
export function countFilterNames(
  lines: readonly { name: string; count: number }[],
): { value: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const { name, count } of lines)
    for (const one of filterNamesOf(name)) counts.set(one, (counts.get(one) ?? 0) + count);
  return [...counts].map(([value, count]) => ({ value, count })).sort((a, b) => b.count - a.count);
}
