import { z } from "zod";

export const HALT_SCOPES = ["workspace", "group", "agent", "session"] as const;
export const haltScope = z.enum(HALT_SCOPES);
export type HaltScope = z.infer<typeof haltScope>;

export const REASON_CHARS_MAX = 500;
/** Halts in force in one workspace; each process remembers them all. */
export const HALTS_MAX = 1_000;
/** Up to so many in force rules make one more: the rest is left to people, whatever an agent does. */
export const HALTS_BY_RULES_MAX = 900;
/** Halts in one list. */
export const LIST_MAX = 200;
/** Halts listed with one agent. */
export const OF_AGENT_MAX = 20;

const reason = z
  .string()
  .trim()
  .min(1, "Say why in one line: every agent that is halted answers with it.")
  .max(REASON_CHARS_MAX)
  .regex(/^[^\p{C}]*$/u, "A reason is one line of text.");

const groupId = z.uuid("Choose the group.");
const agentId = z.uuid("Choose the agent.");
const sessionId = z
  .string()
  .min(1, "Say the session's id.")
  .max(512)
  .regex(/^[^\p{Cc}]*$/u, "A session's id is one line of text.");

export const haltTarget = z.discriminatedUnion("scope", [
  z.strictObject({ scope: z.literal("workspace") }),
  z.strictObject({ scope: z.literal("group"), groupId }),
  z.strictObject({ scope: z.literal("agent"), agentId, isQuarantine: z.boolean().optional() }),
  z.strictObject({ scope: z.literal("session"), agentId, sessionId }),
]);
export type HaltTarget = z.infer<typeof haltTarget>;

export const startHalt = z.strictObject({ target: haltTarget, reason });
export type StartHalt = z.infer<typeof startHalt>;

export const endHalt = z.strictObject({ id: z.uuid(), reason });
export type EndHalt = z.infer<typeof endHalt>;

/** The count of what a halt stops ends at this many of each. */
export const PREVIEW_MAX = 1_000;

export const previewHalt = z.strictObject({ target: haltTarget });
export type PreviewHalt = z.infer<typeof previewHalt>;

/** The effect of a halt, before it is made. */
export const haltPreview = z.strictObject({
  /** Agents that are not retired; one for a session. */
  agents: z.number(),
  /** Sessions that are running now. */
  sessions: z.number(),
  /** There are more than were counted. */
  agentsCut: z.boolean(),
  sessionsCut: z.boolean(),
});
export type HaltPreview = z.infer<typeof haltPreview>;

export const haltById = z.strictObject({ id: z.uuid() });

export const haltView = z.strictObject({
  id: z.uuid(),
  scope: haltScope,
  groupId: z.uuid().nullable(),
  agentId: z.uuid().nullable(),
  sessionId: z.string().nullable(),
  /** The name of the group or agent when it was halted, or the session's id; empty for the workspace. */
  about: z.string(),
  reason: z.string(),
  isQuarantine: z.boolean(),
  haltedAt: z.date(),
  haltedBy: z.string(),
  /** Null: in force. */
  resumedAt: z.date().nullable(),
  resumedBy: z.string().nullable(),
  resumeReason: z.string().nullable(),
});
export type HaltView = z.infer<typeof haltView>;

/** Worst first: what may go on by itself, and what is not known to have followed yet. */
export const EXECUTOR_STATES = ["not_reachable", "heard", "followed", "expired"] as const;
export type ExecutorState = (typeof EXECUTOR_STATES)[number];
/** No policy holds longer than its attestation, whatever age an executor states. */
export const POLICY_DAYS_MAX = 30;
/** Agents listed with each halt; `agents` counts all of them. */
export const REACH_SHOWN = 20;

/** An agent with a local executor that a halt reaches. Of several executors the worst state is the agent's. */
export const agentReach = z.strictObject({
  haltId: z.uuid(),
  id: z.uuid(),
  name: z.string(),
  /**
   * `not_reachable`: no call of it was answered since the halt; `heard`: one was, and none of them is known to be a gate that the
   * halt denied; `followed`: the halt denied a gate of it; `expired`: as not reachable, and past the age of its last policy.
   */
  state: z.enum(EXECUTOR_STATES),
  /** Its local executors, and those of them in the agent's state. */
  executors: z.number(),
  inState: z.number(),
  /** The newest call of those in the agent's state, up to a minute later than this. */
  heardAt: z.date(),
  /** The last instant at which one that is not reachable may go by its policy; null in other states. */
  until: z.date().nullable(),
  /** False: one of them states no age, so that `until` is the end of the longest one. */
  statesAge: z.boolean(),
  /** A gate that the halt denied, in the last minute before it was stored; null in other states than followed. */
  followedAt: z.date().nullable(),
  /** Agents with a local executor that this halt reaches, with those that are not listed. */
  agents: z.number(),
});
export type AgentReach = z.infer<typeof agentReach>;

export const haltList = z.strictObject({
  /** Those in force first; of the others the newest. */
  halts: z.array(haltView),
  /** Agents without a key that can ask the gateway: a file that they run alone decides, and no halt reaches them. */
  unreachable: z.array(z.strictObject({ id: z.uuid(), name: z.string() })),
  /** Agents with a local executor, for each halt in force that reaches them: the first few, worst first. */
  reach: z.array(agentReach),
});
export type HaltList = z.infer<typeof haltList>;

export const inForceView = z.strictObject({
  count: z.number(),
  /** The widest and newest of them; null when nothing is halted. */
  first: haltView
    .pick({ scope: true, about: true, reason: true, isQuarantine: true, haltedAt: true, haltedBy: true })
    .nullable(),
});
export type InForceView = z.infer<typeof inForceView>;

export const haltsOfAgent = z.strictObject({ agentId: z.uuid() });
export type HaltsOfAgent = z.infer<typeof haltsOfAgent>;

export const agentHalts = z.strictObject({
  /** The halts in force that reach it or a session of it, the widest first. */
  halts: z.array(haltView),
  /** One for each of them where it has a local executor. */
  reach: z.array(agentReach),
  /** It has no key that can ask the gateway, so no halt reaches it. */
  isUnreachable: z.boolean(),
});
export type AgentHalts = z.infer<typeof agentHalts>;
