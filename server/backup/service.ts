export { BackupError } from "./manifest.ts";
export { type RestoreOptions, restoreBackup } from "./read.ts";
export { type BackupOptions, writeBackup } from "./write.ts";
