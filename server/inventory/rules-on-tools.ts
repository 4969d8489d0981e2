/** The hooks of type `rules` that check a tool. Pure. */
import { compileMatcher, contractOf, type HooksConfig, judgesCalls, mcpToolOf } from "@quarterdeck/hooks";
import { displayName } from "@quarterdeck/hooks/contract/hook";
import { NEWEST_PROFILE } from "@quarterdeck/hooks/contract/profiles";
import type { Rule } from "@quarterdeck/hooks/contract/rules/schema";
import { type CalledTool, looksAt } from "@quarterdeck/hooks/contract/rules/tool-reach";
import { listGuards } from "@quarterdeck/hooks/contract/semantic-diff/guard";
import type { ToolKind } from "@quarterdeck/hooks/contract/tool-kinds";
import type { ToolRuleView } from "./schema.ts";

export interface PolicyInForce {
  readonly policyId: string;
  readonly name: string;
  readonly hooks: HooksConfig;
}

interface RulesHook extends ToolRuleView {
  readonly matcher: string;
  readonly rules: readonly Rule[];
}

/** The hooks of type `rules` on events that decide over a tool call. */
export function listRulesHooks(policies: readonly PolicyInForce[]): RulesHook[] {
  return policies.flatMap(({ policyId, name: policy, hooks }) =>
    listGuards(hooks).flatMap(({ event, matcher, hook }) =>
      hook.type === "rules" && judgesCalls(contractOf(event, NEWEST_PROFILE))
        ? [{ policyId, policy, hook: displayName(hook), matcher: matcher ?? "*", rules: hook.rules ?? [] }]
        : [],
    ),
  );
}

/** The hooks whose matcher covers the tool and which have a rule that can match its calls. */
export function listRulesOn(hooks: readonly RulesHook[], tool: CalledTool): ToolRuleView[] {
  const found = hooks.filter(({ matcher, rules }) => {
    const compiled = compileMatcher(matcher);
    return compiled.ok && compiled.matches(tool.name) && rules.some((rule) => looksAt(rule, tool));
  });
  return found.map(({ policyId, policy, hook }) => ({ policyId, policy, hook }));
}

export const calledTool = (
  name: string,
  kind: ToolKind,
  { agent, tags }: { readonly agent: string; readonly tags: readonly string[] },
): CalledTool => ({ name, kind, mcp: mcpToolOf(name), agent, tags });
