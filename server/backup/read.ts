/** Restores a backup into an empty database: completely, verified against the manifest, or not at all. */
import { createReadStream } from "node:fs";
import { buffer } from "node:stream/consumers";
import { createGunzip } from "node:zlib";
import { type Client, DatabaseError } from "pg";
import { extract, type Header } from "tar-stream";
import { migrate, readMigrations } from "../database/index.ts";
import {
  connectPlainly,
  dropEverything,
  listApplied,
  listFunctions,
  listTables,
  quoted,
  restoreRowSecurity,
  suspendRowSecurity,
  type Table,
} from "./catalogue.ts";
import { type DataFiles, receiveDataFiles } from "./data-files.ts";
import {
  BackupError,
  dataFile,
  MANIFEST_BYTES_MAX,
  MANIFEST_NAME,
  type Manifest,
  manifest,
  type TableEntry,
  tableFile,
} from "./manifest.ts";
import { copyIn, copyOut } from "./table-copy.ts";

/** One file inside the tar: its name and content. */
type Entry = AsyncIterable<unknown> & { readonly header: Header };

export interface RestoreOptions {
  readonly file: string;
  /** A database without tables. */
  readonly url: string;
  /** Where the files of the data directory go; each must not be there yet. */
  readonly dataDir: string;
  readonly onTable?: (entry: TableEntry) => void;
  /** Limit for all files of the data directory together. */
  readonly filesBytesMax?: number;
  /** Leaves the tables as they were written; the next start runs the migrations. */
  readonly isUnmigrated?: true;
}

const FILES_BYTES_MAX = 1024 * 1024 * 1024;

