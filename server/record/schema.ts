import { z } from "zod";

const seq = z.number().int().positive();

/** The dispatches in an export: none, their rows, or their leaves as the server makes them. */
export const EXPORT_DISPATCHES = ["none", "rows", "leaves"] as const;
const dispatches = z.enum(EXPORT_DISPATCHES).default("none");

export const exportStart = z.strictObject({ from: seq.optional(), to: seq.optional(), dispatches });
export type ExportStart = z.infer<typeof exportStart>;

const microseconds = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$/)
  .refine((text) => !Number.isNaN(Date.parse(text)) && text > "0001", "This is no instant.");

const place = z.strictObject({
  after: z.number().int().nonnegative(),
  to: z.number().int().nonnegative(),
  /** Entries in the pages before. */
  entries: z.number().int().nonnegative(),
  /** After the entries: the last dispatch checked among those without an entry. */
  strays: z
    .strictObject({
      at: z.union([z.literal("-infinity"), microseconds]),
      id: z.guid(),
    })
    .optional(),
});

export const exportPageInput = place.extend({
  dispatches,
  /** True when the export begins with the first entry: then dispatches that no entry speaks of come at the end. */
  isWhole: z.boolean().default(false),
});
export type ExportPageInput = z.infer<typeof exportPageInput>;

export const exportPage = z.strictObject({
  /** JSON lines. */
  text: z.string(),
  /** Null at the end. */
  next: place.nullable(),
  /** The number of entries in the whole export; with the first page only. */
  total: z.number().nullable(),
});
export type ExportPage = z.infer<typeof exportPage>;

/** An instant within years that PostgreSQL and ISO 8601 both write with four digits. */
const instant = z.date().min(new Date("2000-01-01T00:00:00Z")).max(new Date("2100-01-01T00:00:00Z"));
const values = z.array(z.string().max(200)).max(30).default([]);

export const auditRange = z
  .strictObject({ from: instant, to: instant })
  .refine(({ from, to }) => from < to, { error: "The range must end after it starts.", path: ["to"] });
export type AuditRange = z.infer<typeof auditRange>;

/** Values of one field mean any of them; fields, all of them. */
export const auditFilters = z.strictObject({
  /** Without any, everything but the batches of dispatches. */
  kind: values,
  /** Names; `Quarterdeck` for the server itself. */
  actor: values,
  /** Names or ids of what entries are about. */
  target: values,
});
export type AuditFilters = z.infer<typeof auditFilters>;

/** Whom entries without an actor are shown as. */
export const SERVER_ACTOR = "Quarterdeck";

export const listAudit = z.strictObject({
  range: auditRange,
  filters: auditFilters.prefault({}),
  /** The number of the entry that the page before this one ended with. */
  cursor: seq.nullish(),
  /** Said by infinite queries of the browser; pages only ever go forward. */
  direction: z.enum(["forward", "backward"]).optional(),
  limit: z.number().int().min(1).max(200).default(100),
});
export type ListAudit = z.infer<typeof listAudit>;

const members = z.record(z.string(), z.unknown());

export const auditView = z.strictObject({
  seq,
  at: z.date(),
  kind: z.string(),
  actor: z.strictObject({ kind: z.string(), id: z.string(), name: z.string() }).nullable(),
  from: z.strictObject({ ip: z.string().nullable(), userAgent: z.string().nullable() }).nullable(),
  /** The target of the entry: its type, its id, and its name if it is still known. */
  target: z.strictObject({ type: z.string(), id: z.string(), name: z.string().nullable() }).nullable(),
  /** As stored; null when it is not a JSON object. */
  body: members.nullable(),
  changes: z.record(z.string(), z.strictObject({ before: z.unknown(), after: z.unknown() })).nullable(),
});
export type AuditView = z.infer<typeof auditView>;

/** Batches of dispatches between two entries of a list that leaves them out. */
export const batchesView = z.strictObject({
  from: seq,
  to: seq,
  at: z.date(),
  batches: z.number(),
  /** The dispatches of these batches. */
  dispatches: z.number(),
});
export type BatchesView = z.infer<typeof batchesView>;

export const auditPage = z.strictObject({
  rows: z.array(auditView),
  next: seq.nullable(),
  /** Empty for a list with a filter. */
  batches: z.array(batchesView),
});

