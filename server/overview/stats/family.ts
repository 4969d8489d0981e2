/** Sessions as trees: who is whose root. */

/** The topmost stored ancestor of `id`, itself when it has none. A loop of parents ends where it began. */
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
