/** A whole installation in one file: every table as of one instant, and the files of the data directory. */
import { createWriteStream } from "node:fs";
import { mkdtemp, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { pack } from "tar-stream";
import { sha256 } from "../platform/secrets.ts";
import { connectPlainly, listApplied, listPartitions, listSequences, listTables } from "./catalogue.ts";
import {
  BACKUP_FORMAT,
  dataFile,
  MANIFEST_NAME,
  type Manifest,
  manifest,
  type TableEntry,
  tableFile,
} from "./manifest.ts";
import { copyOut } from "./table-copy.ts";
import { addFile, addText } from "./tar-entry.ts";

export interface BackupOptions {
  readonly url: string;
  /** Where the file is to be; it appears whole or not at all, readable by its owner alone. */
  readonly file: string;
  /** Files of the data directory to take along, relative to `dataDir`. */
  readonly dataDir: string;
  readonly files: readonly string[];
  readonly onTable?: (entry: TableEntry) => void;
}

/** Errors: those of PostgreSQL and of the disk; then there is no file. */
export async function writeBackup(options: BackupOptions): Promise<Manifest> {
  const { url, file, dataDir, files, onTable } = options;
  const client = await connectPlainly(url, "backup");
  // In the target's directory: the last step must be a rename, and the space is needed there anyway.
  const spool = await mkdtemp(join(dirname(file), ".quarterdeck-backup-"));
  try {
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    const tables: TableEntry[] = [];
    for (const table of await listTables(client)) {
      const spooled = createWriteStream(join(spool, table.name), { mode: 0o600 });
      const measured = await copyOut(client, table, createGzip({ level: 5 }), spooled);
      const key = table.key.map(({ name }) => name);
      const entry = { name: table.name, columns: [...table.columns], key, ...measured };
      tables.push(entry);
      onTable?.(entry);
    }
    const kept = await Promise.all(files.map(async (name) => ({ name, bytes: await readFile(join(dataDir, name)) })));
    const written = manifest.parse({
      format: BACKUP_FORMAT,
      createdAt: new Date().toISOString(),
      migrations: (await listApplied(client)) ?? [],
      partitions: await listPartitions(client),
      tables,
      sequences: await listSequences(client),
      files: kept.map(({ name, bytes }) => ({ name, sha256: sha256(bytes).toString("hex") })),
    } satisfies Manifest);
    await client.query("COMMIT");

    const tar = pack();
    const target = join(spool, "backup.tar");
    const finished = pipeline(tar, createWriteStream(target, { mode: 0o600, flush: true }));
    const filled = (async () => {
      await addText(tar, MANIFEST_NAME, JSON.stringify(written, null, 2));
      for (const { name, bytes } of kept) await addText(tar, dataFile(name), bytes);
      for (const { name } of tables) {
        const path = join(spool, name);
        await addFile(tar, tableFile(name), path, (await stat(path)).size);
        await rm(path);
      }
      tar.finalize();
    })();
    await Promise.all([finished, filled]);
    await rename(target, file);
    return written;
  } finally {
    await client.end().catch(() => undefined);
    await rm(spool, { recursive: true, force: true });
  }
}
