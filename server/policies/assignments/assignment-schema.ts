/** Whom a policy binds: assignments, order, canary, monitor mode, rollback and the freeze of a workspace. */

import { PROFILES } from "@quarterdeck/hooks/contract/events";
import { z } from "zod";
import { canaryComparison, canaryOwnLimits } from "../canary-watch/limits-schema.ts";
import { canaryGroup, canaryShare, note, override } from "../schema.ts";
import { agentTag } from "./agent-tag-schema.ts";

/** The widest first. `sign_on_group`, `person`: the owner of the agent is in that group, or is that person. */
export const SCOPES = ["workspace", "tag", "group", "sign_on_group", "person", "agent"] as const;
export type AssignmentScope = (typeof SCOPES)[number];

/** The number of the audit entry that this change undoes; absent for a change of its own. */
const undoes = z.number().int().min(1).max(Number.MAX_SAFE_INTEGER).optional();

export const assignPolicy = z
  .strictObject({
    policyId: z.uuid(),
    /** `chosen`: these tags, these groups and these agents, side by side. */
    scope: z.enum(["workspace", "chosen", "nobody"]),
    /** None when absent. */
    tags: z.array(agentTag).max(100).optional(),
    groupIds: z.array(z.uuid()).max(500).default([]),
    agentIds: z.array(z.uuid()).max(500).default([]),
    /** People and services that agents work for. None when absent. */
    personIds: z.array(z.uuid()).max(500).optional(),
    /** Groups of the sign-on provider. None when absent. */
    signOnGroupIds: z.array(z.uuid()).max(500).optional(),
    undoes,
  })
  .refine(
    ({ scope, tags = [], groupIds, agentIds, personIds = [], signOnGroupIds = [] }) =>
      scope !== "chosen" || [tags, groupIds, agentIds, personIds, signOnGroupIds].some((all) => all.length > 0),
    {
      path: ["agentIds"],
      error: "Choose at least one tag, group, person or agent, or choose No agents.",
    },
  );
export type AssignPolicy = z.infer<typeof assignPolicy>;

const audienceChoice = z.strictObject({ id: z.uuid(), name: z.string(), agentIds: z.array(z.uuid()) });
/** The people, services and groups of the sign-on provider that a policy can be assigned to. */
export const audienceChoices = z.strictObject({
  people: z.array(audienceChoice),
  signOnGroups: z.array(audienceChoice),
});
export type AudienceChoices = z.infer<typeof audienceChoices>;

/** `entry` is the number of its audit entry, for an undo. */
export const assignedView = z.strictObject({ entry: z.number() });
export type AssignedView = z.infer<typeof assignedView>;

const why = (says: string) => note.min(1, says);
/** The reason for an emergency brake although the workspace is frozen. */
const duringFreeze = why("Enter the reason for acting during the freeze.").optional();

export const rollBack = z
  .strictObject({
    policyId: z.uuid(),
    /** Any published revision; also a newer one than is in force. 0 undoes a first publication: nothing is in force then. */
    number: z.number().int().min(0).max(2_147_483_647),
    /** The revision in force when the person decided. */
    expectedLive: z.number().int().min(0).max(2_147_483_647),
    duringFreeze,
    undoes,
    override: override.optional(),
  })
  .refine(({ number, undoes }) => number > 0 || undoes !== undefined, {
    path: ["number"],
    error: "Name a published revision. Assign the policy to no agent to stop it.",
  });
export type RollBack = z.infer<typeof rollBack>;

export const rolledBackView = z.strictObject({
  policyId: z.uuid(),
  name: z.string(),
  number: z.number(),
  from: z.number(),
  /** The number of enrolled agents that it binds from now on. */
  agents: z.number(),
  /** The number of its audit entry, for an undo. */
  entry: z.number(),
});
export type RolledBackView = z.infer<typeof rolledBackView>;

export const setCanary = z
  .strictObject({
    policyId: z.uuid(),
    revision: z.number().int().min(1).max(2_147_483_647),
    share: canaryShare,
    groupId: canaryGroup,
    limits: canaryOwnLimits,
    /** The canary that the person saw; null without one. */
    expectedCanary: z.number().int().min(1).max(2_147_483_647).nullable(),
    override: override.optional(),
  })
  .refine(({ share, groupId }) => share > 0 || groupId !== null, {
    path: ["share"],
    error: "A canary needs a share of the agents or a group.",
  });
export type SetCanary = z.infer<typeof setCanary>;

export const endCanary = z.discriminatedUnion("outcome", [
  z.strictObject({
    policyId: z.uuid(),
    revision: z.number().int().min(1).max(2_147_483_647),
    outcome: z.literal("promoted"),
    override: override.optional(),
  }),
  z.strictObject({
    policyId: z.uuid(),
    revision: z.number().int().min(1).max(2_147_483_647),
    outcome: z.literal("abandoned"),
    duringFreeze,
  }),
]);
export type EndCanary = z.infer<typeof endCanary>;

