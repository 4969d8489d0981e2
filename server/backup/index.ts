export { BackupError } from "./manifest.ts";
export { type RestoreOptions, restoreBackup } from "./read.ts";
export { writeBackup } from "./write.ts";
