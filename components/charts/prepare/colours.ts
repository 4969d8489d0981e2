/**
 * A colour for each series name. The colour is derived from the name, so it is the same on every page and after every
 * reload. If two names get the same colour, the second in the alphabet takes the next free one.
 */

const SLOTS = 12;

export const otherColour = "var(--series-other)";

/** FNV-1a: tiny, and spreads short names well. */
function slotOf(name: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < name.length; at++) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193);
  return (hash >>> 0) % SLOTS;
}

/** CSS colours by name. `fixed` names keep theirs: verdicts have their own tones. */
export function assignColours(
  names: readonly string[],
  fixed: Readonly<Record<string, string>> = {},
): ReadonlyMap<string, string> {
  const taken = new Set<number>();
  const colours = new Map<string, string>();
  for (const name of [...new Set(names)].sort()) {
    const given = fixed[name];
    if (given !== undefined) {
      colours.set(name, given);
      continue;
    }
    let slot = slotOf(name);
    while (taken.has(slot) && taken.size < SLOTS) slot = (slot + 1) % SLOTS;
    taken.add(slot);
    colours.set(name, `var(--series-${slot + 1})`);
  }
  return colours;
}
