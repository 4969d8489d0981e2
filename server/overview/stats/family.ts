/** Sessions as trees: their roots. */

/**
 * The topmost stored ancestor of `id`, or `id` itself without a stored parent. A cycle of parents ends at its last
 * unvisited member.
 */
export function rootOf(id: string, parents: ReadonlyMap<string, string | null>): string {
  const passed = new Set<string>();
  let at = id;
  for (;;) {
    passed.add(at);
    const parent = parents.get(at);
    if (parent === null || parent === undefined || !parents.has(parent) || passed.has(parent)) return at;
    at = parent;
  }
}