const facet = z.array(z.strictObject({ value: z.string(), count: z.number() }));
export const auditFacets = z.strictObject({ kind: facet, actor: facet, target: facet });
export type AuditFacets = z.infer<typeof auditFacets>;

export const entryBySeq = z.strictObject({ seq });

export const entryDetail = auditView.extend({
  hash: z.string(),
  previous: z.string(),
  chain: z.number(),
  /** True if its hash matches its content and the hash before. */
  holds: z.boolean(),
  /** The checkpoint that covers it; null until there is one. */
  checkpoint: z.strictObject({ seq, at: z.string(), key: z.string() }).nullable(),
  /** The entry as it is hashed and exported, as JSON. */
  raw: z.string(),
  /** A text before and after; `trouble` when the stored one is not the one the entry speaks of. */
  texts: z
    .strictObject({ label: z.string(), before: z.string(), after: z.string(), trouble: z.string().nullable() })
    .nullable(),
  neighbours: z.array(z.strictObject({ seq, kind: z.string(), hash: z.string() })),
});
export type EntryDetail = z.infer<typeof entryDetail>;

/** The kinds of data with a retention in days. */
export const RETENTION_KINDS = ["dispatches", "activity", "judge_calls", "figures"] as const;
export const retentionKind = z.enum(RETENTION_KINDS);
export type RetentionKind = z.infer<typeof retentionKind>;

const days = z.number().int().min(1).max(36_500).nullable();
/** Null: kept for ever. */
export const retentionDays = z.strictObject({
  dispatches: days,
  activity: days,
  judge_calls: days,
  figures: days,
});
export type RetentionDays = z.infer<typeof retentionDays>;

/** Rows of a kind are counted up to this number. */
export const COUNTED_MAX = 100_000;

export const retentionCount = z.strictObject({
  kind: retentionKind,
  /** Rows that would go now. */
  drop: z.number(),
  /** Rows that are old enough and stay, because a hold covers them. */
  held: z.number(),
  /** True if there are more than were counted. */
  isMore: z.boolean(),
});
export type RetentionCount = z.infer<typeof retentionCount>;

/** A rule that could not be carried out, and is tried again within the hour. */
export const retentionFault = z.strictObject({
  /** A kind of `RETENTION_KINDS`, or the table of a fixed period. */
  rule: z.string(),
  says: z.string(),
  since: z.date(),
  failedAt: z.date(),
  failures: z.number(),
});
export type RetentionFault = z.infer<typeof retentionFault>;

export const setCheckpoints = z.strictObject({
  entries: z.number().int().min(1).max(1_000_000),
  seconds: z.number().int().min(1).max(86_400),
  webhookUrl: z.string().max(2_000).nullable(),
});
export type SetCheckpoints = z.infer<typeof setCheckpoints>;

const reason = z.string().trim().min(1, "Say why.").max(500, "A reason has at most 500 characters.");
export const addHold = z
  .strictObject({
    reason,
    agentId: z.uuid().nullable(),
    sessionId: z.string().min(1).max(256).nullable(),
    from: instant.nullable(),
    to: instant.nullable(),
  })
  .refine(({ from, to }) => from === null || to === null || from < to, "The range must end after it starts.");
export type AddHold = z.infer<typeof addHold>;

export const holdById = z.strictObject({ id: z.uuid() });
export const holdView = z.strictObject({
  id: z.uuid(),
  reason: z.string(),
  agentId: z.uuid().nullable(),
  agentName: z.string().nullable(),
  sessionId: z.string().nullable(),
  from: z.date().nullable(),
  to: z.date().nullable(),
  createdAt: z.date(),
  createdBy: z.string(),
});
export type HoldView = z.infer<typeof holdView>;

/** PostgreSQL stores no NUL, so nothing is ever found by a text with one. */
const storedText = z
  .string()
  .trim()
  .min(1)
  .max(256, "This is too long: at most 256 characters.")
  .refine((text) => !text.includes("\0"), "No text holds this character.");

