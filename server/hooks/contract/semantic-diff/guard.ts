/** A hook with every condition for its run, independent of its position in the text. */

import type { EventName } from "../events.ts";
import type { HookDefinition, HooksConfig, MatcherEntry } from "../hook.ts";
import { identityOf } from "../identity.ts";
import { everyHook } from "../placement.ts";
import { truncateToLine } from "../truncate-text.ts";

export interface Guard {
  readonly event: EventName;
  /** Undefined on events that have no matchers. */
  readonly matcher: string | undefined;
  readonly preempt: boolean;
  readonly hook: HookDefinition;
  /** The path below `hooks`: `["pre_tool_use", 0, "hooks", 1]`. */
  readonly place: readonly (string | number)[];
  /** Its position among the hooks of its event and lane, from 0. */
  readonly rank: number;
  /** Equal for guards with the same configuration, events and tools. */
  readonly identity: string;
}

export function listGuards(hooks: HooksConfig): Guard[] {
  const ranks = new Map<string, number>();
  return everyHook(hooks).map(({ event, matcher, place, hook }) => {
    const entry = (hooks[event] as readonly (MatcherEntry | HookDefinition)[] | undefined)?.[Number(place[1])];
    const preempt = entry !== undefined && "preempt_yolo" in entry && entry.preempt_yolo === true;
    const list = `${event} ${preempt}`;
    const rank = ranks.get(list) ?? 0;
    ranks.set(list, rank + 1);
    const identity = JSON.stringify([
      event,
      preempt,
      matcher ?? "",
      identityOf(hook),
      hook.run_on ?? "",
      hook.judge ?? "",
    ]);
    return { event, matcher, preempt, hook, place, rank, identity };
  });
}

const LABEL_CHARS_MAX = 60;

/** The label of a guard in a sentence: its name, else the command or prompt that it runs. */
export function guardLabel({ hook }: Guard): string {
  const name = hook.name || hook.command || hook.evaluator || hook.prompt || hook.type || "a hook";
  return `\`${truncateToLine(name.trim(), LABEL_CHARS_MAX)}\``;
}
