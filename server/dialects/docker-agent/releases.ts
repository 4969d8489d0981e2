/** The releases of docker-agent that differ in what a file of hooks may hold. */
import { eventNames, type Profile } from "../../hooks/contract/events.ts";

export interface DockerAgentRelease {
  /** The first version, as major and minor number. */
  readonly from: readonly [major: number, minor: number];
  /** The events and keys that it knows. One that it does not know voids the whole file, without an error. */
  readonly profile: Profile;
}

/**
 * The newest first. A pull request of 9 September 2026 added `tool_guard`; releases before 1.138 get the older form, whose gate holds there
 * too. 1.143 brought the content guards and 1.147 the control events.
 */
const RELEASES: readonly [DockerAgentRelease, ...DockerAgentRelease[]] = [
  { from: [1, 147], profile: "2026-11" },
  { from: [1, 138], profile: "2026-08" },
  { from: [1, 100], profile: "2026-07" },
];
const [NEWEST_RELEASE] = RELEASES;
const OLDEST_RELEASE = RELEASES.at(-1) ?? NEWEST_RELEASE;
const hasGuard = ({ profile }: DockerAgentRelease): boolean =>
  eventNames(profile).some((event) => event === "tool_guard");
/** The first that knows `tool_guard`. */
const GUARD_RELEASE = RELEASES.findLast(hasGuard) ?? NEWEST_RELEASE;

/** The events that the oldest release does not raise, each with the first version that does. */
export const EVENTS_SINCE: Readonly<Record<string, string>> = Object.fromEntries(
  RELEASES.toReversed().flatMap(({ from, profile }, at, all) => {
    const earlier: readonly string[] = at === 0 ? eventNames(profile) : eventNames(all[at - 1]?.profile ?? profile);
    return eventNames(profile).flatMap((event) => (earlier.includes(event) ? [] : [[event, from.join(".")] as const]));
  }),
);

/** The form for an agent whose version is not known: every supported release reads it. */
export const OLDEST_PROFILE: Profile = OLDEST_RELEASE.profile;
/** The form by which files are read where the version is not known. */
export const NEWEST_PROFILE: Profile = NEWEST_RELEASE.profile;

/** The release of a version such as `v1.123.0`; null for one before the first that reads drop-in files, undefined for a text that is no version. */
export function releaseOf(version: string): DockerAgentRelease | null | undefined {
  const [, major, minor] = /^v?(\d{1,6})\.(\d{1,6})(?:[.+-]|$)/.exec(version) ?? [];
  if (major === undefined || minor === undefined) return undefined;
  const [wantedMajor, wantedMinor] = [Number(major), Number(minor)];
  const isSince = ({ from: [fromMajor, fromMinor] }: DockerAgentRelease) =>
    wantedMajor > fromMajor || (wantedMajor === fromMajor && wantedMinor >= fromMinor);
  return RELEASES.find(isSince) ?? null;
}

export type DropInForm =
  | { readonly isSupported: true; readonly profile: Profile; readonly note: string | null }
  | { readonly isSupported: false; readonly reason: string };

/** The form of the file for the version that is installed, with a sentence for the person who enrols. */
export function dropInForm(version: string | null): DropInForm {
  const release = version === null ? undefined : releaseOf(version);
  if (release === null)
    return {
      isSupported: false,
      reason: `docker-agent ${version} reads no files in hooks.d, so nothing was written. Update it to ${OLDEST_RELEASE.from.join(".")} or later, or paste the block of Agents, New agent into the agent's own file.`,
    };
  if (release === undefined)
    return {
      isSupported: true,
      profile: OLDEST_PROFILE,
      note: `The version of docker-agent is not known here, so the file has only what ${OLDEST_RELEASE.from.join(".")} and later know. Enrol again where "docker-agent version" answers: ${GUARD_RELEASE.from.join(".")} and later get tool_guard.`,
    };
  if (hasGuard(release)) return { isSupported: true, profile: release.profile, note: null };
  return {
    isSupported: true,
    profile: release.profile,
    note: `docker-agent ${version} does not know tool_guard: its gate is pre_tool_use with preempt_yolo, which no mode skips. Enrol again after an update to ${GUARD_RELEASE.from.join(".")} or later.`,
  };
}

/**
 * Events that no shared file holds. A control event breaks the load of every agent without `routing`, and a content guard refuses on
 * every answer but an explicit verdict.
 */
export const LEFT_OUT_EVENTS: ReadonlySet<string> = new Set([
  "before_agent_run",
  "after_agent_complete",
  "skill_content_guard",
  "prompt_file_guard",
]);
