/** A stored revision as this release reads it: an unreadable part denies, and is a problem with its place. */
import {
  contractOf,
  type EventName,
  everyHook,
  type HooksConfig,
  PROFILES,
  type Problem,
  type Profile,
} from "@quarterdeck/hooks";
import { storedHookComplaint } from "@quarterdeck/hooks/contract/hook-rules";
import { matcherComplaint } from "@quarterdeck/hooks/contract/matcher";
import { problemAt } from "@quarterdeck/hooks/contract/problem";
import { WIDEST_PROFILE } from "@quarterdeck/hooks/contract/profiles";
import { denyEveryGate, readStoredHooks, UNREADABLE } from "@quarterdeck/hooks/contract/stored-hooks";
import { truncateText } from "@quarterdeck/hooks/contract/truncate-text";

export interface StoredPolicy {
  /** The newest one where every gate denies, so that no event is unknown to it. */
  readonly profile: Profile;
  /** With a hook that denies in the place of each part that cannot be read. */
  readonly hooks: HooksConfig;
  readonly problems: readonly Problem[];
}

/** The policy of a row, for any content of its columns. */
export function readStoredPolicy(row: { readonly profile: string; readonly hooks: unknown }): StoredPolicy {
  const profile = PROFILES.find((known) => known === row.profile);
  if (profile === undefined) {
    const stated = truncateText(row.profile, 40);
    const problem = { ...problemAt([], `this release does not know the profile "${stated}"`), path: "profile" };
    return { profile: WIDEST_PROFILE, hooks: denyEveryGate(problem, WIDEST_PROFILE), problems: [problem] };
  }
  const options = { profile, gatesOf: WIDEST_PROFILE, matcherComplaint, meaningComplaint: storedHookComplaint };
  const { hooks, problems, deniesEveryGate } = readStoredHooks(row.hooks, options);
  return { profile: deniesEveryGate ? WIDEST_PROFILE : profile, hooks, problems };
}

/** The policy of a revision in force; it denies at every gate if it is not stored or cannot be identified. */
export function readRevision(
  row: { readonly profile: string; readonly hooks: unknown } | undefined,
  number: number,
  unreadableRollout: Problem | null = null,
): StoredPolicy {
  if (row && unreadableRollout === null) return readStoredPolicy(row);
  const lost = { ...problemAt([], `revision ${number} is in force and not stored`), path: "revision" };
  const problem = unreadableRollout ?? lost;
  return { profile: WIDEST_PROFILE, hooks: denyEveryGate(problem, WIDEST_PROFILE), problems: [problem] };
}

/** The events at which calls are denied because a part of the policy is unreadable. */
export function deniedGates({ hooks, profile }: Pick<StoredPolicy, "hooks" | "profile">): EventName[] {
  const events = everyHook(hooks).flatMap(({ event, hook }) => (hook.type === UNREADABLE ? [event] : []));
  return [...new Set(events)].filter((event) => contractOf(event, profile).canBlock);
}
