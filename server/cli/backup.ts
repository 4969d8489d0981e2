/** `backup` and `restore`: an installation as one file, whether its server runs or not. */
import { access, mkdtemp, readdir, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { BackupError, type RestoreOptions, restoreBackup, writeBackup } from "../backup/index.ts";
import {
  databaseAddresses,
  lockDataDirectory,
  prepareDataDirectory,
  prepareSocketDirectory,
  startDatabase,
  UNFINISHED_RESTORE,
} from "../database/index.ts";
import { env } from "../platform/env.ts";
import { createLog } from "../platform/log.ts";
import { SECRET_FILES } from "../platform/secrets.ts";
import { printError } from "./print.ts";
import { Refusal } from "./refusal.ts";

/** The folders to back up in addition to the database and the secrets. */
const FOLDERS = ["checkpoints"];

export async function backup(file: string, withoutSecrets: boolean): Promise<void> {
  const target = resolve(file);
  if (await exists(target)) throw new Refusal(`${file} is there already. Name a file that is not.`, 2);
  const dataDir = await prepareDataDirectory(env().dataDir);
  const files = await filesOf(dataDir, withoutSecrets);
  await withDatabase(dataDir, async (url) => {
    const { tables, migrations } = await writeBackup({ url, file: target, dataDir, files, onTable: tell }).catch(
      inWords,
    );
    if (migrations.length === 0) printError("quarterdeck: The database was empty.\n");
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    printError(`quarterdeck: ${tables.length} tables, ${rows} rows and ${files.length} files are in ${target}.\n`);
  });
  printError(
    withoutSecrets
      ? "quarterdeck: The keys are not in it: keep them apart, or stored credentials are lost.\n"
      : "quarterdeck: It holds the keys to everything: keep it as safe as the server.\n",
  );
}

export async function restore(file: string): Promise<void> {
  const dataDir = await prepareDataDirectory(env().dataDir);
  const held = await filesOf(dataDir, false);
  if (held.length > 0)
    throw new Refusal(
      `${dataDir} belongs to an installation (it holds ${held[0]}). Set QUARTERDECK_DATA_DIR to a new directory.`,
      2,
    );
  // First of all: a restore that is killed while its database is made must not look like a new installation.
  const marker = await mkdtemp(join(dataDir, UNFINISHED_RESTORE));
  try {
    await withDatabase(dataDir, async (url) => {
      const { createdAt } = await restoreBackup({ file: resolve(file), url, dataDir, onTable: tell }).catch(inWords);
      printError(`quarterdeck: The installation is as it was at ${createdAt}. Start the server.\n`);
    });
  } finally {
    await rm(marker, { recursive: true, force: true });
  }
}

const tell: NonNullable<RestoreOptions["onTable"]> = ({ name, rows }) => {
  if (rows > 0) printError(`quarterdeck: ${name}: ${rows} rows\n`);
};

function inWords(error: unknown): never {
  if (error instanceof BackupError) throw new Refusal(error.message);
  if (error instanceof Error && "code" in error && typeof error.code === "string")
    throw new Refusal(`It could not be done: ${error.message}.`);
  throw error;
}

/** A running server's own PostgreSQL, the one DATABASE_URL names, or the data directory's for as long as `work` takes. */
async function withDatabase(dataDir: string, work: (url: string) => Promise<void>): Promise<void> {
  const { databaseUrl } = env();
  const socketDir = await prepareSocketDirectory(dataDir);
  const release = databaseUrl === undefined ? await lockDataDirectory(dataDir).catch(() => null) : null;
  if (databaseUrl !== undefined || release === null)
    return work(databaseAddresses({ databaseUrl }, socketDir).ownerUrl);
  try {
    const place = { dataDir, socketDir, isUnmigrated: true } as const;
    const running = await startDatabase({ databaseUrl }, createLog("silent"), place);
    await work(running.ownerUrl).finally(() => running.stop());
  } finally {
    release();
  }
}

async function filesOf(dataDir: string, withoutSecrets: boolean): Promise<string[]> {
  const inFolders = await Promise.all(
    FOLDERS.map(async (folder) =>
      (await readdir(join(dataDir, folder)).catch(() => [])).map((name) => `${folder}/${name}`),
    ),
  );
  const named = withoutSecrets ? [] : SECRET_FILES;
  const there = await Promise.all(named.map((name) => exists(join(dataDir, name))));
  return [...named.filter((_, index) => there[index]), ...inFolders.flat().sort()];
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
