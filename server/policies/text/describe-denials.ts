/** The denials of a policy in one sentence, for lists. Pure. */
import { contractOf } from "@quarterdeck/hooks/contract/events";
import type { HookDefinition, HooksConfig } from "@quarterdeck/hooks/contract/hook";
import { everyHook } from "@quarterdeck/hooks/contract/placement";
import type { Profile } from "@quarterdeck/hooks/contract/profiles";
import type { RuleVerdict } from "@quarterdeck/hooks/contract/rules/schema";
import { truncateToLine } from "@quarterdeck/hooks/contract/truncate-text";
import { conditionWords } from "@quarterdeck/hooks/reading/describe-conditions";

const SHOWN_MAX = 3;
const PART_CHARS_MAX = 100;

interface DescribedPolicy {
  readonly hooks: HooksConfig;
  readonly profile: Profile;
}

/**
 * "Denies git push with force; and 2 more." Without a rule that denies: the calls that it asks about, else the checks that
 * run on gates, whose answers its text does not tell. Null for a policy without any of these.
 */
export function describeDenials({ hooks, profile }: DescribedPolicy): string | null {
  const every = everyHook(hooks);
  const rules = every.flatMap(({ hook }) => (hook.type === "rules" ? (hook.rules ?? []) : []));
  const matching = (verdict: RuleVerdict) => rules.filter((rule) => rule[verdict] !== undefined).map(conditionWords);
  const checks = every.filter(({ event, hook }) => hook.type !== "rules" && contractOf(event, profile).canBlock);
  return (
    sentence("Denies", matching("deny")) ??
    sentence("Asks a person about", matching("ask")) ??
    sentence(
      "Runs",
      checks.map(({ hook }) => nameOf(hook)),
    )
  );
}

function sentence(verb: string, all: readonly string[]): string | null {
  const parts = [...new Set(all)];
  if (parts.length === 0) return null;
  const shown = parts.slice(0, SHOWN_MAX).map((part) => truncateToLine(part, PART_CHARS_MAX));
  const rest = parts.length - shown.length;
  const text = `${verb} ${[...shown, ...(rest > 0 ? [`and ${rest} more`] : [])].join("; ")}`;
  return text.endsWith("…") ? text : `${text}.`;
}

const nameOf = ({ name, type, command, evaluator }: HookDefinition): string =>
  name || (type === "builtin" ? command : type === "evaluator" ? evaluator : "") || `a ${type ?? "hook"} check`;
