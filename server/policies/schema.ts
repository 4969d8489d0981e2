import { PROFILES } from "@quarterdeck/hooks/contract/events";
import { BLOCKING_RULES } from "@quarterdeck/hooks/contract/lint/blocking-rules";
import { SOURCE_BYTES_MAX } from "@quarterdeck/hooks/contract/text/source-limit";
import { textFinding, textProblem, textWait } from "@quarterdeck/hooks/contract/text/text-problems";
import { unkeepable } from "@quarterdeck/hooks/contract/text/utf8";
import { z } from "zod";
import { carriedLine, IMPORTED_CLIENT_NAMES, notCarriedLine } from "../dialects/import-schema.ts";
import { monitoredRuleView } from "./assignments/monitored-rule-schema.ts";
import { canaryLimits, canaryOwnLimits, canaryWithdrawal } from "./canary-watch/limits-schema.ts";

/** A policy's YAML text. */
export const POLICY_SOURCE_BYTES_MAX = SOURCE_BYTES_MAX;

export const policyName = z
  .string()
  .trim()
  .min(1, "Enter a name.")
  .max(64, "A name has at most 64 characters.")
  .regex(/^[\p{L}\p{N}][\p{L}\p{N} ._-]*$/u, "Use letters, digits, spaces, dots, dashes and underscores.");
// PostgreSQL stores no NUL and no half of a surrogate pair, and no policy needs one.
const storable = (text: string) => unkeepable(text) === null;
export const policySource = z
  .string()
  .refine(
    (text) => new TextEncoder().encode(text).length <= POLICY_SOURCE_BYTES_MAX,
    "A policy has at most 512 KiB. Split it into several policies.",
  )
  .refine(storable, "The text holds a NUL, or half of a character that was cut in two. Remove it.");
export const note = z
  .string()
  .trim()
  .max(2_000, "A note has at most 2,000 characters.")
  .refine(storable, "The note holds a NUL, or half of a character that was cut in two. Remove it.");

export const policyById = z.strictObject({ policyId: z.uuid() });
export type PolicyById = z.infer<typeof policyById>;

/** Asks for the policies after this name; absent for the first page. */
export const pageByName = z.strictObject({ cursor: policyName.nullish() }).optional();
export type PageByName = z.infer<typeof pageByName>;

/** Each names its hooks, which are large. */
export const REVISIONS_PAGE_ROWS = 100;
/** Asks for the revisions before this number, the last of the page before; absent for the first page. */
export const listRevisions = policyById.extend({ cursor: z.number().int().min(1).max(2_147_483_647).nullish() });

export const createPolicy = z.strictObject({ name: policyName, source: policySource.optional() });
export type CreatePolicy = z.infer<typeof createPolicy>;

export const saveDraft = z.strictObject({
  policyId: z.uuid(),
  source: policySource,
  /** The draft's version this edit began from; 0 when there was no draft. */
  baseVersion: z.number().int().min(0).max(2_147_483_647),
  /** The latest revision when this edit began. A first draft on an older one is refused. */
  baseRevision: z.number().int().min(0).max(2_147_483_647),
  /** The latest revision, when the draft was brought up to it; refused on an older one. The draft's own stays when absent. */
  onRevision: z.number().int().min(1).max(2_147_483_647).optional(),
});
export type SaveDraft = z.infer<typeof saveDraft>;

/** Putting a revision in force despite failing test cases or findings that block: knowingly, and on record. */
export const override = z.strictObject({
  /** The policy's name, typed once more. */
  typed: z.string().max(64),
  reason: note.min(1, "Enter a reason for the override."),
  /** False if failing test cases still block. */
  cases: z.boolean().optional(),
  /** The rules whose findings are overridden; only an admin may. A finding of another rule still blocks. */
  rules: z.array(z.enum(BLOCKING_RULES)).max(BLOCKING_RULES.length).optional(),
});
export type Override = z.infer<typeof override>;

