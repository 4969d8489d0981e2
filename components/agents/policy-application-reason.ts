/** The reason that a policy applies to an agent, or does not, in words. Pure. */
import { exactTime } from "@/components/ui/format/instant";
import type { Tone } from "@/components/ui/tone";
import type { ApplyingView } from "@/server/policies/assignments/assignment-schema";

type Applying = ApplyingView["policies"][number];

export interface Words {
  readonly tone: Tone;
  readonly label: string;
  /** Further details; "" if the label is enough. */
  readonly why: string;
}

/** `nowMs` is null until the viewer's clock and zone are known. */
export function applyingWords(policy: Applying, nowMs: number | null): Words {
  const { state, revision, canary, observeUntil, liveRevision, monitored } = policy;
  const tries = canaryWords(canary, liveRevision);
  switch (state) {
    case "enforced":
      return {
        ...{ tone: canary?.isInside ? "ask" : "allow", label: `revision ${revision}, enforced` },
        why: [tries, monitored.length === 0 ? "" : `Monitored only: ${monitored.join(", ")}.`]
          .filter(Boolean)
          .join(" "),
      };
    case "observed": {
      const until = observeUntil === null ? "" : nowMs === null ? observeUntil.toISOString() : exactTime(observeUntil);
      const why = [
        `The policy only observes this agent until ${until}. Then the policy is enforced automatically.`,
        tries,
      ]
        .filter(Boolean)
        .join(" ");
      return { tone: "observe", label: `revision ${revision}, observed only`, why };
    }
    case "outside_canary":
      return { tone: "unknown", label: "not in force", why: tries };
    case "unpublished":
      return {
        tone: "unknown",
        label: "nothing in force",
        why: "The policy is assigned to this agent, but not published yet.",
      };
  }
}

function canaryWords(canary: Applying["canary"], liveRevision: number): string {
  if (!canary) return "";
  const { share, revision, isInside } = canary;
  if (isInside) return `Canary: revision ${revision} binds this agent before other agents.`;
  const first = share > 0 ? `${share} % of the agents` : "one group";
  const stays =
    liveRevision === 0
      ? "No revision of the policy binds this agent yet."
      : `This agent stays on revision ${liveRevision}.`;
  return `Canary: revision ${revision} binds ${first} first, without this agent. ${stays}`;
}

/** "through the workspace", "through group nightly, and itself". */
export function throughWords(through: Applying["through"]): string {
  const [first = "", ...others] = through.map(targetWords);
  return others.length === 0 ? `through ${first}` : `through ${first}, also ${others.join(", ")}`;
}

function targetWords({ scope, group, tag }: Applying["through"][number]): string {
  switch (scope) {
    case "workspace":
      return "the workspace";
    case "tag":
      return `tag ${tag ?? ""}`;
    case "group":
      return `group ${group ?? ""}`;
    case "sign_on_group":
      return `its owner's sign-on group ${group ?? ""}`;
    case "person":
      return `its owner ${group ?? ""}`;
    case "agent":
      return "this agent itself";
  }
}

export function otherWords({ isApplied, groups, people, tags }: ApplyingView["others"][number]): string {
  if (!isApplied) return "assigned to no agent.";
  const targets = [...tags.map((name) => `tag ${name}`), ...groups.map((name) => `group ${name}`), ...people];
  if (targets.length > 0) return `assigned to ${targets.join(", ")}, which does not include this agent.`;
  return "assigned to other agents.";
}
