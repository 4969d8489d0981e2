/** The export for a release of docker-agent: the choice of the release, the refusal where a gate would be lost, and its comments. */
import { type HooksConfig, nativeHooks } from "@quarterdeck/hooks";
import {
  type ExportRelease,
  exportHooks,
  exportRelease,
  type LeftOutPart,
  type LostGate,
  listReleases,
  releaseName,
  releaseTitle,
} from "../../dialects/docker-agent/index.ts";
import { AppError } from "../../errors/app-error.ts";
import type { EnforcedSet } from "./effective.ts";

export interface ExportedBlock {
  readonly hooks: HooksConfig;
  readonly lost: readonly LostGate[];
  readonly leftOut: readonly LeftOutPart[];
  /** Sentences on what differs there. */
  readonly notes: readonly string[];
  /** Null for a block that is written for no certain release. */
  readonly chosen: ExportRelease | null;
}

/** The unchanged block, for any release of docker-agent. */
export const wholeBlock = (hooks: HooksConfig): ExportedBlock => ({
  ...{ hooks: nativeHooks(hooks), lost: [], leftOut: [], notes: [], chosen: null },
});

/** The block of every enforced policy, for a release. Each policy's gates are those of its own profile. */
export function blockFor({ profile, members }: EnforcedSet, chosen: ExportRelease): ExportedBlock {
  const exported = members.map(({ hooks, textProfile }) => exportHooks(hooks, profile, chosen.release, textProfile));
  const notes = [...ageNotes(chosen), ...exported.flatMap((one) => one.notes)];
  return {
    hooks: joinedHooks(exported.map(({ hooks }) => hooks)),
    lost: exported.flatMap(({ lost }) => lost),
    leftOut: exported.flatMap(({ leftOut }) => leftOut),
    notes: [...new Set(notes)],
    chosen,
  };
}

/** docker-agent's own merging rule: per event, one list after the other. */
export function joinedHooks(blocks: readonly HooksConfig[]): HooksConfig {
  const joined: Record<string, unknown[]> = {};
  for (const block of blocks) {
    for (const [event, entries] of Object.entries(block)) joined[event] = [...(joined[event] ?? []), ...entries];
  }
  // Holds: each list is a concatenation of lists that were of their event's type.
  return joined as HooksConfig;
}

function ageNotes({ release, chosenBy, version }: ExportRelease): string[] {
  const isOlder =
    chosenBy === "agent" && listReleases().at(-1) === release && exportRelease(version ?? "", null) === null;
  return isOlder
    ? [
        `The agent reported docker-agent ${version}, which is older than ${releaseName(release)}. Update it before you use this file.`,
      ]
    : [];
}

export interface AgentClient {
  readonly client: string | null;
  readonly clientVersion: string | null;
}

/** Errors: `invalid_input`, with the known releases, for a version of no known one. */
export function chooseRelease(asked: string | undefined, agent: AgentClient | null): ExportRelease {
  const reported = agent?.client === "docker-agent" ? agent.clientVersion : null;
  const chosen = exportRelease(asked, reported);
  if (chosen) return chosen;
  const known = listReleases().map(releaseTitle).toReversed().join(", ");
  throw new AppError("invalid_input", undefined, {
    says: `"${(asked ?? "").slice(0, 40)}" is no known release of docker-agent. Known: ${known}.`,
  });
}

const NAMED_MAX = 5;

/** The block, when no gate of it is lost. Errors: `export_loses_gates`, with each gate, the reason and the next step. */
export function requireGates(block: ExportedBlock): ExportedBlock {
  const { lost, chosen } = block;
  if (lost.length === 0) return block;
  const count = lost.length === 1 ? "a gate" : `${lost.length} gates`;
  const named = lost.slice(0, NAMED_MAX).map(lossSentence);
  const more = lost.length > NAMED_MAX ? [`And ${lost.length - NAMED_MAX} more.`] : [];
  const release = chosen === null ? "" : ` for docker-agent ${releaseTitle(chosen.release)}`;
  throw new AppError("export_loses_gates", undefined, {
    says: [`Nothing was exported${release}, because the policy would lose ${count} there.`, ...named, ...more].join(
      " ",
    ),
  });
}

const lossSentence = ({ hook, event, reason, remedy }: LostGate): string =>
  `"${hook}" on ${event}: ${reason} ${remedy}`;

const COMMENTS_MAX = 100;

/** The comments of the exported text: the release, each part that is left out, and each difference. */
export function exportComments({ chosen, leftOut, notes }: ExportedBlock): string[] {
  if (chosen === null) return [];
  const said = [
    ...leftOut.map(({ hook, event, reason }) => `# Left out: "${hook}" on ${event}. ${reason}`),
    ...notes.map((note) => `# Note: ${note}`),
  ];
  const more = said.length > COMMENTS_MAX ? [`# And ${said.length - COMMENTS_MAX} more.`] : [];
  return [`# For docker-agent ${releaseTitle(chosen.release)}`, ...said.slice(0, COMMENTS_MAX), ...more];
}
