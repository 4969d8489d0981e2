/** Schemas of extensions: the skills, plugins, slash commands and MCP servers on the machines of agents. */
import { EXTENSION_KINDS } from "@quarterdeck/hooks/contract/extension-kinds";
import { z } from "zod";
import { CLIENT_NAMES } from "../dialects/schema.ts";

/** Extensions in one report. */
export const REPORTED_MAX = 1_000;
/** Extensions kept per agent, with those of other projects and removed ones. */
export const KEPT_MAX = 3_000;
/** Reports of one client of an agent within a period. */
export const REPORTS_MAX = 60;
export const PERIOD_MINUTES = 10;
/** Versions that are accepted together. */
export const ACCEPTED_TOGETHER_MAX = 200;

// A text with a control character would not be the name or path of a file that a person can read.
const line = (lengthMax: number) =>
  z
    .string()
    .max(lengthMax)
    .regex(/^\P{Cc}*$/u, "Use one line without control characters.");

export const digestText = z.string().regex(/^[0-9a-f]{64}$/, "A digest has 64 hexadecimal digits.");

export const reportedExtension = z.strictObject({
  kind: z.enum(EXTENSION_KINDS),
  /** As the client names it in its calls. */
  name: line(200).min(1).meta({ description: "As the client names it in its calls." }),
  path: line(400).meta({ description: "Below the project, or with ~ for the user's home." }),
  scope: z.enum(["user", "project"]).meta({ description: "`user` includes what an administrator installed." }),
  version: line(100).nullable().meta({ description: "As the extension states it; null when it states none." }),
  digest: digestText.nullable().meta({ description: "Null if the extension could not be read whole." }),
});
export type ReportedExtension = z.infer<typeof reportedExtension>;

export const extensionReport = z.strictObject({
  client: z.enum(CLIENT_NAMES),
  project: line(400).nullable().meta({ description: "The folder of the project; null when none was read." }),
  is_complete: z.boolean().meta({ description: "Extensions that a complete report no longer names count as removed." }),
  extensions: z.array(reportedExtension).max(REPORTED_MAX),
});
export type ExtensionReport = z.infer<typeof extensionReport>;

const count = z.int().min(0);
export const extensionReported = z.strictObject({
  extensions: count,
  added: count,
  changed: count,
  removed: count,
  /** Those of this report that no person has accepted. */
  unaccepted: count,
});
export type ExtensionReported = z.infer<typeof extensionReported>;

export const EXTENSION_STATUSES = ["unaccepted", "accepted", "changed", "removed"] as const;
export type ExtensionStatus = (typeof EXTENSION_STATUSES)[number];

export const EXTENSION_SORTS = ["seen", "changed", "name"] as const;
export type ExtensionSort = (typeof EXTENSION_SORTS)[number];

const keyText = z.string().regex(/^[0-9a-f]{64}$/);
const cursor = z.strictObject({ sort: z.string().max(400), agentId: z.uuid(), key: keyText });

export const listExtensions = z.strictObject({
  clients: z.array(z.enum(CLIENT_NAMES)).max(CLIENT_NAMES.length).default([]),
  kinds: z.array(z.enum(EXTENSION_KINDS)).max(EXTENSION_KINDS.length).default([]),
  statuses: z.array(z.enum(EXTENSION_STATUSES)).max(EXTENSION_STATUSES.length).default([]),
  /** Parts of the names of agents. */
  agents: z.array(z.string().min(1).max(200)).max(20).default([]),
  /** Words that name, path and version must contain together. */
  text: z.string().max(200).default(""),
  sort: z.enum(EXTENSION_SORTS).default("changed"),
  isDescending: z.boolean().default(true),
  cursor: cursor.nullish(),
  /** Sent by paging clients; there is only one direction. */
  direction: z.literal("forward").optional(),
  limit: z.int().min(1).max(200).default(50),
});
export type ListExtensions = z.infer<typeof listExtensions>;

export const extensionView = z.strictObject({
  agentId: z.uuid(),
  agent: z.string(),
  key: keyText,
  /** Null for a client of another release. */
  client: z.enum(CLIENT_NAMES).nullable(),
  kind: z.enum(EXTENSION_KINDS),
  name: z.string(),
  project: z.string().nullable(),
  path: z.string(),
  version: z.string().nullable(),
  digest: digestText.nullable(),
  formerVersion: z.string().nullable(),
  formerDigest: digestText.nullable(),
  changedAt: z.date().nullable(),
  firstSeenAt: z.date(),
  lastSeenAt: z.date(),
  removedAt: z.date().nullable(),
  acceptedBy: z.string().nullable(),
  acceptedAt: z.date().nullable(),
});
export type ExtensionView = z.infer<typeof extensionView>;

export const extensionsPage = z.strictObject({
  rows: z.array(extensionView),
  next: cursor.nullable(),
  /** Rows that match; null on later pages. */
  total: z.number().nullable(),
  /** True if any agent of the workspace has reported its extensions. */
  isReported: z.boolean(),
});
export type ExtensionsPage = z.infer<typeof extensionsPage>;

/** A version as the page showed it: another digest has another decision. */
const shownVersion = z.strictObject({ agentId: z.uuid(), key: keyText, digest: digestText });
export const decideExtensions = z.strictObject({
  extensions: z.array(shownVersion).min(1).max(ACCEPTED_TOGETHER_MAX),
});
export type DecideExtensions = z.infer<typeof decideExtensions>;
export const decidedExtensions = z.strictObject({ versions: count });
export type DecidedExtensions = z.infer<typeof decidedExtensions>;
