import { z } from "zod";

export const HALT_SCOPES = ["workspace", "group", "agent", "session"] as const;
export const haltScope = z.enum(HALT_SCOPES);
export type HaltScope = z.infer<typeof haltScope>;

export const REASON_CHARS_MAX = 500;
/** Halts in force in one workspace; each process remembers them all. */
export const HALTS_MAX = 1_000;
/**
 * Above this number of halts in force, runaway rules make no further halt: the rest is left to people, whatever an
 * agent does.
 */
export const HALTS_BY_RULES_MAX = 900;
/** Halts in one list. */
export const LIST_MAX = 200;
/** Halts listed with one agent. */
export const OF_AGENT_MAX = 20;

const reason = z
  .string()
  .trim()
  .min(1, "Enter a one-line reason. Each denied call shows it.")
  .max(REASON_CHARS_MAX)
  .regex(/^[^\p{C}]*$/u, "A reason is one line of text.");

const groupId = z.uuid("Choose the group.");
const agentId = z.uuid("Choose the agent.");
const sessionId = z
  .string()
  .min(1, "Enter the session's id.")
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

/** A preview counts up to this many affected items of each kind. */
export const PREVIEW_MAX = 1_000;

export const previewHalt = z.strictObject({ target: haltTarget });
export type PreviewHalt = z.infer<typeof previewHalt>;

/** The effect of a halt, before it is made. */
export const haltPreview = z.strictObject({
  /** Agents that are not retired; one for a session. */
  agents: z.number(),
  /** Sessions that are running now. */
  sessions: z.number(),
  /** True if there are more than were counted. */
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

/** Executors listed with each halt; `executors` and `followed` count all of them. */
export const REACH_SHOWN = 20;

/** The local executors of the agents that a halt reaches. */
export const haltReach = z.strictObject({
  haltId: z.uuid(),
  executors: z.number(),
  /** Those with a gate that a halt denied after this one began. */
  followed: z.number(),
  /**
   * Executors that have not followed it, each with its agent and the time of its newest answered call (stored with up
   * to a minute of delay); the newest first.
   */
  waiting: z.array(z.strictObject({ agentId: z.uuid(), executorId: z.string(), name: z.string(), heardAt: z.date() })),
});
export type HaltReach = z.infer<typeof haltReach>;

export const haltList = z.strictObject({
  /** Halts in force first, then the newest of the others. */
  halts: z.array(haltView),
  /** Agents without a key that can ask the gateway: a file that they run alone decides, and no halt reaches them. */
  unreachable: z.array(z.strictObject({ id: z.uuid(), name: z.string() })),
  /** One for each halt in force that reaches a local executor. */
  reach: z.array(haltReach),
});
export type HaltList = z.infer<typeof haltList>;

export const inForceView = z.strictObject({
  count: z.number(),
  /** The widest and newest of them; null without a halt. */
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
  /** The same for its own local executors. */
  reach: z.array(haltReach),
  /** It has no key that can ask the gateway, so no halt reaches it. */
  isUnreachable: z.boolean(),
});
export type AgentHalts = z.infer<typeof agentHalts>;
