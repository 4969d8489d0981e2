import { describe, expect, it } from "vitest";
import { type StateFacts, stateSentence } from "@/components/policies/sentences/state-sentence";

const POLICY: StateFacts["policy"] = {
  ...{ latestRevision: 3, liveRevision: 3, scope: "chosen", bound: 2, canary: null, observed: null },
  monitored: [],
};
const HOLD = { hasGate: true, answered: 2, held: 2, unheld: 0, unknown: 0 };
const canary = (inside: number) => ({
  revision: 4,
  share: 10,
  group: null,
  since: new Date(0),
  by: "Ada",
  inside,
  limits: null,
});
const monitored = (hook: string) => ({ event: "stop", hook, until: new Date(1), since: new Date(0), by: "Ada" });
const observed = (agents: number) => ({ until: new Date(1), since: new Date(0), by: "Ada", agents });

interface Case {
  readonly of: string;
  readonly policy?: Partial<StateFacts["policy"]>;
  readonly hold?: Partial<NonNullable<StateFacts["hold"]>> | null;
  readonly isFrozen?: boolean;
  readonly tone: string;
  readonly text: string;
}

const CASES: readonly Case[] = [
  {
    of: "a draft",
    policy: { latestRevision: 0, liveRevision: 0 },
    tone: "unknown",
    text: "Draft only. The policy is not published, so it stops no calls.",
  },
  {
    of: "a revision that was taken back",
    policy: { liveRevision: 0 },
    tone: "unknown",
    text: "No revision is in force. The latest published revision is 3.",
  },
  {
    of: "no assignment",
    policy: { scope: "nobody", bound: 0 },
    tone: "canceled",
    text: "Assigned to no agent, so the policy stops no calls.",
  },
  {
    of: "an empty group",
    policy: { bound: 0 },
    tone: "canceled",
    text: "Assigned to 0 agents: the assigned tags and groups have no agents yet.",
  },
  {
    of: "an empty workspace",
    policy: { scope: "workspace", bound: 0 },
    tone: "canceled",
    text: "In force for the whole workspace, which has no agents yet.",
  },
  {
    of: "monitored rules",
    policy: { monitored: ["a", "b", "c", "d"].map(monitored) },
    tone: "allow",
    text: "In force for 2 agents; 2 of 2 can be stopped by it. Monitor mode for 4 rules, which stop no call: a, b, c and 1 more.",
  },
  {
    of: "monitor mode",
    policy: { observed: observed(2) },
    tone: "observe",
    text: "Monitor mode for 2 agents: the policy records what it would deny and stops no call.",
  },
  {
    of: "monitor mode for some",
    policy: { bound: 5, observed: observed(2) },
    hold: { answered: 3, held: 3 },
    tone: "allow",
    text: "In force for 3 of 5 agents, monitor mode for 2; 3 of 3 can be stopped by it.",
  },
  {
    of: "a canary alone",
    policy: { liveRevision: 0, canary: canary(1) },
    hold: { answered: 1, held: 1 },
    tone: "allow",
    text: "A canary on 1 of 2 agents, with no revision for the others; 1 of 1 can be stopped by it.",
  },
  {
    of: "a canary next to a live revision",
    policy: { canary: canary(1) },
    tone: "allow",
    text: "In force for 2 agents; 2 of 2 can be stopped by it. Revision 4 is a canary on 1 agent.",
  },
  { of: "agents that are held", tone: "allow", text: "In force for 2 agents; 2 of 2 can be stopped by it." },
  {
    of: "an agent that is not held",
    hold: { held: 1, unheld: 1 },
    tone: "ask",
    text: "In force for 2 agents; 1 of 2 can be stopped by it.",
  },
  {
    of: "no agent that is held",
    hold: { held: 0, unheld: 2 },
    tone: "deny",
    text: "In force for 2 agents; 0 of 2 can be stopped by it.",
  },
  {
    of: "an agent without an event",
    policy: { bound: 1 },
    hold: { answered: 1, held: 0, unknown: 1 },
    tone: "observe",
    text: "In force for 1 agent; 0 of 1 can be stopped by it; 1 waits for its first session.",
  },
  {
    of: "rules that stop nothing",
    hold: { hasGate: false },
    tone: "observe",
    text: "In force for 2 agents; it has no rule that stops a call.",
  },
  { of: "facts that load", hold: null, tone: "observe", text: "In force for 2 agents." },
  {
    of: "a frozen workspace",
    isFrozen: true,
    tone: "allow",
    text: "In force for 2 agents; 2 of 2 can be stopped by it. The workspace is frozen: policies in force can't be changed.",
  },
];

describe("the state of a policy", () => {
  it.each(CASES)("of $of", ({ policy, hold, isFrozen = false, tone, text }) => {
    const facts = {
      policy: { ...POLICY, ...policy },
      hold: hold === null ? undefined : { ...HOLD, ...hold },
      isFrozen,
    };
    expect(stateSentence(facts)).toEqual({ tone, text });
  });
});
