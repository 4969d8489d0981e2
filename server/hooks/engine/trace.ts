/**
 * Explains a dispatch step by step: the reason why each hook was selected or not, and the Result after each one. Computed
 * afterwards from the plan and the report; a dispatch itself does not depend on it.
 */
import { contractOf, type EventName, LANES, type Lane } from "../contract/events.ts";
import type { HookInput } from "../contract/input.ts";
import { PROFILE_RULES } from "../contract/profiles.ts";
import { aggregateOutcomes, type HookResult } from "./aggregate.ts";
import { requestedRewrite, runsLast } from "./chain.ts";
import { lanePlan, type Plan, type PlannedHook } from "./plan.ts";
import type { DispatchReport } from "./report.ts";
import type { Result } from "./result.ts";
import { inputAfter, NOT_REWRITTEN, nextInChain, type Rewritten, sideBySide } from "./rewrite.ts";
import { selectHooks } from "./select.ts";

/** The reason why a hook of the event was or was not run. */
export type Choice =
  | { readonly kind: "selected" }
  /** The matcher of its entry does not match the tool name. */
  | { readonly kind: "not_matched" }
  /** The same hook was selected before, at `path`. */
  | { readonly kind: "duplicate"; readonly of: PlannedHook }
  /** It is in the event's other lane. */
  | { readonly kind: "other_lane"; readonly lane: Lane };

export interface ChosenHook {
  readonly hook: PlannedHook;
  readonly choice: Choice;
}

/** Every hook of a plan for an event, in configuration order, starting with those of the lane. */
export function listHookChoices(plan: Plan, event: EventName, lane: Lane, toolName: string): ChosenHook[] {
  const seen = new Map<string, PlannedHook>();
  const own = (lanePlan(plan, event, lane)?.entries ?? []).flatMap(({ matches, hooks }) =>
    hooks.map((hook): ChosenHook => {
      if (!matches(toolName)) return { hook, choice: { kind: "not_matched" } };
      const of = seen.get(hook.identity);
      if (of) return { hook, choice: { kind: "duplicate", of } };
      seen.set(hook.identity, hook);
      return { hook, choice: { kind: "selected" } };
    }),
  );
  const others = LANES.filter((other) => other !== lane).flatMap((other) =>
    (lanePlan(plan, event, other)?.entries ?? []).flatMap(({ hooks }) =>
      hooks.map((hook): ChosenHook => ({ hook, choice: { kind: "other_lane", lane: other } })),
    ),
  );
  return [...own, ...others];
}

/**
 * The Result after the first hook, after the first two, and so on, in configuration order. One for each hook of the report; the
 * last equals the report's own. Empty if no hook ran.
 */
export function listResultSteps(
  plan: Plan,
  { event, lane = "default", input }: { event: EventName; lane?: Lane; input: HookInput },
  report: DispatchReport,
): Result[] {
  const own = lanePlan(plan, event, lane);
  if (!own) return [];
  const hooks = selectHooks(own, input.tool_name ?? "");
  const settled = report.hooks.flatMap(({ outcome }, index): HookResult[] => {
    const hook = hooks[index];
    return hook ? [{ hook, outcome }] : [];
  });
  const contract = contractOf(event, plan.profile, lane);
  const rules = PROFILE_RULES[plan.profile];
  const isChain =
    contract.rewrites !== "nothing" && (rules.chainsRewrites || settled.some(({ hook }) => runsLast(hook)));
  return settled.map((_, index) => {
    if (index === settled.length - 1) return report.result;
    const prefix = settled.slice(0, index + 1);
    const chained = isChain ? chainOf(prefix) : undefined;
    return aggregateOutcomes(prefix, {
      event,
      contract,
      rules,
      arguments: input.tool_input,
      ...(chained && { chained }),
    }).result;
  });

  /** The rewrite that `chain.ts` would produce for these hooks, from their known outputs. */
  function chainOf(prefix: readonly HookResult[]): Rewritten {
    const others = prefix.filter(({ hook }) => !runsLast(hook));
    const first = { input, rewritten: NOT_REWRITTEN };
    const left = rules.chainsRewrites
      ? others.reduce(linked, first).rewritten
      : others.reduce<Rewritten>((all, one) => {
          const asked = requestedRewrite(one, contract);
          return asked ? sideBySide(all, asked) : all;
        }, NOT_REWRITTEN);
    const after = { input: inputAfter(input, left), rewritten: left };
    return prefix.filter(({ hook }) => runsLast(hook)).reduce(linked, after).rewritten;
  }

  function linked(before: { input: HookInput; rewritten: Rewritten }, one: HookResult) {
    const asked = requestedRewrite(one, contract);
    return asked ? nextInChain(before.input, asked) : before;
  }
}
