/** The verbs that look after an installation. */
import type { Command } from "commander";

export function describeInstallation(top: Command): void {
  top
    .command("stats")
    .description("everything stored, counted")
    .option("--json", "every count of every session, for a script")
    .action(async ({ json }: { json?: boolean }) => (await import("./stats.ts")).stats(json === true));

  top
    .command("doctor")
    .description("look for what is wired wrongly, and say what to do; exits with 1 when something must be done")
    .option("--json", "every finding, for a script")
    .action(async ({ json }: { json?: boolean }) => (await import("./doctor.ts")).doctor(json === true));

  top
    .command("backup")
    .description("write the whole installation, as of this instant, into one file")
    .argument("<file>", "a file that is not there yet")
    .option("--without-secrets", "leave out the keys of the data directory", false)
    .action(async (file: string, { withoutSecrets }: { withoutSecrets: boolean }) =>
      (await import("./backup.ts")).backup(file, withoutSecrets),
    );
  top
    .command("restore")
    .description("put a backup into an empty QUARTERDECK_DATA_DIR (and DATABASE_URL), and prove that it is the same")
    .argument("<file>", "what backup wrote")
    .action(async (file: string) => (await import("./backup.ts")).restore(file));
}