export const canarySide = z.strictObject({
  /** The number of enrolled agents that the policy binds, and of those that asked a gate. */
  agents: z.number(),
  active: z.number(),
  /** The number of their gate calls, and of those that any policy denied. */
  gates: z.number(),
  denied: z.number(),
});
export type CanarySide = z.infer<typeof canarySide>;

export const canaryFigures = z.strictObject({
  /** The first whole minute that is counted. */
  from: z.date(),
  inside: canarySide,
  others: canarySide,
  /** The last check of its limits; null before the first, and without limits. */
  comparison: canaryComparison.nullable(),
  /** The reason why the last check failed. */
  fault: z.string().nullable(),
});
export type CanaryFigures = z.infer<typeof canaryFigures>;

/** The target of an assignment. */
export const assignmentTarget = z
  .strictObject({
    scope: z.enum(SCOPES),
    targetId: z.uuid().nullable(),
    /** Only for the scope `tag`. */
    tag: agentTag.optional(),
  })
  .refine(
    ({ scope, targetId, tag }) =>
      (scope !== "workspace" && scope !== "tag") === (targetId !== null) && (scope === "tag") === (tag !== undefined),
    { path: ["targetId"], error: "Choose the tag, the group, the person or the agent." },
  );
export type AssignmentTarget = z.infer<typeof assignmentTarget>;

export const OBSERVE_DAYS_MAX = 30;
export const observe = z.strictObject({
  policyId: z.uuid(),
  /** When it is enforced, by itself; null for now. */
  until: z.date().nullable(),
  /** Some of the targets it is applied to; all of them when absent. */
  targets: z.array(assignmentTarget).min(1).max(500).optional(),
});
export type Observe = z.infer<typeof observe>;

export const reorder = z.strictObject({
  ...assignmentTarget.shape,
  policyIds: z.array(z.uuid()).max(500),
});
export type Reorder = z.infer<typeof reorder>;

export const orderedPolicyView = z.strictObject({ id: z.uuid(), name: z.string(), isPublished: z.boolean() });
export type OrderedPolicyView = z.infer<typeof orderedPolicyView>;

export const tightenedBy = z.strictObject({ policyId: z.uuid(), profile: z.enum(PROFILES) });

export const freeze = z.strictObject({
  reason: why("Enter a reason, shown to people affected by the freeze.").max(300),
});
export type Freeze = z.infer<typeof freeze>;

export const freezeView = z.strictObject({
  /** The person who froze the workspace, or added the window. */
  by: z.string(),
  at: z.date(),
  reason: z.string(),
  /** The end of a window of the calendar, with its zone; null until a person lifts the freeze. */
  until: z.strictObject({ at: z.date(), timeZone: z.string() }).nullable(),
});
export type FreezeView = z.infer<typeof freezeView>;

export const agentApplying = z.strictObject({ agentId: z.uuid() });

/** The policies that apply to one agent, with the reasons. */
export const applyingView = z.strictObject({
  /** Policies that reach the agent, in order of precedence, including those without a revision for it. */
  policies: z.array(
    z.strictObject({
      id: z.uuid(),
      name: z.string(),
      /** The revision for this agent; 0 without one. */
      revision: z.number(),
      liveRevision: z.number(),
      /** Every way it reaches the agent, widest first. `group` is the name of a group or a person. */
      through: z.array(
        z.strictObject({
          scope: z.enum(SCOPES),
          group: z.string().nullable(),
          tag: z.string().nullable(),
        }),
      ),
      state: z.enum(["enforced", "observed", "outside_canary", "unpublished"]),
      observeUntil: z.date().nullable(),
      /** Its approval of a call does not count, because the owner of the agent is not proven. */
      cannotAllow: z.boolean(),
      /** The names of its rules that are only monitored. */
      monitored: z.array(z.string()),
      canary: z.strictObject({ revision: z.number(), share: z.number(), isInside: z.boolean() }).nullable(),
      /** The fate of its answers on the agent's client, in sentences. */
      onClient: z.array(z.string()),
    }),
  ),
  /** The name of the agent's client; null before its first event. */
  client: z.string().nullable(),
  /** The version from its latest drill or request header. */
  clientVersion: z.string().nullable(),
  /** The events that this version of the client does not raise, with the first one that does: hooks on them do nothing there. */
  laterEvents: z.array(z.strictObject({ event: z.string(), since: z.string() })),
  groups: z.array(z.strictObject({ id: z.uuid(), name: z.string() })),
  /** The policies that do not reach it. `groups` and `tags` are the targets of each. */
  others: z.array(
    z.strictObject({
      id: z.uuid(),
      name: z.string(),
      isApplied: z.boolean(),
      groups: z.array(z.string()),
      /** Groups of the sign-on provider, and people. */
      people: z.array(z.string()),
      tags: z.array(z.string()),
    }),
  ),
});
export type ApplyingView = z.infer<typeof applyingView>;
