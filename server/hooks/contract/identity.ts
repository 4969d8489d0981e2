/** Defines equality of configured hooks and of rules. */
import type { EventName, Lane } from "./events.ts";
import type { HookDefinition } from "./hook.ts";

/**
 * A text that is equal for hooks with the same configured fields, as written. Absent and empty lists are equal. A written default
 * differs from an absent one. The order of `env` does not matter.
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
    // Added last and only if true, so existing identities do not change.
    ...(hook.ungrantable === true ? ["ungrantable"] : []),
    ...(hook.rules ? [hook.rules] : []),
    ...evaluatorFields(hook),
  ]);
}

/** The given fields that profile 2026-11 added. The order of keys does not matter. */
function evaluatorFields(hook: HookDefinition): unknown[] {
  const { system_prompt, evaluator, evaluator_policy, routing_policy, resolved_evaluator } = hook;
  const added = { system_prompt, evaluator, evaluator_policy, routing_policy, resolved_evaluator };
  const given = Object.entries(added).filter(([, value]) => value !== undefined && value !== "");
  return given.length === 0 ? [] : [{ added: withSortedKeys(Object.fromEntries(given)) }];
}

function withSortedKeys(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.map(([key, one]) => [key, withSortedKeys(one)]);
}

/** A text that is equal for equal rules of one policy. An equal hook on another event or for other tools is another rule. */
export function ruleOf(rule: {
  readonly event: EventName;
  readonly lane: Lane;
  readonly matcher: string;
  readonly hook: HookDefinition;
}): string {
  return JSON.stringify([rule.event, rule.lane, rule.matcher, identityOf(rule.hook)]);
}
