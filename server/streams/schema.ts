/** Streams of the record to other systems: inputs and views. */
import { z } from "zod";

export const STREAM_LIMITS = {
  perWorkspace: 10,
  batchMax: 1_000,
  rateMax: 5_000,
  agentsMax: 500,
  /** Set-aside events that a page shows. */
  setAsideShown: 50,
  tailMax: 500,
  manifestMax: 5_000,
} as const;

/** The types of receivers. */
export const RECEIVER_KINDS = ["splunk", "elastic", "http", "syslog", "s3"] as const;
export const receiverKind = z.enum(RECEIVER_KINDS);
export type ReceiverKind = z.infer<typeof receiverKind>;

export const STREAM_FORMATS = ["ocsf", "quarterdeck"] as const;
export const streamFormat = z.enum(STREAM_FORMATS);
export type StreamFormat = z.infer<typeof streamFormat>;

/** `facts`: no text of a conversation or of a person. `masked`: secrets are masked again. `stored`: as it is stored. */
export const MASKING_LEVELS = ["facts", "masked", "stored"] as const;
export const maskingLevel = z.enum(MASKING_LEVELS);
export type MaskingLevel = z.infer<typeof maskingLevel>;

/** The kinds of events of the record, as filters name them. */
export const EVENT_KINDS = {
  decision: "Decisions of gates",
  final_decision: "Final decisions of agents",
  approval: "Approvals and exceptions",
  halt: "Halts",
  policy: "Policy changes",
  sign_in: "Sign-ins and account changes",
  cost: "Model calls and costs",
  compaction: "Compactions",
  administration: "Other administrative changes",
  event: "Other events of agents",
} as const;
export type EventKind = keyof typeof EVENT_KINDS;
// Holds: the keys of an object literal of this module.
export const EVENT_KIND_NAMES = Object.keys(EVENT_KINDS) as [EventKind, ...EventKind[]];
export const eventKind = z.enum(EVENT_KIND_NAMES);
/** Everything but the events that decide nothing. */
export const USUAL_KINDS: readonly EventKind[] = EVENT_KIND_NAMES.filter((kind) => kind !== "event");

/** The types of files in a store. */
export const FILE_TYPES = ["ndjson", "parquet"] as const;
export type FileType = (typeof FILE_TYPES)[number];

export const AGENT_MODES = ["all", "only", "except"] as const;
const agentsMode = z.enum(AGENT_MODES);

/** The filter of a stream. Agents limit events of agents; administrative changes pass. */
export const eventFilter = z.strictObject({
  kinds: z
    .array(eventKind)
    .min(1, "Choose at least one kind of event.")
    .transform((kinds) => [...new Set(kinds)].sort()),
  agentsMode: agentsMode.default("all"),
  agents: z.array(z.uuid()).max(STREAM_LIMITS.agentsMax).default([]),
});
export type EventFilter = z.infer<typeof eventFilter>;

const PEM = /^(-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----\s*)+$/;
const certificates = z
  .string()
  .trim()
  .max(16_384)
  .refine((text) => text === "" || PEM.test(text), "Paste certificates in PEM format.");

/** The settings of a receiver that are no secret. Fields that its kind does not use are empty. */
export const streamTarget = z.strictObject({
  /** A URL; for syslog `host:port`. */
  address: z.string().trim().min(1, "Enter an address.").max(500),
  /** The index of Splunk, or the data stream or index of Elastic. */
  index: z
    .string()
    .trim()
    .max(200)
    .regex(/^[\w.-]*$/, "Use letters, digits, dots, hyphens and underscores.")
    .default(""),
  bucket: z
    .string()
    .trim()
    .max(63)
    .regex(/^([a-z0-9][a-z0-9.-]+)?$/, "Enter the name of a bucket.")
    .default(""),
  region: z
    .string()
    .trim()
    .max(40)
    .regex(/^[a-z0-9-]*$/, "Enter a region such as eu-central-1.")
    .default(""),
  prefix: z
    .string()
    .trim()
    .max(200)
    .regex(/^[\w./-]*$/, "Use letters, digits and slashes.")
    .default(""),
  fileType: z.enum(FILE_TYPES).default("ndjson"),
  accessKeyId: z.string().trim().max(128).regex(/^\w*$/, "Enter the id of an access key.").default(""),
  /** Certificates that the receiver's certificate must descend from; empty: those of the system. */
  ca: certificates.default(""),
});
export type StreamTarget = z.infer<typeof streamTarget>;

const settings = {
  name: z.string().trim().min(1, "Enter a name.").max(80),
  kind: receiverKind,
  format: streamFormat,
  masking: maskingLevel.default("masked"),
  batchMax: z.number().int().min(1).max(STREAM_LIMITS.batchMax).default(500),
  rateMax: z.number().int().min(1).max(STREAM_LIMITS.rateMax).default(1_000),
  isEnabled: z.boolean(),
};