/** A whole percentage of the agents a policy binds, chosen by hash: raising it only adds agents. */
export const canaryShare = z.number().int().min(0).max(100);
export const canaryGroup = z.uuid().nullable().default(null);

/**
 * The agents that a new revision reaches first. The agents outside a canary keep the live revision, or none before the
 * first one.
 */
export const rollout = z
  .discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("everyone") }),
    z.strictObject({ kind: z.literal("canary"), share: canaryShare, groupId: canaryGroup, limits: canaryOwnLimits }),
  ])
  .refine((chosen) => chosen.kind === "everyone" || chosen.share > 0 || chosen.groupId !== null, {
    path: ["share"],
    error: "A canary needs a share of the agents or a group.",
  });
export type Rollout = z.infer<typeof rollout>;

export const publishPolicy = z.strictObject({
  policyId: z.uuid(),
  source: policySource,
  note: note.default(""),
  /** The latest revision the author saw; publishing on an older one is refused. */
  baseRevision: z.number().int().min(0).max(2_147_483_647),
  /** The version of the draft that the author saw; 0 without a draft. Publishing discards no other version. */
  draftVersion: z.number().int().min(0).max(2_147_483_647),
  override: override.optional(),
  /** Everyone when absent. */
  rollout: rollout.optional(),
});
export type PublishPolicy = z.infer<typeof publishPolicy>;

/** A script's publication: by name, on top of the latest revision. */
export const publishByName = z.strictObject({
  name: policyName,
  source: policySource,
  note: note.default(""),
  override: override.optional(),
  /** Everyone when absent. */
  rollout: rollout.optional(),
});
export type PublishByName = z.infer<typeof publishByName>;

/** A text to check; of the policy that it is for, the clients it binds are known too. */
export const checkPolicy = z.strictObject({ source: policySource, policyId: z.uuid().optional() });
export type CheckPolicy = z.infer<typeof checkPolicy>;

export const IMPORT_BYTES_MAX = 2 * POLICY_SOURCE_BYTES_MAX;
export const IMPORT_TOO_LARGE = "A file to import has at most 1 MiB. Keep only the required agent, or split the file.";
/** A file to import: an agent file, settings, a hooks block, a bundle (whose JSON doubles quotes and line ends). */
const importedFile = z
  .string()
  .refine((text) => new TextEncoder().encode(text).length <= IMPORT_BYTES_MAX, IMPORT_TOO_LARGE)
  .refine(storable, "The file holds a NUL, or half of a character that was cut in two. Remove it.");
export const importFile = z.strictObject({
  source: importedFile,
  /** One agent of an agent file; absent for all. */
  agent: z.string().max(200).optional(),
  /** docker-agent's `--hook-*` flags: shell commands per event. */
  commands: z.record(z.string(), z.array(z.string().max(65_536)).max(256)).optional(),
});
export type ImportFile = z.infer<typeof importFile>;

/** A file of another client: its hooks and permission rules become a policy. */
export const importClientFile = z.strictObject({ client: z.enum(IMPORTED_CLIENT_NAMES), source: importedFile });
export type ImportClientFile = z.infer<typeof importClientFile>;

export const revisionByNumber = z.strictObject({
  policyId: z.uuid(),
  number: z.number().int().min(1).max(2_147_483_647),
});
export type RevisionByNumber = z.infer<typeof revisionByNumber>;

/** One thing that is wrong with a policy's text. Line and column count from 1. */
export const policyProblem = textProblem.extend({
  /** The rule of a finding that blocks; absent for an error of the text. */
  rule: z.enum(BLOCKING_RULES).optional(),
});
export type PolicyProblem = z.infer<typeof policyProblem>;

export const checkView = z.strictObject({
  problems: z.array(policyProblem),
  /** The findings of the linter; none while the text cannot be read. */
  findings: z.array(textFinding),
  profile: z.enum(PROFILES),
  /** Hooks per event, in the order they are written; empty while the text does not parse. */
  events: z.array(z.strictObject({ event: z.string(), hooks: z.number(), agentHooks: z.number() })),
  /** The gates with time limits that a client does not wait for. */
  waits: z.array(textWait),
});
export type CheckView = z.infer<typeof checkView>;

