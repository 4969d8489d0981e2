/** Pairs the hooks of two texts: by the same name, else by equality, else by similarity. */
import type { HookDefinition } from "../hook.ts";
import type { Guard } from "./guard.ts";

export interface Pairs {
  readonly pairs: readonly (readonly [before: Guard, after: Guard])[];
  readonly removed: readonly Guard[];
  readonly added: readonly Guard[];
}

/** Above this number of comparisons, only equal names and equal hooks are paired. A rewritten text is then shown as such. */
const COMPARISONS_MAX = 40_000;
const ALIKE_MIN = 0.5;

export function pairHooks(before: readonly Guard[], after: readonly Guard[]): Pairs {
  const pairs: [Guard, Guard][] = [];
  let left = { before: [...before], after: [...after] };
  const pairBy = (keyOf: (guard: Guard) => string | null) => {
    const waiting = new Map<string, Guard[]>();
    for (const guard of left.after) {
      const key = keyOf(guard);
      if (key !== null) waiting.set(key, [...(waiting.get(key) ?? []), guard]);
    }
    const taken = new Set<Guard>();
    for (const guard of left.before) {
      const match = waiting.get(keyOf(guard) ?? "")?.shift();
      if (!match) continue;
      pairs.push([guard, match]);
      taken.add(guard).add(match);
    }
    const isLeft = (guard: Guard) => !taken.has(guard);
    left = { before: left.before.filter(isLeft), after: left.after.filter(isLeft) };
  };
  const nameOf = ({ hook }: Guard) => hook.name || null;
  pairBy(({ identity }) => identity);
  pairBy((guard) => nameOf(guard) && JSON.stringify([guard.event, guard.preempt, guard.matcher, nameOf(guard)]));
  pairBy((guard) => nameOf(guard) && JSON.stringify([guard.event, nameOf(guard)]));
  pairBy((guard) => nameOf(guard) && JSON.stringify([nameOf(guard)]));
  pairBy(({ event, hook }) => JSON.stringify([event, ...runOf(hook)]));
  pairBy(({ hook }) => JSON.stringify(runOf(hook)));
  const alike = mostAlike(left.before, left.after);
  const found = new Set(alike.flat());
  return {
    pairs: [...pairs, ...alike],
    removed: left.before.filter((guard) => !found.has(guard)),
    added: left.after.filter((guard) => !found.has(guard)),
  };
}

/** The part of a hook that defines what it runs. */
const runOf = ({ type, command, args, prompt, rules }: HookDefinition) => [
  ...[type, command, args, prompt],
  ...(rules ? [rules] : []),
];

/** Pairs with at least half of their words in common, most similar first. A hook with another name is another hook. */
function mostAlike(before: readonly Guard[], after: readonly Guard[]): [Guard, Guard][] {
  if (before.length * after.length > COMPARISONS_MAX) return [];
  const words = new Map([...before, ...after].map((guard) => [guard, wordsOf(guard)]));
  const candidates = before.flatMap((one) =>
    after.flatMap((other) => {
      const isSameKind = one.hook.type === other.hook.type && one.event === other.event;
      if (!isSameKind || (one.hook.name && other.hook.name)) return [];
      const score = likeness(words.get(one) ?? new Set(), words.get(other) ?? new Set());
      return score >= ALIKE_MIN ? [{ one, other, score }] : [];
    }),
  );
  const taken = new Set<Guard>();
  const pairs: [Guard, Guard][] = [];
  for (const { one, other } of candidates.sort((a, b) => b.score - a.score)) {
    if (taken.has(one) || taken.has(other)) continue;
    taken.add(one).add(other);
    pairs.push([one, other]);
  }
  return pairs;
}

function wordsOf({ hook }: Guard): ReadonlySet<string> {
  const rules = hook.rules ? JSON.stringify(hook.rules) : undefined;
  const text = [hook.command, ...(hook.args ?? []), hook.prompt, rules].join(" ").slice(0, 8_192);
  return new Set(text.split(/[^\w.-]+/).filter((word) => word !== ""));
}

function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 || b.size === 0) return 0;
  let shared = 0;
  for (const word of a) if (b.has(word)) shared += 1;
  return (2 * shared) / (a.size + b.size);
}
