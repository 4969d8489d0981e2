import { z } from "zod";
import { certainty } from "../access/principal-schema.ts";
import { agentTags } from "../policies/assignments/agent-tag-schema.ts";
import { ownerChoice, principalView } from "../principals/schema.ts";
import { agentName } from "./schema.ts";

/** Tokens that open, in one workspace. */
export const TOKENS_MAX = 100;
/** Tokens in the list, and agents named on each. */
export const LIST_MAX = 200;
export const NAMED_MAX = 20;
const USES_MAX = 1_000;
const HOURS_MAX = 90 * 24;

export const createEnrolmentToken = z.strictObject({
  name: agentName.min(1, "Enter a name."),
  /** The number of machines that may join with it. */
  uses: z.int("Enter a whole number of machines.").min(1).max(USES_MAX, "At most 1,000 machines."),
  hours: z.int().min(1).max(HOURS_MAX, "A token lasts at most 90 days."),
  /** The group that its agents join, in addition to groups whose pattern matches their names. */
  groupId: z.uuid("Choose the group.").optional(),
  /** The tags that its agents get; none when absent. */
  tags: agentTags.optional(),
  /** The person or service that its agents work for; absent: unknown. */
  owner: ownerChoice.optional(),
});
export type CreateEnrolmentToken = z.infer<typeof createEnrolmentToken>;

export const enrolmentTokenById = z.strictObject({ tokenId: z.uuid() });
export type EnrolmentTokenById = z.infer<typeof enrolmentTokenById>;

/** The token itself, this once. */
export const createdEnrolmentToken = z.strictObject({ tokenId: z.uuid(), token: z.string() });
export type CreatedEnrolmentToken = z.infer<typeof createdEnrolmentToken>;

const ENROLMENT_TOKEN_STATES = ["open", "used up", "ended", "revoked"] as const;
export type EnrolmentTokenState = (typeof ENROLMENT_TOKEN_STATES)[number];

export const enrolmentTokenView = z.strictObject({
  id: z.uuid(),
  name: z.string(),
  hint: z.string(),
  state: z.enum(ENROLMENT_TOKEN_STATES),
  /** Null when the token has no group, or the group was removed. */
  groupName: z.string().nullable(),
  tags: z.array(z.string()),
  owner: principalView.pick({ id: true, name: true, hasLeft: true, isErased: true }).extend({ certainty }).nullable(),
  uses: z.number(),
  usesMax: z.number(),
  madeAt: z.date(),
  madeBy: z.string(),
  expiresAt: z.date(),
  revokedAt: z.date().nullable(),
  /** The newest of its agents that are still there. */
  agents: z.array(z.strictObject({ id: z.uuid(), name: z.string() })),
});
export type EnrolmentTokenView = z.infer<typeof enrolmentTokenView>;

/** Valid tokens first, then the newest. */
export const enrolmentTokenList = z.array(enrolmentTokenView);

/** The body of `POST /api/v1/join`. */
export const joinRequest = z.strictObject({
  name: agentName,
  /** The user of the operating system: a hint of the person, where the token names no owner. */
  os_user: z
    .string()
    .regex(/^[\w.@-]{1,64}$/, "A user name of at most 64 letters, digits, dots and dashes.")
    .optional(),
});
export type JoinRequest = z.infer<typeof joinRequest>;

/** The machine's own agent with its key, this once. */
export const joinedView = z.strictObject({ agent_id: z.uuid(), name: z.string(), key: z.string() });
export type JoinedView = z.infer<typeof joinedView>;
