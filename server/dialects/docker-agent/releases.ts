/** The docker-agent releases that differ in the accepted hook files or in the behaviour of hooks. */
import { eventNames, type Profile } from "../../hooks/contract/events.ts";

export interface DockerAgentRelease {
  /** The first version, as major and minor number. */
  readonly from: readonly [major: number, minor: number];
  /** The profile with the events and keys that the release knows. An unknown one voids the whole file, without an error. */
  readonly profile: Profile;
  /** True if the builtin `safer_shell` asks about commands. In other releases it only labels them. */
  readonly asksSaferShell?: true;
}

/**
 * Newest first. A pull request of 9 September 2026 added `tool_guard`. Releases before 1.138 get the older form, whose gate also
 * works there. 1.143 added the content guards and 1.147 the control events. `safer_shell` became a label between mid-July and
 * August 2026. Releases from 1.108 on count as labelling, because no such release is known to ask.
 */
const RELEASES: readonly [DockerAgentRelease, ...DockerAgentRelease[]] = [
  { from: [1, 147], profile: "2026-11" },
  { from: [1, 138], profile: "2026-08" },
  { from: [1, 108], profile: "2026-07" },
  { from: [1, 100], profile: "2026-07", asksSaferShell: true },
];
const [NEWEST_RELEASE] = RELEASES;
const OLDEST_RELEASE = RELEASES.at(-1) ?? NEWEST_RELEASE;
const hasGuard = ({ profile }: DockerAgentRelease): boolean =>
  eventNames(profile).some((event) => event === "tool_guard");
/** The first that knows `tool_guard`. */
const GUARD_RELEASE = RELEASES.findLast(hasGuard) ?? NEWEST_RELEASE;

/** The events that the oldest release does not raise, each with its first version. */
export const EVENTS_SINCE: Readonly<Record<string, string>> = Object.fromEntries(
  RELEASES.toReversed().flatMap(({ from, profile }, at, all) => {
    const earlier: readonly string[] = at === 0 ? eventNames(profile) : eventNames(all[at - 1]?.profile ?? profile);
    return eventNames(profile).flatMap((event) => (earlier.includes(event) ? [] : [[event, from.join(".")] as const]));
  }),
);

/** The profile for an agent with an unknown version: every supported release can read it. */
export const OLDEST_PROFILE: Profile = OLDEST_RELEASE.profile;
/** The profile for reading files if the version is unknown. */
export const NEWEST_PROFILE: Profile = NEWEST_RELEASE.profile;

/** `1.138` */
export const releaseName = ({ from }: DockerAgentRelease): string => from.join(".");

/** Every release of the table, the newest first. */
export const listReleases = (): readonly DockerAgentRelease[] => RELEASES;

/** `1.138 to 1.146`, or `1.147 and later` for the newest. */
export function releaseTitle(release: DockerAgentRelease): string {
  const later = RELEASES[RELEASES.indexOf(release) - 1];
  if (later === undefined) return `${releaseName(release)} and later`;
  const [major, minor] = later.from;
  return `${releaseName(release)} to ${major}.${minor - 1}`;
}

/**
 * The release of a version such as `v1.123.0`. Null for a version that cannot read drop-in files; undefined if the text is not a
 * version.
 */
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

/** The form of the file for the installed version, with a sentence for the user who enrols. */
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
 * Events that a shared file must not contain. A control event prevents every agent without `routing` from loading. A content guard
 * refuses on every answer except an explicit verdict.
 */
export const LEFT_OUT_EVENTS: ReadonlySet<string> = new Set([
  "before_agent_run",
  "after_agent_complete",
  "skill_content_guard",
  "prompt_file_guard",
]);

/** The choice of a release for an export. */
export interface ExportRelease {
  readonly release: DockerAgentRelease;
  readonly chosenBy: "request" | "agent" | "default";
  /** The version behind the choice; null for the default. */
  readonly version: string | null;
}

/**
 * The release to export for: the requested one, else the one that the agent reported, else the newest. An agent older than every
 * known release gets the oldest. Returns null if the requested version belongs to no known release.
 */
export function exportRelease(asked: string | undefined, reported: string | null): ExportRelease | null {
  if (asked !== undefined) {
    const release = releaseOf(asked);
    // A later minor version reads the same files as the newest known one. A later major version may not.
    const isKnown = release && majorOf(asked) === release.from[0];
    return isKnown ? { release, chosenBy: "request", version: asked } : null;
  }
  const release = reported === null ? undefined : releaseOf(reported);
  return release === undefined
    ? { release: NEWEST_RELEASE, chosenBy: "default", version: null }
    : { release: release ?? OLDEST_RELEASE, chosenBy: "agent", version: reported };
}

const majorOf = (version: string): number => Number(/\d+/.exec(version)?.[0]);
