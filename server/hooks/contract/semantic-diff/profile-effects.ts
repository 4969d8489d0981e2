/** Describes the effects of a new profile on unchanged hooks. */
import { behaviourProfile, builtinFacts, isLabelOnly } from "../builtins.ts";
import { contractOf, isEventName, type Profile } from "../events.ts";
import type { HookDefinition } from "../hook.ts";
import { PROFILE_RULES } from "../profiles.ts";

export interface ProfileEffect {
  /** Completes a sentence that begins with the hook. */
  readonly says: string;
  readonly mayLoosen: boolean;
}

export function profileEffects(
  event: string,
  hook: HookDefinition,
  before: Profile,
  after: Profile,
): readonly ProfileEffect[] {
  if (before === after || !isEventName(event, before) || !isEventName(event, after)) return [];
  return hook.type === "builtin" ? builtinEffects(hook, before, after) : failureEffects(event, hook, before, after);
}

function builtinEffects({ command }: HookDefinition, before: Profile, after: Profile): readonly ProfileEffect[] {
  const [was, is] = [behaviourProfile(command, before), behaviourProfile(command, after)];
  if (was === is) return [];
  const [wasLabel, isLabel] = [isLabelOnly(command, before), isLabelOnly(command, after)];
  if (isLabel && !wasLabel) return [{ says: "only labels calls and asks no longer", mayLoosen: true }];
  if (wasLabel && !isLabel) return [{ says: "asks again and does more than label calls", mayLoosen: false }];
  const changed = is === undefined ? undefined : builtinFacts(command)?.changes?.[is];
  const says = `does what it does in ${after}${changed === undefined ? "" : `: ${changed.replace(/\.$/, "")}`}`;
  return [{ says, mayLoosen: false }];
}

/** A failed gate allows in the profile that ignores other exit codes, and denies in the others. */
function failureEffects(
  event: Parameters<typeof contractOf>[0],
  { type, on_error }: HookDefinition,
  before: Profile,
  after: Profile,
): readonly ProfileEffect[] {
  const contract = contractOf(event, after);
  if (type !== "command" || !contract.canBlock) return [];
  const [was, is] = [PROFILE_RULES[before].otherExitCode, PROFILE_RULES[after].otherExitCode];
  if (was === is || !(contract.failsClosed || on_error === "block")) return [];
  return is === "failure"
    ? [
        {
          says: "denies when it fails: a missing program, another exit code, or output that cannot be read",
          mayLoosen: false,
        },
      ]
    : [
        {
          says: "allows when it fails: a missing program, another exit code, or output that cannot be read",
          mayLoosen: true,
        },
      ];
}
