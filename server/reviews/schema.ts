import { z } from "zod";
import { orderGroups, setGroupMembers, setTags } from "../agents/schema.ts";
import {
  assignPolicy,
  endCanary,
  observe,
  reorder,
  rollBack,
  setCanary,
} from "../policies/assignments/assignment-schema.ts";
import { monitorRule } from "../policies/assignments/monitored-rule-schema.ts";
import { policyById } from "../policies/schema.ts";
import { setOwner } from "../principals/schema.ts";

/** `outdated`: the draft was changed, discarded, or another revision published, before this text was. */
export const REVIEW_STATES = ["open", "approved", "changes_requested", "withdrawn", "published", "outdated"] as const;
export type ReviewState = (typeof REVIEW_STATES)[number];

const words = (what: string) =>
  z
    .string()
    .trim()
    .max(4_000, `${what} has at most 4,000 characters.`)
    .refine((text) => !text.includes("\0"), `${what} holds a NUL character. Remove it.`);

export const requestReview = z.strictObject({
  policyId: z.uuid(),
  /** The draft's version that its author saw; another one is refused. */
  draftVersion: z.number().int().min(1).max(2_147_483_647),
  note: words("A note").default(""),
});
export type RequestReview = z.infer<typeof requestReview>;

export const reviewById = z.strictObject({ reviewId: z.uuid() });
export type ReviewById = z.infer<typeof reviewById>;

export const decideReview = z
  .strictObject({
    reviewId: z.uuid(),
    /** SHA-256 of the text that was reviewed. */
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
    outcome: z.enum(["approved", "changes_requested"]),
    comment: words("A comment").default(""),
  })
  .refine(({ outcome, comment }) => outcome === "approved" || comment !== "", {
    path: ["comment"],
    error: "Describe the required change.",
  });
export type DecideReview = z.infer<typeof decideReview>;

export const commentReview = z.strictObject({
  reviewId: z.uuid(),
  body: words("A comment").min(1, "Enter a comment."),
});
export type CommentReview = z.infer<typeof commentReview>;

export const listReviews = z.strictObject({
  policyId: z.uuid().optional(),
  /** `current`: open or approved; else those that ended too, the newest. */
  which: z.enum(["current", "all"]).default("current"),
});
export type ListReviews = z.infer<typeof listReviews>;

export const reviewedPolicy = z.strictObject({ policyId: z.uuid() });
export const setFourEyes = z.strictObject({ policyId: z.uuid(), isOn: z.boolean() });
export type SetFourEyes = z.infer<typeof setFourEyes>;

export const reviewView = z.strictObject({
  id: z.uuid(),
  policyId: z.uuid(),
  policyName: z.string(),
  state: z.enum(REVIEW_STATES),
  note: z.string(),
  sha256: z.string(),
  /** The newest revision when it was sent; 0 before the first. */
  baseRevision: z.number(),
  authorName: z.string(),
  isMine: z.boolean(),
  createdAt: z.date(),
  decidedName: z.string().nullable(),
  decidedAt: z.date().nullable(),
  /** The revision it became. */
  revision: z.number().nullable(),
  comments: z.number(),
  /** Null when the reader may approve it or request changes; else the reason. */
  whyNot: z.string().nullable(),
});
export type ReviewView = z.infer<typeof reviewView>;

export const reviewDetailView = reviewView.extend({
  source: z.string(),
  /** The text of `baseRevision`; "" before the first, null when that revision is gone. */
  baseSource: z.string().nullable(),
  /** Whose text is in it; none of them can be its second person. Known while it is current. */
  editors: z.array(z.string()),
  said: z.array(z.strictObject({ id: z.uuid(), authorName: z.string(), body: z.string(), createdAt: z.date() })),
});
export type ReviewDetailView = z.infer<typeof reviewDetailView>;

export const policyReviewView = z.strictObject({
  fourEyes: z.boolean(),
  /** The request to switch four eyes off, with the name of its author; another person has to agree. */
  offAsked: z.strictObject({ name: z.string(), at: z.date(), isMine: z.boolean() }).nullable(),
  /** The review that is open or approved. */
  current: reviewView.nullable(),
  /** The newest that ended, when nothing is current. */
  last: reviewView.nullable(),
  /** The number of people of the workspace who could be a second person at all. */
  reviewers: z.number(),
});
export type PolicyReviewView = z.infer<typeof policyReviewView>;

/** A complete change of assignments: the approval covers exactly this. */
export const bindingRequest = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("assign"), input: assignPolicy }),
  z.strictObject({ kind: z.literal("roll_back"), input: rollBack }),
  z.strictObject({ kind: z.literal("set_canary"), input: setCanary }),
  z.strictObject({ kind: z.literal("end_canary"), input: endCanary }),
  z.strictObject({ kind: z.literal("observe"), input: observe }),
  z.strictObject({ kind: z.literal("monitor_rule"), input: monitorRule }),
  z.strictObject({ kind: z.literal("reorder"), input: reorder }),
  z.strictObject({ kind: z.literal("remove"), input: policyById }),
  z.strictObject({ kind: z.literal("set_group_members"), input: setGroupMembers }),
  z.strictObject({ kind: z.literal("order_groups"), input: orderGroups }),
  z.strictObject({ kind: z.literal("set_agent_tags"), input: setTags }),
  z.strictObject({ kind: z.literal("set_agent_owner"), input: setOwner }),
]);
export type BindingRequest = z.infer<typeof bindingRequest>;

export const requestChange = z.strictObject({ change: bindingRequest, note: words("A note").default("") });
export type RequestChange = z.infer<typeof requestChange>;

export const changeInEmergency = z.strictObject({
  change: bindingRequest,
  reason: words("A reason").min(10, "Enter the reason for acting without a second person."),
});
export type ChangeInEmergency = z.infer<typeof changeInEmergency>;

export const changeById = z.strictObject({ changeId: z.uuid() });
export type ChangeById = z.infer<typeof changeById>;

export const decideChange = z.strictObject({ changeId: z.uuid(), outcome: z.enum(["approved", "declined"]) });
export type DecideChange = z.infer<typeof decideChange>;

/** `emergency`: made by one person, with the reason as its note. */
export const CHANGE_STATES = ["open", "approved", "declined", "withdrawn", "applied", "emergency"] as const;

export const changeView = z.strictObject({
  id: z.uuid(),
  /** The policies that require four eyes. */
  policyIds: z.array(z.uuid()),
  state: z.enum(CHANGE_STATES),
  summary: z.string(),
  note: z.string(),
  requestedName: z.string(),
  isMine: z.boolean(),
  createdAt: z.date(),
  decidedName: z.string().nullable(),
  /** Null when the asker may decide it; else why not. */
  whyNot: z.string().nullable(),
});
export type ChangeView = z.infer<typeof changeView>;
