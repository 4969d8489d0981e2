import { APPROVAL_SOURCE_KINDS } from "@quarterdeck/hooks/contract/approval-sources";
import { z } from "zod";
import { decisionRange, decisionView } from "../decisions/schema.ts";

export const overviewRange = decisionRange;
export type OverviewRange = z.infer<typeof overviewRange>;

/** The figures of a range, to the minute. */
export const overviewSummary = z.strictObject({
  /** The whole minutes that contain the requested range. */
  from: z.date(),
  to: z.date(),
  dispatches: z.number(),
  /** Tool calls that passed gates, each counted once. */
  gates: z.number(),
  /** Calls among them that no rule decided. */
  gatesWithoutOpinion: z.number(),
  /** Calls among them without any rule. */
  gatesWithoutRule: z.number(),
  /** Calls among them that a rule or a halt denied. */
  gatesDenied: z.number(),
  /** Calls among them that a rule sent to a person, whatever the person answered. */
  gatesAsked: z.number(),
  /** Denials given here, also of events without a tool call. */
  gateDenied: z.number(),
  hooksFailed: z.number(),
  /** The calls as the agents' own approval chains resolved them. */
  allowed: z.number(),
  denied: z.number(),
  canceled: z.number(),
  /** Calls about which a person was about to be asked. */
  prompted: z.number(),
  compactions: z.number(),
  callsPriced: z.number(),
  callsFree: z.number(),
  callsUnpriced: z.number(),
  costNano: z.bigint(),
  /** Names of agents that sent anything. */
  activeAgents: z.number(),
  /** Dispatches a minute over the last five minutes; null for a range that ended before them. */
  perMinuteNow: z.number().nullable(),
});
export type OverviewSummary = z.infer<typeof overviewSummary>;

export const overviewPoint = z.strictObject({
  at: z.date(),
  dispatches: z.number(),
  gates: z.number(),
  gatesWithoutOpinion: z.number(),
  gatesWithoutRule: z.number(),
  gatesDenied: z.number(),
  gatesAsked: z.number(),
  gateDenied: z.number(),
  denied: z.number(),
  /** Calls about which a person was about to be asked. */
  prompted: z.number(),
  hooksFailed: z.number(),
  compactions: z.number(),
  costNano: z.bigint(),
});
export type OverviewPoint = z.infer<typeof overviewPoint>;

/** Points with events; between them all counts are zero. */
export const overviewSeries = z.strictObject({
  /** The start of the first bucket and the end of the last. */
  from: z.date(),
  to: z.date(),
  bucketMs: z.number(),
  points: z.array(overviewPoint),
});
export type OverviewSeries = z.infer<typeof overviewSeries>;

/** The final decisions that agents reported of their tool calls, by who decided; whole hours. */
export const overviewFinalDecisions = z.strictObject({
  from: z.date(),
  to: z.date(),
  total: z.number(),
  byPolicy: z.number(),
  byAgent: z.number(),
  byPerson: z.number(),
  /** Decisions from a source that this version does not know. */
  unknown: z.number(),
  denied: z.number(),
  /** The denied ones by the kind of the source that the agent names, the largest first. */
  deniedBy: z.array(z.strictObject({ kind: z.enum(APPROVAL_SOURCE_KINDS), count: z.number() })),
  canceled: z.number(),
});
export type OverviewFinalDecisions = z.infer<typeof overviewFinalDecisions>;

export const MARKS_MAX = 50;
/** Assignment changes agents, to mark on charts: the newest of the range. */
export const overviewMarks = z.strictObject({
  marks: z.array(
    z.strictObject({
      at: z.date(),
      kind: z.enum(["published", "rolled_back", "frozen", "halted"]),
      /** The policy's name; null when it was deleted, and for a freeze or a halt. */
      policy: z.string().nullable(),
      /** The revision that took effect; null for a freeze or a halt. */
      revision: z.number().nullable(),
      by: z.string(),
    }),
  ),
  /** Changes of the range beyond these, as far as they were looked for. */
  more: z.number(),
});
export type OverviewMarks = z.infer<typeof overviewMarks>;

export const recentDenials = z.array(decisionView);

const share = z.array(z.strictObject({ name: z.string(), count: z.number() }));
export const DENIALS_COUNTED_MAX = 2_000;
/** The tools and agents denied most, over the newest denials of the range; a call denied twice counts once. */
export const topDenied = z.strictObject({
  calls: z.number(),
  /** False when the range holds more denials than were counted. */
  isWhole: z.boolean(),
  tools: share,
  agents: share,
});
export type TopDenied = z.infer<typeof topDenied>;

export const overviewAgents = z.strictObject({
  enrolled: z.number(),
  /** The number of enrolled agents seen within the range. */
  seen: z.number(),
  /** The latest seen, at most `AGENTS_SHOWN_MAX`. */
  rows: z.array(
    z.strictObject({
      id: z.uuid(),
      name: z.string(),
      isDemo: z.boolean(),
      lastSeenAt: z.date().nullable(),
      /** The effective revision that answered it last; null before its first dispatch, "" after a report. */
      lastRevision: z.string().nullable(),
      revisionInForce: z.string(),
      policies: z.number(),
      /** The policies that cannot stop it, as a sentence; null when each can. */
      unheld: z.string().nullable(),
    }),
  ),
});
export type OverviewAgents = z.infer<typeof overviewAgents>;
export const AGENTS_SHOWN_MAX = 6;

export const AGENT_CHANGES_MAX = 8;
/** The new tools of one agent that are named. */
export const NEW_TOOLS_NAMED_MAX = 3;

/** `silent`: no sign of life for an hour. `outdated`: its latest answer came from another revision than the one in force. */
export const AGENT_CHANGE_KINDS = ["new", "silent", "outdated", "new_tools"] as const;

/** A change of one agent, dated by its cause; `tools` and `count` are of new tools only. */
export const agentChange = z.strictObject({
  agentId: z.uuid(),
  name: z.string(),
  kind: z.enum(AGENT_CHANGE_KINDS),
  at: z.date(),
  tools: z.array(z.string()),
  count: z.number(),
});
export type AgentChange = z.infer<typeof agentChange>;

/** The newest changes of agents within a range. */
export const agentChanges = z.strictObject({ rows: z.array(agentChange), isWhole: z.boolean() });
export type AgentChanges = z.infer<typeof agentChanges>;

const spend = z.strictObject({
  from: z.date(),
  to: z.date(),
  costNano: z.bigint(),
  calls: z.number(),
  unpriced: z.number(),
});
/** The spend of the workspace's day until now, and of the same hours of the day before. */
export const spendToday = z.strictObject({ today: spend, yesterday: spend });
export type SpendToday = z.infer<typeof spendToday>;

/** The progress of a fresh installation. */
export const overviewStart = z.strictObject({
  /** The policy published first, when one is. */
  policy: z.strictObject({ id: z.uuid(), name: z.string(), revision: z.number() }).nullable(),
  /** True if a published policy binds at least one agent. */
  isGoverned: z.boolean(),
  agent: z.strictObject({ id: z.uuid(), name: z.string() }).nullable(),
  hasEvents: z.boolean(),
});
export type OverviewStart = z.infer<typeof overviewStart>;
