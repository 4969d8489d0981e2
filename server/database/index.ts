export {
  lockDataDirectory,
  prepareDataDirectory,
  prepareSocketDirectory,
  UNFINISHED_RESTORE,
} from "./data-directory.ts";
export { migrate, readMigrations } from "./migrate.ts";
export { checkReplica, databaseAddresses, type RunningDatabase, startDatabase } from "./service.ts";