/** The context that a text is checked against: what can run here, and the tools that the fleet has used. */
export const checkContextView = z.strictObject({
  equipment: z.strictObject({ builtins: z.array(z.string()), models: z.boolean(), evaluators: z.boolean() }),
  /** Tools by name. `count` covers the last 30 days and stops at `TOOL_COUNT_MAX`. */
  tools: z.array(z.strictObject({ name: z.string(), count: z.number() })),
  /** The judge prompts, by the fingerprints of their revisions, the newest first. */
  judges: z.array(
    z.strictObject({
      name: z.string(),
      revisions: z.array(z.strictObject({ number: z.number(), fingerprint: z.string() })),
    }),
  ),
});
export type CheckContextView = z.infer<typeof checkContextView>;
export const TOOL_COUNT_MAX = 500;

export const importedView = z.strictObject({
  /** The text of a policy; a draft's text before the first publication. */
  source: z.string(),
  /** The name that a bundle gives itself; null for other files. */
  name: z.string().nullable(),
  agents: z.array(z.string()),
  /** Sentences on the imported and the omitted parts. */
  notes: z.array(z.string()),
  check: checkView,
});
export type ImportedView = z.infer<typeof importedView>;

export const importedClientView = z.strictObject({
  policyYaml: z.string(),
  carried: z.array(carriedLine),
  notCarried: z.array(notCarriedLine),
  check: checkView,
});
export type ImportedClientView = z.infer<typeof importedClientView>;

export const exportBundle = z.strictObject({
  policy: z.union([z.strictObject({ id: z.uuid() }), z.strictObject({ name: policyName })]),
  /** The latest when absent. */
  number: z.number().int().min(1).max(2_147_483_647).optional(),
});
export type ExportBundle = z.infer<typeof exportBundle>;

export const RELEASE_CHARACTERS_MAX = 40;
/** A version of docker-agent, as 1.147 or v1.147.0. The service refuses one of no known release and names those. */
const release = z.string().trim().min(1).max(RELEASE_CHARACTERS_MAX).optional();
const agentName = z.string().min(1).max(200);

export const exportAgent = z.strictObject({ name: agentName, release });

export const exportNative = z.strictObject({
  of: z.union([z.strictObject({ agent: agentName }), z.strictObject({ policy: policyName })]),
  release,
});
export type ExportNative = z.infer<typeof exportNative>;

/** The export for one release of docker-agent, or the refusal with each gate that it would lose. */
export const nativeExportView = z.strictObject({
  /** The releases to choose from, the newest first. */
  releases: z.array(z.strictObject({ name: z.string(), title: z.string() })),
  /** The one that this export is for, by its name. */
  release: z.string(),
  chosenBy: z.enum(["request", "agent", "default"]),
  /** The version that the agent reported; null when it reported none or is no docker-agent. */
  agentVersion: z.string().nullable(),
  /** Null when the export is refused. */
  yaml: z.string().nullable(),
  lost: z.array(z.strictObject({ hook: z.string(), event: z.string(), reason: z.string(), remedy: z.string() })),
  leftOut: z.array(z.strictObject({ hook: z.string(), event: z.string(), reason: z.string() })),
  notes: z.array(z.string()),
});
export type NativeExportView = z.infer<typeof nativeExportView>;

/** A revision that some agents have before the others. */
export const canaryView = z.strictObject({
  revision: z.number(),
  /** Percent of the agents, by hash. */
  share: z.number(),
  group: z.strictObject({ id: z.uuid(), name: z.string() }).nullable(),
  /** When it began, or whom it reaches was last changed. */
  since: z.date(),
  by: z.string(),
  /** The number of enrolled agents inside, of those the policy binds. */
  inside: z.number(),
  /** The limits that withdraw it by themselves; null without. */
  limits: canaryLimits.nullable(),
});
export type CanaryView = z.infer<typeof canaryView>;

