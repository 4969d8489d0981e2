import { z } from "zod";
import { keyScope } from "../access/schema.ts";
import { PROFILES } from "../hooks/contract/events.ts";

/** Letters, digits and a little punctuation: a name ends up in shell snippets and file names. */
export const agentName = z
  .string()
  .trim()
  .min(1, "Give the agent a name.")
  .max(64, "A name has at most 64 characters.")
  .regex(/^[\p{L}\p{N}][\p{L}\p{N} ._-]*$/u, "Use letters, digits, blanks, dots, dashes and underscores.");

const groupName = agentName.min(1, "Give the group a name.");

export const createAgent = z.strictObject({ name: agentName });
export type CreateAgent = z.infer<typeof createAgent>;

export const agentById = z.strictObject({ agentId: z.uuid() });
export type AgentById = z.infer<typeof agentById>;

export const renameAgent = z.strictObject({ agentId: z.uuid(), name: agentName });
export type RenameAgent = z.infer<typeof renameAgent>;

/** A key: for what, and for how long; for everything and for ever when absent. */
export const createKey = agentById.extend({
  scopes: z.array(keyScope).min(1, "A key is for something.").max(3).optional(),
  days: z.int().min(1).max(3_650).optional(),
});
export type CreateKey = z.infer<typeof createKey>;

export const keyById = z.strictObject({ agentId: z.uuid(), keyId: z.uuid() });
export type KeyById = z.infer<typeof keyById>;

/** A new key like this one; this one ends after so many hours, in which both open. */
export const rotateKey = keyById.extend({ overlapHours: z.int().min(0).max(720) });
export type RotateKey = z.infer<typeof rotateKey>;

export const keyView = z.strictObject({
  id: z.uuid(),
  /** The first characters, enough to tell keys apart. */
  hint: z.string(),
  createdAt: z.date(),
  expiresAt: z.date().nullable(),
  revokedAt: z.date().nullable(),
  scopes: z.array(keyScope),
  /** To the minute; null when it was never used. */
  lastUsedAt: z.date().nullable(),
});
export type KeyView = z.infer<typeof keyView>;

export const agentView = z.strictObject({
  id: z.uuid(),
  name: z.string(),
  isDemo: z.boolean(),
  createdAt: z.date(),
  /** Since then its keys open nothing; null while it works. */
  retiredAt: z.date().nullable(),
  lastSeenAt: z.date().nullable(),
  /** The effective revision that answered its last dispatch; null before the first. */
  lastRevision: z.string().nullable(),
  /** The effective revision it would be answered with now. */
  revisionInForce: z.string(),
  policies: z.array(z.strictObject({ id: z.uuid(), name: z.string(), revision: z.number() })),
  keys: z.array(keyView),
  /** Free words that costs are grouped by. */
  tags: z.array(z.string()),
  /** Events that its machines could not report because the console refused them; null when there are none. */
  refused: z
    .strictObject({
      kept: z.number(),
      dropped: z.number(),
      machines: z.number(),
      lastCode: z.string(),
      reportedAt: z.date(),
    })
    .nullable(),
});
export type AgentView = z.infer<typeof agentView>;

const tag = z
  .string()
  .trim()
  .min(1)
  .max(40, "A tag has at most 40 characters.")
  .regex(/^[^+,]*$/, "A tag holds no comma and no plus.");
export const setTags = z.strictObject({
  agentId: z.uuid(),
  tags: z
    .array(tag)
    .max(20, "An agent has at most 20 tags.")
    .transform((tags) => [...new Set(tags)].sort()),
});
export type SetTags = z.infer<typeof setTags>;

export const createGroup = z.strictObject({ name: groupName });
export type CreateGroup = z.infer<typeof createGroup>;

export const groupById = z.strictObject({ groupId: z.uuid() });
export type GroupById = z.infer<typeof groupById>;

export const renameGroup = z.strictObject({ groupId: z.uuid(), name: groupName });
export type RenameGroup = z.infer<typeof renameGroup>;

export const setGroupMembers = z.strictObject({ groupId: z.uuid(), agentIds: z.array(z.uuid()).max(500) });
export type SetGroupMembers = z.infer<typeof setGroupMembers>;

export const orderGroups = z.strictObject({ groupIds: z.array(z.uuid()).max(200) });
export type OrderGroups = z.infer<typeof orderGroups>;

export const groupView = z.strictObject({
  id: z.uuid(),
  name: z.string(),
  /** By name. */
  agentIds: z.array(z.uuid()),
  /** The policies that are applied to it, and those that have a canary in it. */
  policies: z.array(z.strictObject({ id: z.uuid(), name: z.string(), isCanary: z.boolean() })),
});
export type GroupView = z.infer<typeof groupView>;

/** The key itself: shown this once, stored only as its sha256. */
export const createdKeyView = z.strictObject({ agentId: z.uuid(), keyId: z.uuid(), key: z.string() });
export type CreatedKeyView = z.infer<typeof createdKeyView>;

export const askEnrolment = z.strictObject({
  profile: z.enum(PROFILES),
  /** Where the agent reaches this server, when that is not the address the server knows itself by. */
  url: z.url({ protocol: /^https?$/, error: "Write an address such as https://quarterdeck.example." }).optional(),
});
export type AskEnrolment = z.infer<typeof askEnrolment>;

/** The texts to paste to enrol an agent; the key is in none of them. */
export const enrolmentView = z.strictObject({
  url: z.string(),
  profile: z.enum(PROFILES),
  /** docker-agent YAML: a hooks block for every event of the profile. */
  hooks: z.string(),
  /** The same for the local executor, which runs hooks beside the agent. */
  local: z.string(),
  curl: z.string(),
  policy: z.string(),
});
export type EnrolmentView = z.infer<typeof enrolmentView>;