export const saveStream = z
  .strictObject({
    /** Absent for a new one. */
    id: z.uuid().optional(),
    ...settings,
    ...streamTarget.shape,
    ...eventFilter.shape,
    /** A token, a password or a key of the receiver. Null keeps the stored one; empty removes it. */
    secret: z.string().trim().max(16_384).nullable(),
    /** Where a new stream begins. */
    from: z.enum(["now", "start"]).default("now"),
  })
  .superRefine(({ kind, index, bucket, region, accessKeyId }, context) => {
    const need = (path: string, isThere: boolean, message: string) => {
      if (!isThere) context.addIssue({ code: "custom", path: [path], message });
    };
    if (kind === "elastic") need("index", index !== "", "Enter a data stream or index.");
    if (kind !== "s3") return;
    need("bucket", bucket !== "", "Enter a bucket.");
    need("region", region !== "", "Enter a region.");
    need("accessKeyId", accessKeyId !== "", "Enter the id of an access key.");
  });
export type SaveStream = z.infer<typeof saveStream>;

export const streamById = z.strictObject({ id: z.uuid() });
export type StreamById = z.infer<typeof streamById>;

export const streamView = z.strictObject({
  ...{ id: z.uuid(), ...settings, ...streamTarget.shape, ...eventFilter.shape },
  hasSecret: z.boolean(),
  /** The number of the chain's last entry that the stream has passed, and of the chain's head. */
  seq: z.number(),
  head: z.number(),
  events: z.number(),
  setAside: z.number(),
  resent: z.number(),
  removed: z.number(),
  /** Age of the oldest entry that was not passed; 0 when all were. */
  lagMs: z.number(),
  attempts: z.number(),
  status: z.number().nullable(),
  /** Null after a request that was accepted. */
  error: z.string().nullable(),
  nextAt: z.date(),
  acceptedAt: z.date().nullable(),
  updatedAt: z.date(),
  updatedBy: z.string(),
});
export type StreamView = z.infer<typeof streamView>;

export const testedStream = z.strictObject({ status: z.number().nullable(), error: z.string().nullable() });
export type TestedStream = z.infer<typeof testedStream>;

export const setAsideView = z.strictObject({
  seq: z.number(),
  place: z.number(),
  at: z.date(),
  kind: z.string(),
  status: z.number().nullable(),
  reason: z.string(),
});
export type SetAsideView = z.infer<typeof setAsideView>;

/** Another attempt at the events that were set aside. `removed`: by retention, so that they cannot be sent. */
export const resentEvents = z.strictObject({
  ...{ accepted: z.number(), refused: z.number(), removed: z.number() },
  /** Null unless nothing could be sent. */
  error: z.string().nullable(),
});
export type ResentEvents = z.infer<typeof resentEvents>;

/** A place in the record: the number of an entry of the chain, and of a row within a batch. */
export const position = z.strictObject({
  seq: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER),
  place: z.number().int().min(0).max(2_147_483_647),
});
export type Position = z.infer<typeof position>;

export const rewindStream = streamById.extend({
  /** The stream continues after this entry of the chain; 0 is the beginning. */
  seq: position.shape.seq,
});
export type RewindStream = z.infer<typeof rewindStream>;

/** Compares a stream with the record, some marks at a time; `after` is where the last page ended. */
export const checkStream = streamById.extend({ after: position.nullable().default(null) });
export type CheckStream = z.infer<typeof checkStream>;

const count = z.number().int().nonnegative();
export const streamCheck = z.strictObject({
  /** The events that the stream counted. */
  sent: count,
  /** The events that the record gives now. */
  recorded: count,
  /** Events that retention has removed since. */
  removed: count,
  /** Ranges whose count or hash differs. */
  differing: z.array(z.strictObject({ from: z.number(), to: z.number(), sent: count, recorded: count })),
  /** The entry that the compared range ends with. */
  to: z.number(),
  next: position.nullable(),
});
export type StreamCheck = z.infer<typeof streamCheck>;

/** Events of the record after a position, as lines. */
export const tailRecord = z.strictObject({
  after: position.nullable(),
  ...eventFilter.shape,
  format: streamFormat.default("quarterdeck"),
  masking: maskingLevel.default("masked"),
  limit: z.number().int().min(1).max(STREAM_LIMITS.tailMax).default(STREAM_LIMITS.tailMax),
});
export type TailRecord = z.infer<typeof tailRecord>;
export const tailPage = z.strictObject({
  lines: z.array(z.string()),
  /** Where the next page begins. */
  after: position,
  isMore: z.boolean(),
});
export type TailPage = z.infer<typeof tailPage>;

/** The events of a range with their hashes, to compare with what a receiver has. */
export const listManifest = z.strictObject({
  after: position,
  /** The last entry of the chain. */
  to: position.shape.seq,
  ...eventFilter.shape,
});
export type ListManifest = z.infer<typeof listManifest>;
export const manifestPage = z.strictObject({
  events: z.array(z.strictObject({ id: z.string(), hash: z.string() })),
  removed: count,
  next: position.nullable(),
});
export type ManifestPage = z.infer<typeof manifestPage>;