/** Errors: a `BackupError`; then the database is empty again, and the data directory has no file of the backup. */
export async function restoreBackup({
  file,
  url,
  dataDir,
  onTable,
  filesBytesMax = FILES_BYTES_MAX,
  isUnmigrated,
}: RestoreOptions): Promise<Manifest> {
  const client = await connectPlainly(url, "restore");
  try {
    if ((await listApplied(client)) !== null)
      throw new BackupError("The database holds tables already. Restore into an empty one.");
    const functions = await listFunctions(client);
    const files = await receiveDataFiles(dataDir, filesBytesMax);
    try {
      const written = await readWhole(file, client, url, files, onTable).catch((error: unknown) => {
        if (!(error instanceof Error) || error instanceof BackupError || error instanceof DatabaseError) throw error;
        throw new BackupError(`The file is not a backup of Quarterdeck, or was cut off (${error.message}).`);
      });
      // The migrations made since the backup was written.
      if (!isUnmigrated) await migrate(url);
      await files.place();
      return written;
    } catch (error) {
      await empty(client, url, functions);
      throw error;
    } finally {
      await files.discard();
    }
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Removes everything that the restore created. Its own connection may be lost, or in the middle of a COPY. */
async function empty(client: Client, url: string, functions: readonly string[]): Promise<void> {
  await client.end().catch(() => undefined);
  const other = await connectPlainly(url, "restore");
  try {
    await dropEverything(other, functions);
  } finally {
    await other.end().catch(() => undefined);
  }
}

async function readWhole(
  file: string,
  client: Client,
  url: string,
  files: DataFiles,
  onTable: RestoreOptions["onTable"],
): Promise<Manifest> {
  const tar = createReadStream(file).pipe(extract());
  let plan: { manifest: Manifest; tables: Map<string, Table> } | undefined;
  const left = new Set<string>();
  for await (const entry of tar) {
    const { name, type } = entry.header;
    if (type !== "file") throw new BackupError(`The backup holds ${JSON.stringify(name)}, which is no plain file.`);
    if (!plan) {
      plan = await begin(name, entry, client, url);
      for (const { name } of plan.manifest.tables) left.add(tableFile(name));
      for (const { name } of plan.manifest.files) left.add(dataFile(name));
      continue;
    }
    if (!left.delete(name)) throw new BackupError(`The backup holds ${JSON.stringify(name)}, which it does not list.`);
    const file = plan.manifest.files.find((one) => dataFile(one.name) === name);
    if (file) await files.take(file, entry);
    const listed = plan.manifest.tables.find((one) => tableFile(one.name) === name);
    if (listed) {
      await fill(client, plan.tables, listed, entry);
      onTable?.(listed);
    }
  }
  if (!plan) throw new BackupError("This is not a backup of Quarterdeck: it holds nothing.");
  const [missing] = left;
  if (missing !== undefined) throw new BackupError(`The backup was cut off: ${missing} is missing.`);
  for (const { name, value } of plan.manifest.sequences)
    await client.query("SELECT setval($1::regclass, $2::bigint)", [quoted(name), value]);
  await restoreRowSecurity(client);
  await client.query("COMMIT");
  return plan.manifest;
}

/** Reads the manifest, makes the tables as they were, and opens the transaction that fills them. */
async function begin(name: string, entry: Entry, client: Client, url: string) {
  if (name !== MANIFEST_NAME || (entry.header.size ?? 0) > MANIFEST_BYTES_MAX)
    throw new BackupError("This is not a backup of Quarterdeck: its manifest is not its first entry.");
  const parsed = manifest.safeParse(jsonOf(await buffer(entry)));
  if (!parsed.success) {
    const where = parsed.error.issues[0]?.path.join(".") ?? "";
    throw new BackupError(`The backup's manifest cannot be read${where === "" ? "" : ` at ${where}`}.`);
  }
  const { migrations, partitions } = parsed.data;
  const known = new Map((await readMigrations()).map((one) => [one.name, one.checksum]));
  for (const { name, checksum } of migrations)
    if (known.get(name) !== checksum)
      throw new BackupError(
        `The backup was written by another Quarterdeck: it has the migration ${name}. Use that version.`,
      );
  const applied = new Set(migrations.map(({ name }) => name));
  await migrate(url, undefined, applied);
  await client.query("BEGIN");
  for (const { name, of, bound } of partitions)
    await client.query(`CREATE TABLE IF NOT EXISTS ${quoted(name)} PARTITION OF ${quoted(of)} ${bound}`);
  const tables = new Map((await listTables(client)).map((table) => [table.name, table]));
  await suspendRowSecurity(client);
  // Migrations may have inserted rows; only those of the backup count.
  if (tables.size > 0) await client.query(`TRUNCATE ${[...tables.keys()].map(quoted).join(", ")} CASCADE`);
  return { manifest: parsed.data, tables };
}

function jsonOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    return undefined;
  }
}

async function fill(client: Client, tables: ReadonlyMap<string, Table>, listed: TableEntry, entry: Entry) {
  const table = tables.get(listed.name);
  if (!table || table.columns.join() !== listed.columns.join())
    throw new BackupError(`The backup's table ${listed.name} has other columns than this version made.`);
  const read = await copyIn(client, table, entry, createGunzip()).catch((error: unknown) => {
    throw new BackupError(
      `The table ${listed.name} cannot be read: ${error instanceof Error ? error.message : error}.`,
    );
  });
  if (read.sha256 !== listed.sha256)
    throw new BackupError(`The table ${listed.name} was changed or cut off after the backup was written.`);
  const stored = await copyOut(client, { ...table, key: keyOf(table, listed) });
  if (stored.sha256 !== listed.sha256)
    throw new BackupError(`The table ${listed.name} did not come back as it was written: ${stored.rows} rows.`);
}

/** The order in which the backup's rows were written: a table may have got another key since. */
function keyOf({ name, columns, key, texts }: Table, listed: TableEntry): Table["key"] {
  if (listed.key === undefined) return key;
  const unknown = listed.key.find((column) => !columns.includes(column));
  if (unknown !== undefined)
    throw new BackupError(`The backup orders the table ${name} by ${unknown}, which it has not.`);
  return listed.key.map((column) => ({ name: column, isText: texts.includes(column) }));
}
