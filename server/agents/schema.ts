import { PROFILES } from "@quarterdeck/hooks/contract/events";
import { z } from "zod";
import { certainty, personFilter } from "../access/principal-schema.ts";
import { keyScope } from "../access/role-schema.ts";
import { CLIENT_NAMES, ENROLLED_CLIENT_NAMES, ENROLMENT_SCOPES } from "../dialects/schema.ts";
import { agentTags } from "../policies/assignments/agent-tag-schema.ts";
import { namePattern } from "./name-pattern-schema.ts";

/** Letters, digits and a little punctuation: a name ends up in shell snippets and file names. */
export const agentName = z
  .string()
  .trim()
  .min(1, "Enter a name.")
  .max(64, "A name has at most 64 characters.")
  .regex(/^[\p{L}\p{N}][\p{L}\p{N} ._-]*$/u, "Use letters, digits, spaces, dots, dashes and underscores.");

const groupName = agentName.min(1, "Enter a name.");

export const createAgent = z.strictObject({ name: agentName });
export type CreateAgent = z.infer<typeof createAgent>;

export const agentById = z.strictObject({ agentId: z.uuid() });
export type AgentById = z.infer<typeof agentById>;

export const renameAgent = z.strictObject({ agentId: z.uuid(), name: agentName });
export type RenameAgent = z.infer<typeof renameAgent>;

/** A key: for what, and for how long; for everything and for ever when absent. */
export const createKey = agentById.extend({
  scopes: z.array(keyScope).min(1, "Choose at least one permission.").max(3).optional(),
  days: z.int().min(1).max(3_650).optional(),
});
export type CreateKey = z.infer<typeof createKey>;

export const keyById = z.strictObject({ agentId: z.uuid(), keyId: z.uuid() });
export type KeyById = z.infer<typeof keyById>;

/** Creates a key like this one, which ends after `overlapHours`; until then both work. */
export const rotateKey = keyById.extend({ overlapHours: z.int().min(0).max(720) });
export type RotateKey = z.infer<typeof rotateKey>;