/** The state of an observed policy, which runs without effect. */
export const observedView = z.strictObject({
  /** When the first assignment is enforced, by itself. */
  until: z.date(),
  since: z.date(),
  by: z.string(),
  /** The number of enrolled agents that it only observes; the others that it binds are under it. */
  agents: z.number(),
});
export type ObservedView = z.infer<typeof observedView>;

export const policyView = z.strictObject({
  id: z.uuid(),
  name: z.string(),
  isDemo: z.boolean(),
  createdAt: z.date(),
  /** The newest; 0 before the first publication. The next publication is one more. */
  latestRevision: z.number(),
  /** The one in force; 0 when none is. */
  liveRevision: z.number(),
  /** The publication time of the revision in force, or of the newest if none is in force for every agent. */
  publishedAt: z.date().nullable(),
  publishedBy: z.string().nullable(),
  note: z.string().nullable(),
  latestBy: z.string().nullable(),
  hasDraft: z.boolean(),
  scope: z.enum(["workspace", "chosen", "nobody"]),
  tags: z.array(z.string()),
  groups: z.array(z.strictObject({ id: z.uuid(), name: z.string() })),
  agents: z.array(z.strictObject({ id: z.uuid(), name: z.string() })),
  /** People and services whose agents it binds. */
  people: z.array(z.strictObject({ id: z.uuid(), name: z.string() })),
  /** Groups of the sign-on provider: it binds the agents of their members. */
  signOnGroups: z.array(z.strictObject({ id: z.uuid(), name: z.string() })),
  /** The number of enrolled agents that it binds today, each once. */
  bound: z.number(),
  canary: canaryView.nullable(),
  /** The last canary, if its limits withdrew it; null once a canary or a revision in force follows. */
  withdrawal: canaryWithdrawal.nullable(),
  observed: observedView.nullable(),
  /** The rules in force that are only monitored; the one that is enforced next comes first. */
  monitored: z.array(monitoredRuleView),
  hooks: z.number(),
  /** The denials of the revision in force, else of the newest, in one sentence; null without one. */
  denies: z.string().nullable(),
  /** Assigned agents that it cannot stop, with the sentence; null without such agents. */
  unheld: z.strictObject({ agents: z.number(), says: z.string() }).nullable(),
});
export type PolicyView = z.infer<typeof policyView>;

/** The ways in which calls pass although policies are in force. */
export const gateGaps = z.strictObject({
  /** Policies that cannot stop some of the agents they are assigned to. */
  unheld: z.strictObject({
    policies: z.number(),
    /** A few of them. */
    shown: z.array(z.strictObject({ policyId: z.uuid(), policy: z.string(), says: z.string() })),
  }),
  /** Agents that sent calls and have no enforced policy; a few of their names. */
  ungoverned: z.strictObject({ agents: z.number(), names: z.array(z.string()) }),
});
export type GateGaps = z.infer<typeof gateGaps>;

/** A revision in force with parts that this release cannot read. */
export const unreadableRevisionView = z.strictObject({
  revision: z.number(),
  /** The events at which calls are denied for that reason. */
  gates: z.array(z.string()),
  problems: z.array(z.strictObject({ path: z.string(), message: z.string() })),
});
export type UnreadableRevisionView = z.infer<typeof unreadableRevisionView>;

/** An agent counts as in yolo mode for this long after an event that said so. */
export const YOLO_WITHIN_HOURS = 24;
/** The maximum number of shown problems of an unreadable revision. */
export const UNREADABLE_SHOWN_MAX = 20;

/** A revision that took effect despite findings that block. */
export const overrideView = z.strictObject({
  /** The revision. */
  number: z.number(),
  reason: z.string(),
  by: z.string(),
  at: z.date(),
  findings: z.array(z.strictObject({ rule: z.string(), path: z.string(), message: z.string() })),
});
export type OverrideView = z.infer<typeof overrideView>;

