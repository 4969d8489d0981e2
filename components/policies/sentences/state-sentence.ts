/** The state of a policy in one sentence with its number. Pure. */
import { counted } from "@/components/policies/labels";
import type { Tone } from "@/components/ui/tone";
import type { PolicyHoldView } from "@/server/policies/effective/policy-hold-schema";
import type { PolicyView } from "@/server/policies/schema";

export interface PolicyState {
  readonly tone: Tone;
  readonly text: string;
}

type Policy = Pick<
  PolicyView,
  "latestRevision" | "liveRevision" | "scope" | "bound" | "canary" | "observed" | "monitored"
>;
type Hold = Omit<PolicyHoldView, "gaps">;

export interface StateFacts {
  readonly policy: Policy;
  /** Undefined while it loads. */
  readonly hold: Hold | undefined;
  readonly isFrozen: boolean;
}

interface Row {
  readonly tone: Tone | ((facts: StateFacts) => Tone);
  readonly applies: (facts: StateFacts) => boolean;
  readonly says: (facts: StateFacts) => string;
}

/** The first row that applies gives the sentence. */
const STATES: readonly Row[] = [
  {
    tone: "unknown",
    applies: ({ policy }) => policy.latestRevision === 0,
    says: () => "Draft only. The policy is not published, so it stops no calls.",
  },
  {
    tone: "unknown",
    applies: ({ policy }) => policy.liveRevision === 0 && policy.canary === null,
    says: ({ policy }) => `No revision is in force. The latest published revision is ${policy.latestRevision}.`,
  },
  {
    tone: "canceled",
    applies: ({ policy }) => policy.scope === "nobody",
    says: () => "Assigned to no agent, so the policy stops no calls.",
  },
  {
    tone: "canceled",
    applies: ({ policy }) => policy.bound === 0,
    says: ({ policy }) =>
      policy.scope === "workspace"
        ? "In force for the whole workspace, which has no agents yet."
        : "Assigned to 0 agents: the assigned tags and groups have no agents yet.",
  },
  {
    tone: "observe",
    applies: ({ policy }) => policy.observed !== null && policy.observed.agents >= policy.bound,
    says: ({ policy }) =>
      `Monitor mode for ${counted(policy.bound, "agent")}: the policy records what it would deny and stops no call.`,
  },
  {
    tone: holdTone,
    applies: ({ policy }) => policy.liveRevision === 0,
    says: ({ policy, hold }) =>
      `A canary on ${policy.canary?.inside ?? 0} of ${counted(policy.bound, "agent")}, with no revision for the others${holdWords(hold)}.`,
  },
  {
    tone: holdTone,
    applies: () => true,
    says: ({ policy, hold }) => `${inForceWords(policy)}${holdWords(hold)}.`,
  },
];

export function stateSentence(facts: StateFacts): PolicyState {
  const row = STATES.find(({ applies }) => applies(facts));
  // Holds: the last row always applies.
  const { tone, says } = row as Row;
  const canary = facts.policy.liveRevision > 0 ? facts.policy.canary : null;
  const more = [
    says(facts),
    ...(canary ? [`Revision ${canary.revision} is a canary on ${counted(canary.inside, "agent")}.`] : []),
    ...monitoredWords(facts.policy),
    ...(facts.isFrozen ? ["The workspace is frozen: policies in force can't be changed."] : []),
  ];
  return { tone: typeof tone === "function" ? tone(facts) : tone, text: more.join(" ") };
}

const NAMED_MAX = 3;

function monitoredWords({ monitored }: Policy): string[] {
  if (monitored.length === 0) return [];
  const names = monitored.slice(0, NAMED_MAX).map(({ hook }) => hook);
  const more = monitored.length > NAMED_MAX ? ` and ${monitored.length - NAMED_MAX} more` : "";
  const verb = monitored.length === 1 ? "stops" : "stop";
  return [`Monitor mode for ${counted(monitored.length, "rule")}, which ${verb} no call: ${names.join(", ")}${more}.`];
}

function holdTone({ hold }: StateFacts): Tone {
  if (hold === undefined) return "observe";
  if (hold.unheld > 0) return hold.held + hold.unknown === 0 ? "deny" : "ask";
  return hold.hasGate && hold.held > 0 ? "allow" : "observe";
}

function inForceWords({ bound, observed }: Policy): string {
  if (observed === null) return `In force for ${counted(bound, "agent")}`;
  return `In force for ${bound - observed.agents} of ${counted(bound, "agent")}, monitor mode for ${observed.agents}`;
}

function holdWords(hold: Hold | undefined): string {
  if (hold === undefined || hold.answered === 0) return "";
  if (!hold.hasGate) return "; it has no rule that stops a call";
  const { held, answered, unknown } = hold;
  const waiting =
    unknown === 0 ? "" : `; ${unknown} ${unknown === 1 ? "waits for its" : "wait for their"} first session`;
  return `; ${held} of ${answered} can be stopped by it${waiting}`;
}