export const keyView = z.strictObject({
  id: z.uuid(),
  /** The first characters, to identify a key. */
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
  /** Its keys do not work since then; null while it is active. */
  retiredAt: z.date().nullable(),
  lastSeenAt: z.date().nullable(),
  /** The effective revision that answered its last dispatch; null before the first. */
  lastRevision: z.string().nullable(),
  /** The effective revision it would be answered with now. */
  revisionInForce: z.string(),
  policies: z.array(z.strictObject({ id: z.uuid(), name: z.string(), revision: z.number() })),
  /** The policies among them that cannot stop it, and the reason: "names its shell tool Bash". */
  unheld: z.array(z.strictObject({ id: z.uuid(), name: z.string(), reason: z.string() })),
  keys: z.array(keyView),
  /** Tags, by which costs are grouped and policies are applied. */
  tags: z.array(z.string()),
  /** Events that its machines could not report because the console refused them; null when no event was refused. */
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

// The list ------------------------------------------------------------------------------------------------------------

/** An agent that was heard once, and not for this long, counts as silent. */
export const SILENT_AFTER_MS = 3_600_000;
/** Retired agents have this status alone: they are neither silent nor without policy. */
export const AGENT_STATUSES = ["active", "silent", "never", "retired"] as const;
/**
 * Postures of the whole fleet, in addition to status and missing policies. `unchecked`: it asks without a nonce.
 * `blind_spots`: its client can act without any hook.
 */
export const POSTURES = ["yolo", "outdated", "unchecked", "blind_spots", "undrilled"] as const;
export type Posture = (typeof POSTURES)[number];
/** An agent counts as unchecked for this long after a gate without a nonce. */
export const UNCHECKED_WITHIN_HOURS = 24;
/** A drill is valid for this long; used by the posture `undrilled`, the pages, the doctor and the alerts. */
export const DRILLED_WITHIN_DAYS = 30;
export const AGENT_SORTS = ["seen", "name", "calls", "denied", "spend"] as const;
export type AgentSort = (typeof AGENT_SORTS)[number];
/** Values of `policy:` that are no policy's name. */
export const NO_POLICY = "none";
export const OBSERVED_ONLY = "observed";

const SEEN = /^(?:never|([<>])(\d{1,4})([mhd]))$/;
const UNIT_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };
/** `never`, `>1h`, `<30m`, `>2d`. */
export const seenText = z.string().regex(SEEN, "Use seen:>1h, seen:<30m or seen:never.");

/** The age that a text compares with; null for `never`. */
export function parseSeenAge(text: string): { readonly isOlder: boolean; readonly ms: number } | null {
  const [, sign, count, unit] = SEEN.exec(text) ?? [];
  if (sign === undefined) return null;
  return { isOlder: sign === ">", ms: Number(count) * (UNIT_MS[unit ?? ""] ?? 0) };
}

const chipValues = z.array(z.string().max(200)).max(20).default([]);
const agentCursor = z.strictObject({ key: z.string().max(200), id: z.uuid() });

/** Values of one field mean any of them; fields, all of them. */
export const searchAgents = z.strictObject({
  policies: chipValues,
  seen: z.array(seenText).max(5).default([]),
  groups: chipValues,
  tags: chipValues,
  /** The owners, by id, or "unknown". */
  persons: personFilter,
  /** Parts of names, case-insensitive. */
  names: chipValues,
  statuses: z.array(z.enum(AGENT_STATUSES)).max(AGENT_STATUSES.length).default([]),
  clients: z.array(z.enum(CLIENT_NAMES)).max(CLIENT_NAMES.length).default([]),
  postures: z.array(z.enum(POSTURES)).max(POSTURES.length).default([]),
  /** Words that the name must all contain. */
  text: z.string().max(200).default(""),
  sort: z.enum(AGENT_SORTS).default("seen"),
  isDescending: z.boolean().default(true),
  cursor: agentCursor.nullish(),
  /** Sent by paging clients; there is only one direction. */
  direction: z.literal("forward").optional(),
  limit: z.int().min(1).max(200).default(50),
});
export type SearchAgents = z.infer<typeof searchAgents>;

/** Sums of the rollups over the last 24 clock hours, of one key's events or of those under one name. */
export const agentFigures = z.strictObject({
  /** Tool calls that a gate checked, or whose final decision was reported; and the denied ones among them. */
  calls: z.number(),
  denied: z.number(),
  /** Model calls with the sum of the reported costs; unpriced ones are in no sum. */
  modelCalls: z.number(),
  free: z.number(),
  unpriced: z.number(),
  nano: z.bigint(),
});
export type AgentFigures = z.infer<typeof agentFigures>;

/**
 * A sub-agent, which another agent runs in its own sub-sessions: it has no key, and its events also carry its parent's
 * name.
 */
export const subAgentView = agentFigures.extend({ name: z.string() });
export type SubAgentView = z.infer<typeof subAgentView>;
/** Sub-agents listed with their parent; `subAgentCount` counts all of them. */
export const SUB_AGENTS_SHOWN = 5;

const policyName = z.strictObject({ id: z.uuid(), name: z.string(), revision: z.number() });

export const agentRow = z.strictObject({
  id: z.uuid(),
  name: z.string(),
  isDemo: z.boolean(),
  retiredAt: z.date().nullable(),
  lastSeenAt: z.date().nullable(),
  /** Its newest event or call for its policies. */
  heardAt: z.date().nullable(),
  /** The client of its latest event; null before the first. */
  client: z.enum(CLIENT_NAMES).nullable(),
  /** As the client or the machine reported it; null until then. */
  clientVersion: z.string().nullable(),
  /** Below the version from which its client can be held. */
  isOutdated: z.boolean(),
  /** True if an event of the last 24 hours reported a mode that asks no person about calls. */
  isYolo: z.boolean(),
  /** Within the last 24 hours it asked about a gate without a nonce. */
  isUnchecked: z.boolean(),
  /** The effective revision that it was answered with last; null before the first answer. */
  revisionInUse: z.string().nullable(),
  /** The revision that would answer it now. */
  revisionInForce: z.string(),
  /** Its newest drill that was reported. */
  drilledAt: z.date().nullable(),
  tags: z.array(z.string()),
  /** The person or service that it works for; null: unknown. */
  owner: z.strictObject({ id: z.uuid(), certainty }).nullable(),
  groups: z.array(z.string()),
  /** Enforced, in their order. */
  policies: z.array(policyName),
  observed: z.array(policyName),
  /** Keys that open now. */
  openKeys: z.number(),
  /** With its sub-agents. */
  figures: agentFigures,
  /** Implied events, in sessions active in the same hours, and the missing ones among them. */
  coverage: z.strictObject({ implied: z.number(), missing: z.number() }),
  /** The sub-agents with the most spend or calls. */
  subAgents: z.array(subAgentView),
  subAgentCount: z.number(),
});
export type AgentRow = z.infer<typeof agentRow>;

export const agentsPage = z.strictObject({
  rows: z.array(agentRow),
  next: agentCursor.nullable(),
  /** Enrolled agents that match; null on later pages. */
  total: z.number().nullable(),
  /** The beginning of the hours that the figures cover. */
  since: z.date(),
});
export type AgentsPage = z.infer<typeof agentsPage>;

/** Exact counts over the whole workspace; retired agents are in `retired` alone. */
export const agentCounts = z.strictObject({
  enrolled: z.number(),
  withoutPolicy: z.number(),
  observedOnly: z.number(),
  silent: z.number(),
  neverSeen: z.number(),
  retired: z.number(),
  yolo: z.number(),
  outdated: z.number(),
  unchecked: z.number(),
  blindSpots: z.number(),
  undrilled: z.number(),
  /** Without policy, in yolo or outdated, each once. */
  needsAttention: z.number(),
  /** The most frequent ones. */
  tags: z.array(z.strictObject({ value: z.string(), count: z.number() })),
});
export type AgentCounts = z.infer<typeof agentCounts>;

export const agentNames = z.array(z.strictObject({ id: z.uuid(), name: z.string() }));

export const agentDetail = z.strictObject({
  agent: agentView,
  row: agentRow,
  /** The names in its events: its own, and those with what its input says behind it. */
  names: z.array(z.string()),
  since: z.date(),
});
export type AgentDetail = z.infer<typeof agentDetail>;

// Changes -------------------------------------------------------------------------------------------------------------

export const setTags = z.strictObject({ agentId: z.uuid(), tags: agentTags });
export type SetTags = z.infer<typeof setTags>;

export const createGroup = z.strictObject({ name: groupName });
export type CreateGroup = z.infer<typeof createGroup>;

export const groupById = z.strictObject({ groupId: z.uuid() });
export type GroupById = z.infer<typeof groupById>;

export const renameGroup = z.strictObject({ groupId: z.uuid(), name: groupName });
export type RenameGroup = z.infer<typeof renameGroup>;

/** Agents by a list, or by a name pattern. A null pattern is cleared; its agents stay, unless others are listed. */
export const setGroupMembers = z.union([
  z.strictObject({ groupId: z.uuid(), agentIds: z.array(z.uuid()).max(500), namePattern: z.null().optional() }),
  z.strictObject({ groupId: z.uuid(), namePattern: namePattern.nullable() }),
]);
export type SetGroupMembers = z.infer<typeof setGroupMembers>;

export const orderGroups = z.strictObject({ groupIds: z.array(z.uuid()).max(200) });
export type OrderGroups = z.infer<typeof orderGroups>;

export const groupView = z.strictObject({
  id: z.uuid(),
  name: z.string(),
  /** The name pattern of its agents; null for a list. */
  namePattern: z.string().nullable(),
  /** By name. */
  agentIds: z.array(z.uuid()),
  /** The policies that are applied to it, and those with a canary in it. */
  policies: z.array(z.strictObject({ id: z.uuid(), name: z.string(), isCanary: z.boolean() })),
});
export type GroupView = z.infer<typeof groupView>;

/** The key itself: shown this once, stored only as its sha256. */
export const createdKeyView = z.strictObject({ agentId: z.uuid(), keyId: z.uuid(), key: z.string() });
export type CreatedKeyView = z.infer<typeof createdKeyView>;

export const askEnrolment = z.strictObject({
  profile: z.enum(PROFILES),
  /** Where the agent reaches this server, when that is not the address the server knows itself by. */
  url: z.url({ protocol: /^https?$/, error: "Enter an address such as https://quarterdeck.example." }).optional(),
  /** The client whose files are requested, with its settings scope. */
  client: z.enum(ENROLLED_CLIENT_NAMES).optional(),
  scope: z.enum(ENROLMENT_SCOPES).default("user"),
});
export type AskEnrolment = z.infer<typeof askEnrolment>;

/** The texts to paste to enrol an agent; the key is in none of them. */
export const enrolmentView = z.strictObject({
  url: z.string(),
  profile: z.enum(PROFILES),
  /** docker-agent YAML: a hooks block for every event of the profile. */
  hooks: z.string(),
  /** The same for the local executor, which runs hooks on the agent's machine. */
  local: z.string(),
  curl: z.string(),
  policy: z.string(),
  /**
   * The exact files of the requested client, with a placeholder for the key; `problem` explains why there are no files.
   */
  client: z
    .strictObject({
      command: z.string(),
      /** The same for a machine without Node. */
      shell: z.string(),
      files: z.array(z.strictObject({ path: z.string(), mode: z.string(), content: z.string() })),
      problem: z.string().nullable(),
    })
    .optional(),
});
export type EnrolmentView = z.infer<typeof enrolmentView>;
