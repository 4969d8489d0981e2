/** A revision of a policy that answers an agent: the hooks that have an effect, and the rules that are only monitored. */
import { type HooksConfig, type PlanSource, PROFILES, type Problem, type Profile } from "@quarterdeck/hooks";
import { hooksByPath, keepHooks, type MonitoredHook } from "@quarterdeck/hooks/contract/monitored-hooks";
import { UNREADABLE } from "@quarterdeck/hooks/contract/stored-hooks";
import type { StoredPolicy } from "../text/stored-policy.ts";
import { type RuleName, ruleNameOf } from "./rule-name.ts";

export interface EffectiveMember {
  readonly policyId: string;
  readonly name: string;
  readonly number: number;
  readonly sha256: string;
  /** The profile that its text names. The set may follow a newer one. */
  readonly textProfile: Profile;
  /** When this revision was published first. */
  readonly publishedAt: Date;
  /** The hooks that have an effect, with a hook that denies in the place of each part that cannot be read. */
  readonly hooks: HooksConfig;
  /** The same with the hooks of `leftOut`, in their places in the published text. */
  readonly text: HooksConfig;
  /** The paths of the hooks in `text` that are not in `hooks`. */
  readonly leftOut: ReadonlySet<string>;
  /** The monitored hooks in `text`. */
  readonly monitored: readonly MonitoredHook[];
  /** The parts of the stored hooks that cannot be read. */
  readonly problems: readonly Problem[];
  /** Its approval of a call does not count: see `ResolvedAssignment`. */
  readonly cannotAllow?: boolean;
}

/** A policy or a rule without effect on the answer: its verdict is recorded. */
export interface ObservedMember extends EffectiveMember {
  /** The newer of its own profile and the set's, as if it were enforced. */
  readonly profile: Profile;
  /** The only rule that runs; null for a whole policy. */
  readonly rule: RuleName | null;
}

/** A rule in monitor mode. */
export interface RuleMonitor extends RuleName {
  readonly until: Date;
}

export interface RevisionInForce extends StoredPolicy {
  readonly number: number;
  readonly sha256: string;
  readonly publishedAt: Date;
}

/** The hooks of a text that are monitored at this instant. A hook that denies for an unreadable part never is. */
export function listMonitoredHooks(
  hooks: HooksConfig,
  monitors: readonly RuleMonitor[],
  nowMs: number,
): (MonitoredHook & RuleName)[] {
  const active = monitors.filter(({ until }) => until.getTime() > nowMs);
  if (active.length === 0) return [];
  return hooksByPath(hooks).flatMap(({ path, event, hook }) => {
    if (hook.type === UNREADABLE) return [];
    const name = ruleNameOf(event, hook);
    const found = active.find((one) => one.event === name.event && one.hook === name.hook);
    return found ? [{ ...name, path, until: found.until.toISOString() }] : [];
  });
}

/** The hooks of a text that have an effect at this instant. */
export function enforcedHooks(hooks: HooksConfig, monitors: readonly RuleMonitor[], nowMs = Date.now()): HooksConfig {
  const paths = new Set(listMonitoredHooks(hooks, monitors, nowMs).map(({ path }) => path));
  return paths.size === 0 ? hooks : keepHooks(hooks, (path) => !paths.has(path));
}

export function memberOf(
  { id, name }: { readonly id: string; readonly name: string },
  { number, sha256, profile, publishedAt, hooks, problems }: RevisionInForce,
  monitored: readonly MonitoredHook[],
): EffectiveMember {
  const leftOut = new Set(monitored.map(({ path }) => path));
  return {
    ...{ policyId: id, name, number, sha256, textProfile: profile, publishedAt, problems },
    hooks: leftOut.size === 0 ? hooks : keepHooks(hooks, (path) => !leftOut.has(path)),
    ...{ text: hooks, leftOut, monitored },
  };
}

/** One member for each monitored rule of `member`, with the hooks of that rule only. */
export function observedRules(
  member: EffectiveMember,
  monitored: readonly (MonitoredHook & RuleName)[],
  profile: Profile,
): ObservedMember[] {
  const byRule = new Map<string, { readonly rule: RuleName; readonly paths: Set<string> }>();
  for (const { event, hook, path } of monitored) {
    const key = `${event} ${hook}`;
    const known = byRule.get(key) ?? { rule: { event, hook }, paths: new Set<string>() };
    byRule.set(key, known);
    known.paths.add(path);
  }
  const all = hooksByPath(member.text).map(({ path }) => path);
  return [...byRule.values()].map(({ rule, paths }) => ({
    ...{ ...member, monitored: [], rule },
    hooks: keepHooks(member.text, (path) => paths.has(path)),
    leftOut: new Set(all.filter((path) => !paths.has(path))),
    profile: newestProfile([profile, member.textProfile]),
  }));
}

/** The member as a source of a plan: every hook with an effect, at its path in the published text. */
export const planSourceOf = ({
  policyId,
  name,
  number,
  textProfile,
  text,
  leftOut,
  cannotAllow = false,
}: EffectiveMember): PlanSource => ({
  origin: { policyId, policy: name, revision: number },
  profile: textProfile,
  hooks: text,
  leftOut,
  cannotAllow,
});

export function newestProfile(profiles: readonly Profile[]): Profile {
  const last = Math.max(0, ...profiles.map((profile) => PROFILES.indexOf(profile)));
  return PROFILES[last] ?? PROFILES[0];
}
