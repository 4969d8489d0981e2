/** The sentences of the export dialog. */
import type { NativeExportView } from "@/server/policies/schema";

/** `Nothing can be exported for docker-agent 1.147 and later: the policy would lose a gate.` */
export function lossTitle({
  release,
  releases,
  lost,
}: Pick<NativeExportView, "release" | "releases" | "lost">): string {
  const title = releases.find(({ name }) => name === release)?.title ?? release;
  const gates = lost.length === 1 ? "a gate" : `${lost.length} gates`;
  return `Not exportable for docker-agent ${title}: the policy would lose ${gates}.`;
}

/** The reason for the release that is chosen first. */
export function releaseHelp({ agentVersion, chosenBy }: Pick<NativeExportView, "agentVersion" | "chosenBy">): string {
  if (agentVersion !== null) return `The agent reported docker-agent ${agentVersion}.`;
  return chosenBy === "default"
    ? "The agent's version is unknown, so the newest version is selected. Run “docker-agent version” to see the installed version."
    : "Run “docker-agent version” to see the installed version.";
}

export const leftOutText = ({ hook, event, reason }: NativeExportView["leftOut"][number]): string =>
  `${hook} on ${event}: ${reason}`;
