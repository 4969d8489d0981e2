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

export const haltList = z.strictObject({
  /** Those in force first; of the others the newest. */
  halts: z.array(haltView),
  /** Agents without a key that can ask the gateway: a file that they run alone decides, and no halt reaches them. */
  unreachable: z.array(z.strictObject({ id: z.uuid(), name: z.string() })),
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
