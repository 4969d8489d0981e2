/** The manifest of a backup: the first entry of its tar file. */
import { z } from "zod";
import { SECRET_FILES } from "../platform/secrets.ts";

export const BACKUP_FORMAT = 1;
export const MANIFEST_NAME = "manifest.json";
/** A manifest lists tables and migrations; only the number of monthly partitions grows. */
export const MANIFEST_BYTES_MAX = 4 * 1024 * 1024;

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
/** Names end up in SQL, quoted; these are the ones that migrations make. */
const identifier = z.string().regex(/^[a-z_][a-z0-9_]{0,62}$/);

export const tableEntry = z.strictObject({
  name: identifier,
  columns: z.array(identifier).min(1).max(500),
  rows: z.number().int().min(0),
  /** The order of the rows. Older backups do not say it: then it is the primary key that their migrations made. */
  key: z.array(identifier).max(32).optional(),
  /** SHA-256 of the table's COPY text, in that order. */
  sha256,
});
export type TableEntry = z.infer<typeof tableEntry>;

export const partitionEntry = z.strictObject({
  name: identifier,
  of: identifier,
  /** As PostgreSQL writes it: `FOR VALUES FROM ('2026-11-01') TO ('2026-12-01')`. */
  bound: z.string().regex(/^(DEFAULT|FOR VALUES FROM \('[0-9 :+.-]+'\) TO \('[0-9 :+.-]+'\))$/),
});

const CHECKPOINT_FILE = /^checkpoints\/[a-z0-9][a-z0-9._-]{0,199}$/i;

export const secretEntry = z.strictObject({
  /**
   * Relative to the data directory: one of the secrets, or a checkpoint file. A backup may write no other file there.
   */
  name: z.string().refine((name) => SECRET_FILES.some((one) => one === name) || CHECKPOINT_FILE.test(name)),
  sha256,
});
const areDistinct = (list: readonly { readonly name: string }[]): boolean =>
  new Set(list.map(({ name }) => name)).size === list.length;

export const manifest = z.strictObject({
  format: z.literal(BACKUP_FORMAT),
  createdAt: z.iso.datetime(),
  migrations: z.array(z.strictObject({ name: z.string().max(200), checksum: sha256 })).max(10_000),
  partitions: z.array(partitionEntry).max(10_000),
  tables: z.array(tableEntry).max(1_000).refine(areDistinct),
  sequences: z.array(z.strictObject({ name: identifier, value: z.string().regex(/^-?\d{1,19}$/) })).max(1_000),
  /** Files of the data directory; empty for a backup without them. */
  files: z.array(secretEntry).max(1_000).refine(areDistinct),
});
export type Manifest = z.infer<typeof manifest>;

export const tableFile = (name: string) => `tables/${name}.copy.gz`;
export const dataFile = (name: string) => `data/${name}`;

/** A backup that cannot be restored: the reason, as one sentence. */
export class BackupError extends Error {
  override readonly name = "BackupError";
}
