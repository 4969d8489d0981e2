/** `upgrade rollback`: the way back to the former release, whoever holds the database. */
import {
  lockDataDirectory,
  prepareDataDirectory,
  prepareSocketDirectory,
  rollBackUpgrade,
  startDatabase,
} from "../database/service.ts";
import { env } from "../platform/env.ts";
import { createLog } from "../platform/log.ts";
import { printError } from "./print.ts";

/** Errors: a `StartupError` when a server is at work, or when there is no way back. */
export async function rollBack(): Promise<void> {
  const { databaseUrl } = env();
  const dataDir = await prepareDataDirectory(env().dataDir);
  const release = await lockDataDirectory(dataDir);
  try {
    const place = { dataDir, socketDir: await prepareSocketDirectory(dataDir), isUnmigrated: true } as const;
    const running = await startDatabase({ databaseUrl }, createLog("silent"), place);
    const names = await rollBackUpgrade(running.ownerUrl).finally(() => running.stop());
    printError(`quarterdeck: ${names.length} migrations were set aside. Start the former release now.\n`);
  } finally {
    release();
  }
}