/** The content to erase: of a session, or of an agent by its name. */
export const requestErasure = z
  .strictObject({
    sessionId: storedText.nullable(),
    /** An agent's name: as lists show it, the enrolled one alone, or the one that its events report. */
    agentName: storedText.nullable(),
    reason: reason.refine((text) => !text.includes("\0"), "No text holds this character."),
  })
  .refine(({ sessionId, agentName }) => sessionId !== null || agentName !== null, {
    message: "Name a session or an agent.",
    path: ["sessionId"],
  });
export type RequestErasure = z.infer<typeof requestErasure>;

/** The id or the address that an entry shows. */
export const erasePerson = z.strictObject({
  person: storedText,
  reason: reason.refine((text) => !text.includes("\0"), "No text holds this character."),
});
export type ErasePerson = z.infer<typeof erasePerson>;
/** The number of names that are gone, one per entry. */
export const erasedPerson = z.strictObject({ names: z.number().int() });
export type ErasedPerson = z.infer<typeof erasedPerson>;

export const erasureById = z.strictObject({ id: z.uuid() });

export const erasureView = z.strictObject({
  id: z.uuid(),
  /** Null once the request is withdrawn: then it is forgotten whose content it was. */
  sessionId: z.string().nullable(),
  agentName: z.string().nullable(),
  /** Takes the place of the name. */
  alias: z.string(),
  reason: z.string(),
  requestedBy: z.string(),
  requestedAt: z.date(),
  /** `standing`: everything is erased, and later reports will be erased too. */
  state: z.enum(["running", "standing", "withdrawn"]),
  /** The table that is walked; null before and after. */
  table: z.string().nullable(),
  /** Up to when the log was walked; null unless it is being walked. */
  reachedAt: z.date().nullable(),
  erased: z.number(),
  /** Rows made of dispatches: projections, sums, trials, test cases. */
  copies: z.number(),
  held: z.number(),
  finishedAt: z.date().nullable(),
  withdrawnAt: z.date().nullable(),
  withdrawnBy: z.string().nullable(),
  /** The reason why the last step failed; it is tried again. */
  fault: z.string().nullable(),
});
export type ErasureView = z.infer<typeof erasureView>;

/** The limits of every request, in sentences for people. */
export const BEYOND_ERASURE = [
  "Backups keep what they hold until they expire: erase again after restoring one.",
  "Exports that were downloaded, webhooks that were delivered and letters that were sent are elsewhere.",
  "Spools on agents' machines hold events that were not reported yet; they are erased when they arrive.",
  "The log keeps the session's id and the agent's name of each erased dispatch, since its proof covers them; retention drops them.",
  "Closed statements and audit entries cannot be changed; they may name an agent.",
  "An active agent keeps the name until it is renamed or retired.",
] as const;

export const RAW_HOURS_MAX = 168;
/** Null hours: masked again from now on. */
export const setRawCapture = z.strictObject({ hours: z.number().int().min(1).max(RAW_HOURS_MAX).nullable(), reason });
export type SetRawCapture = z.infer<typeof setRawCapture>;

export const recordState = z.strictObject({
  entries: z.number(),
  lastEntryAt: z.date().nullable(),
  lastCheckpoint: z
    .strictObject({
      seq,
      at: z.string(),
      key: z.string(),
      webhook: z
        .strictObject({ delivered: z.boolean(), attempts: z.number(), error: z.string().nullable() })
        .nullable(),
    })
    .nullable(),
  unvouched: z.number(),
  /** The reason why no checkpoints are signed; null without a problem. */
  fault: z.string().nullable(),
  /** Where this node writes checkpoints; null where pages are prefetched. */
  file: z.string().nullable(),
  keys: z.array(z.strictObject({ id: z.string(), publicKey: z.string(), since: z.date() })),
  checkpoints: setCheckpoints,
  retention: retentionDays,
  retentionFaults: z.array(retentionFault),
  holds: z.array(holdView),
});
export type RecordState = z.infer<typeof recordState>;

/** The workspace's checkpoints after an attempt to sign one. `seq`: the last entry in a checkpoint; null without any. */
export const checkpointResult = recordState.pick({ unvouched: true, fault: true }).extend({ seq: seq.nullable() });
export type CheckpointResult = z.infer<typeof checkpointResult>;

export const rawState = z.strictObject({ until: z.date().nullable(), reason: z.string().nullable() });
