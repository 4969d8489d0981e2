/** The record of what enrolments wrote, and the texts that stood there before: a removal needs both. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { z } from "zod";
import { plain } from "../../dialects/settings/index.ts";
import { Refusal } from "../refusal.ts";
import { findFile } from "./files.ts";

const CHANGES_MAX = 1000;
const change = z.strictObject({
  path: z.array(z.union([z.string(), z.number().int()])).max(20),
  kind: z.enum(["value", "element", "container"]),
  value: z.unknown().optional(),
  before: z.unknown().optional(),
});
const recordedFile = z.strictObject({
  /** The enrolments that use the file: the client, and the settings it was enrolled in. */
  owners: z.array(z.string()).max(1000),
  /** The name of the backup; null when there was no file. */
  backup: z
    .string()
    .regex(/^[\w.-]+$/)
    .nullable(),
  mode: z.number().int().min(0).max(0o7777).nullable(),
  /** The SHA-256 of the text that was written last. */
  written: z.string(),
  /** True while only we have changed the file since the backup. */
  isOnlyOurs: z.boolean(),
  changes: z.array(change).max(CHANGES_MAX),
});
const enrolmentRecord = z.strictObject({
  version: z.literal(1),
  files: z.record(z.string(), recordedFile),
  /** The folders that were made, to be removed again when they are empty. */
  folders: z.array(z.string()).max(1000),
});
export type RecordedFile = z.infer<typeof recordedFile>;
export type EnrolmentRecord = z.infer<typeof enrolmentRecord>;

/** The folder of the record below its root. */
export const RECORD_FILE = "enrolments.json";
export const BACKUPS = "backups";

export async function readRecord(root: string, folder: string): Promise<EnrolmentRecord> {
  const { name, text } = await findFile(root, join(folder, RECORD_FILE));
  if (text === null) return { version: 1, files: {}, folders: [] };
  const parsed = enrolmentRecord.safeParse(jsonOf(text));
  if (parsed.success) return parsed.data;
  throw new Refusal(
    `${name}, the record of what was enrolled, cannot be read. Move it away; a removal then finds only hooks.`,
  );
}

export function recordText(record: EnrolmentRecord): string {
  return `${JSON.stringify(record, null, 2)}\n`;
}

export const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

function jsonOf(text: string): unknown {
  try {
    return plain(JSON.parse(text));
  } catch {
    return undefined;
  }
}