export const policyDetailView = policyView.extend({
  /** The draft's text, else the canary's, else the live revision's, else the newest, else the starting text. */
  source: z.string(),
  /** The text in force; "" before the first publication. */
  publishedSource: z.string(),
  /** 0 without a draft. */
  draftVersion: z.number(),
  draftUpdatedAt: z.date().nullable(),
  draftUpdatedBy: z.string().nullable(),
  draftBaseRevision: z.number(),
  unreadable: z.array(unreadableRevisionView),
  /** The overrides of the revisions in force, the newest first. */
  overrides: z.array(overrideView),
  /** The problem of each assignment that cannot be read: it binds every agent, or is enforced. */
  unreadableAssignments: z.array(z.string()),
});
export type PolicyDetailView = z.infer<typeof policyDetailView>;

export const revisionView = z.strictObject({
  number: z.number(),
  profile: z.string(),
  sha256: z.string(),
  note: z.string(),
  author: z.string(),
  createdAt: z.date(),
  hooks: z.number(),
});
export type RevisionView = z.infer<typeof revisionView>;
export const revisionDetailView = revisionView.extend({
  source: z.string(),
  /** The newest first. */
  overrides: z.array(overrideView),
});
export type RevisionDetailView = z.infer<typeof revisionDetailView>;

export const draftSavedView = z.strictObject({ version: z.number(), updatedAt: z.date() });
export type DraftSavedView = z.infer<typeof draftSavedView>;

export const publishedView = z.strictObject({
  policyId: z.uuid(),
  name: z.string(),
  number: z.number(),
  sha256: z.string(),
  /** The number of enrolled agents that it governs from now on. */
  agents: z.number(),
});
export type PublishedView = z.infer<typeof publishedView>;

/** `entry` is the number of the last audit entry of the publication, for an undo. */
export const publicationView = publishedView.extend({ entry: z.number() });
export type PublicationView = z.infer<typeof publicationView>;

/** The effective policy of an agent, as the agent fetches it. */
export const agentPolicyView = z.strictObject({
  /** Names this very set of revisions; "none" when nothing is assigned. */
  revision: z.string(),
  profile: z.enum(PROFILES),
  policies: z.array(z.strictObject({ name: z.string(), revision: z.number(), sha256: z.string() })),
  /** docker-agent's hooks block, with Quarterdeck's own keys (`run_on`). */
  hooks: z.record(z.string(), z.array(z.looseObject({}))),
});
export type AgentPolicyView = z.infer<typeof agentPolicyView>;

/**
 * The same for an executor on the agent's machine: the agent, and the hooks of each policy separately, so that a hook
 * keeps its position.
 */
export const executorPolicyView = z.strictObject({
  version: z.literal(2),
  /** The agent it binds, so that one agent's policy is no use for another. */
  agent: z.string(),
  revision: z.string(),
  profile: z.enum(PROFILES),
  /** The workspace's policies, then the agent's own: docker-agent's merging order. */
  sources: z.array(
    z.strictObject({
      policy: z.string(),
      revision: z.number(),
      hooks: z.record(z.string(), z.array(z.looseObject({}))),
      /** That of the policy's own text, where it is older: its builtins act by it. */
      profile: z.enum(PROFILES).optional(),
      /** Hooks without effect until an instant (ISO 8601), by their path: `hooks.pre_tool_use[0].hooks[1]`. */
      monitored: z.array(z.strictObject({ path: z.string(), until: z.string() })).optional(),
    }),
  ),
});
export type ExecutorPolicyView = z.infer<typeof executorPolicyView>;

export const signingKeyView = z.strictObject({
  keyid: z.string(),
  algorithm: z.literal("ed25519"),
  /** PEM, SubjectPublicKeyInfo. */
  public_key: z.string(),
});
