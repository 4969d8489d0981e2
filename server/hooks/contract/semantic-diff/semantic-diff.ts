/**
 * Describes the differences between two hooks blocks in sentences. Also runs in a browser. Compares hooks, not text: comments, the
 * order of keys and the grouping of a list into entries do not count. Everything else does.
 */
import type { Profile } from "../events.ts";
import type { HooksConfig } from "../hook.ts";
import { describeMatcherChange, type MatcherChange } from "./describe-matcher-change.ts";
import { diffHookFields, isGateEvent } from "./diff-hook-fields.ts";
import type { FieldChange } from "./field-change.ts";
import { type Guard, guardLabel, listGuards } from "./guard.ts";
import { longestRise } from "./longest-rise.ts";
import { pairHooks } from "./pair-hooks.ts";
import { profileEffects } from "./profile-effects.ts";

export interface Change {
  readonly kind: "added" | "removed" | "moved" | "profile" | MatcherChange["kind"] | FieldChange["kind"];
  /** Undefined for a change of the whole policy. */
  readonly event?: string;
  readonly sentence: string;
  /** True if it weakens a gate, so a blocked call may pass. */
  readonly mayLoosen: boolean;
  readonly texts?: { readonly before: string; readonly after: string };
}

export interface Meant {
  readonly hooks: HooksConfig;
  readonly profile: Profile;
}

/** Every difference: first those of the whole policy, then by event. `tools` are names to test matchers with. */
export function diffHooksBlocks(before: Meant, after: Meant, tools: readonly string[] = []): Change[] {
  const { pairs, removed, added } = pairHooks(listGuards(before.hooks), listGuards(after.hooks));
  const profile: Change[] =
    before.profile === after.profile
      ? []
      : [
          {
            kind: "profile",
            sentence: `The policy follows docker-agent ${after.profile} instead of ${before.profile}.`,
            mayLoosen: after.profile < before.profile,
          },
        ];
  const gate = ({ event }: Guard) => isGateEvent(event, after.profile);
  const changes = [
    ...removed.map((guard) =>
      about(guard, "removed", `${guardLabel(guard)} is removed from ${where(guard)}`, gate(guard)),
    ),
    ...added.map((guard) => about(guard, "added", `${guardLabel(guard)} is added to ${where(guard)}`, false)),
    ...pairs.flatMap((pair) => pairChanges(pair, gate(pair[0]), tools)),
    ...pairs.flatMap(([guard, { hook }]) =>
      profileEffects(guard.event, hook, before.profile, after.profile).map(({ says, mayLoosen }) =>
        about(guard, "profile", `${guardLabel(guard)} ${says}`, mayLoosen),
      ),
    ),
    ...movedChanges(pairs),
  ];
  const events = [...new Set([...Object.keys(after.hooks), ...Object.keys(before.hooks)])];
  const rank = ({ event = "" }: Change) => events.indexOf(event);
  return [...profile, ...changes.sort((a, b) => rank(a) - rank(b))];
}

function pairChanges([before, after]: readonly [Guard, Guard], isGating: boolean, tools: readonly string[]): Change[] {
  const label = guardLabel(after);
  const changes: Change[] = diffHookFields(before.hook, after.hook).map(({ kind, says, texts, mayLoosen = false }) => ({
    ...about(after, kind, `${label}: ${says}`, isGating && mayLoosen),
    ...(texts && { texts }),
  }));
  if (before.event !== after.event)
    changes.unshift(about(after, "moved", `${label} is moved from ${before.event} to ${where(after)}`, isGating));
  else if (before.preempt !== after.preempt) {
    const says = after.preempt
      ? `${label} now runs before everything else, even where the agent may skip questions`
      : `${label} runs in its turn now, and not before everything else`;
    changes.unshift(about(after, "moved", says, isGating && before.preempt));
  }
  if ((before.matcher ?? "") !== (after.matcher ?? "") && before.event === after.event) {
    const { kind, says } = describeMatcherChange(before.matcher ?? "", after.matcher ?? "", tools);
    changes.unshift(about(after, kind, `${label} ${says}`, isGating && kind !== "matcher_widened"));
  }
  return changes;
}

/** The hooks whose order changed. Reports the fewest possible moves. */
function movedChanges(pairs: readonly (readonly [Guard, Guard])[]): Change[] {
  const lists = new Map<string, (readonly [Guard, Guard])[]>();
  for (const pair of pairs) {
    const [before, after] = pair;
    if (before.event !== after.event || before.preempt !== after.preempt) continue;
    const list = `${after.event} ${after.preempt}`;
    lists.set(list, [...(lists.get(list) ?? []), pair]);
  }
  return [...lists.values()].flatMap((list) => {
    const inOrder = [...list].sort(([, a], [, b]) => a.rank - b.rank);
    const kept = longestRise(inOrder.map(([before]) => before.rank));
    return inOrder.flatMap(([, after], at) => {
      if (kept.has(at)) return [];
      const next = inOrder[at + 1]?.[1];
      const place = next ? `before ${guardLabel(next)}` : "last";
      return [about(after, "moved", `${guardLabel(after)} is moved: it stands ${place} now`, false)];
    });
  });
}

function about(guard: Guard, kind: Change["kind"], says: string, mayLoosen: boolean): Change {
  return { kind, event: guard.event, sentence: `${says}.`, mayLoosen };
}

function where({ event, matcher }: Guard): string {
  if (matcher === undefined) return event;
  return `${event} for ${matcher === "" || matcher === "*" ? "every tool" : `\`${matcher}\``}`;
}
