/** A policy that moves to a profile in which its gate only labels calls. Publishing it would open the gate without a word. */
import { everyHook, type HooksConfig, type Profile } from "@quarterdeck/hooks";
import { isLabelOnly } from "@quarterdeck/hooks/contract/builtins";
import { labelOnlyMessage, listLabelOnlyGates } from "@quarterdeck/hooks/contract/lint/label-only-gates";
import { lintedPolicy } from "@quarterdeck/hooks/contract/lint/policy";
import { problemAt } from "@quarterdeck/hooks/contract/problem";
import { readPolicyText } from "@quarterdeck/hooks/contract/text/policy-text";
import { AppError } from "../../errors/app-error.ts";
import type { PolicyRow } from "../repository.ts";
import { AVAILABLE } from "../text/source.ts";
import { readStoredPolicy } from "../text/stored-policy.ts";
import type { PermittedText } from "./permitted-hooks.ts";

/** Errors: `policy_invalid` with each builtin that decided in the revision in force and only labels in this text. */
export function requireGatesKept({ live }: Pick<PolicyRow, "live">, text: PermittedText): void {
  if (live === null) return;
  const opened = listLabelOnlyGates(lintedPolicy(text.hooks, text.profile, { tools: [] }));
  if (opened.length === 0) return;
  const decided = decidingBuiltins(readStoredPolicy(live), text.profile);
  const lost = opened.filter(({ hook }) => decided.has(hook.command ?? ""));
  if (lost.length === 0) return;
  const { placed } = readPolicyText(text.source, AVAILABLE);
  const problems = lost.map((linted) =>
    placed(
      problemAt([...linted.at, "command"], `${labelOnlyMessage(linted, text.profile)} before you move the policy`),
    ),
  );
  const [first] = problems;
  throw new AppError("policy_invalid", undefined, { says: `${first?.message} (line ${first?.line ?? 1})`, problems });
}

/** The builtins of a revision that decide in its profile and only label in the other. */
function decidingBuiltins(
  { hooks, profile }: { readonly hooks: HooksConfig; readonly profile: Profile },
  next: Profile,
): ReadonlySet<string> {
  const names = everyHook(hooks).flatMap(({ hook }) => (hook.type === "builtin" ? [hook.command ?? ""] : []));
  return new Set(names.filter((name) => !isLabelOnly(name, profile) && isLabelOnly(name, next)));
}
