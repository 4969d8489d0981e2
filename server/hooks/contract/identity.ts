/** When two configured hooks are the same one, and when two rules are. */
import type { EventName, Lane } from "./events.ts";
import type { HookDefinition } from "./hook.ts";

/**
 * A text that is equal for hooks equal in every configured field, as written: absent and empty lists are the same,
 * a default that is written out is not the same as an absent one, the order of `env` does not matter.
 */
export function identityOf(hook: HookDefinition): string {
  const env = Object.entries(hook.env ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([
    hook.name ?? "",
    hook.type ?? "",
    hook.command ?? "",
    hook.args ?? [],
    hook.timeout ?? 0,
    env,
    hook.working_dir ?? "",
    hook.on_error ?? "",
    hook.strict_output ?? false,
    hook.model ?? "",
    hook.prompt ?? "",
    hook.schema ?? "",
    hook.network ?? false,
    // Behind the others, and only where it says something: what was named before it existed keeps its name.
    ...(hook.ungrantable === true ? ["ungrantable"] : []),
    ...(hook.rules ? [hook.rules] : []),
    ...evaluatorFields(hook),
  ]);
}

/** The fields that profile 2026-11 added, where one is given; the order of keys does not matter. */
function evaluatorFields({ system_prompt, evaluator, evaluator_policy, routing_policy }: HookDefinition): unknown[] {
  const given = Object.entries({ system_prompt, evaluator, evaluator_policy, routing_policy }).filter(
    ([, value]) => value !== undefined && value !== "",
  );
  return given.length === 0 ? [] : [{ added: withSortedKeys(Object.fromEntries(given)) }];
}

function withSortedKeys(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.map(([key, one]) => [key, withSortedKeys(one)]);
}

/** A text that is equal for rules of one policy that are the same: an equal hook at another event or for other tools is another rule. */
export function ruleOf(rule: {
  readonly event: EventName;
  readonly lane: Lane;
  readonly matcher: string;
  readonly hook: HookDefinition;
}): string {
  return JSON.stringify([rule.event, rule.lane, rule.matcher, identityOf(rule.hook)]);
}
