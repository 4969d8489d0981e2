/** The name of a rule: its event, and the name of its hook as figures and records store it. */
import { displayName, type HookDefinition } from "@quarterdeck/hooks/contract/hook";
import { HOOK_KEY_MAX, indexKeyText } from "../../recording/index.ts";

export interface RuleName {
  readonly event: string;
  readonly hook: string;
}

export const ruleNameOf = (event: string, hook: HookDefinition): RuleName => ({
  event,
  hook: indexKeyText(displayName(hook), HOOK_KEY_MAX),
});
