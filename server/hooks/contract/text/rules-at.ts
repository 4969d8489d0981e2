/** The rules at a path in a policy's text. */
import type { HookDefinition, HooksConfig, MatcherEntry } from "../hook.ts";
import type { Rule } from "../rules/schema.ts";
import { readPolicyText } from "./policy-text.ts";

/** `hooks.pre_tool_use[0].hooks[1]`, or without the first step. */
const PLACE = /^(?:hooks\.)?(\w+)\[(\d+)\](?:\.hooks\[(\d+)\])?$/;

/** Null if the text cannot be parsed or has no hook of type `rules` at the path. */
export function rulesAt(source: string, path: string): readonly Rule[] | null {
  const { hooks } = readPolicyText(source, { builtins: [], models: true, evaluators: true });
  return hooks && rulesIn(hooks, path);
}

/** Null if no hook of type `rules` is at the path. */
export function rulesIn(hooks: HooksConfig, path: string): readonly Rule[] | null {
  const [, event = "", index = "", inner] = PLACE.exec(path) ?? [];
  if (!Object.hasOwn(hooks, event)) return null;
  // Holds: an own key, whose items are matcher entries or hooks, depending on the path.
  const list = hooks[event as keyof typeof hooks] as readonly (HookDefinition & MatcherEntry)[] | undefined;
  const item = list?.[Number(index)];
  const hook: HookDefinition | undefined = inner === undefined ? item : item?.hooks?.[Number(inner)];
  return hook?.type === "rules" ? (hook.rules ?? null) : null;
}
