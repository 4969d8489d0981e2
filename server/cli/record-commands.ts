/** The verbs that verify the audit record and its derived data. */
import type { Command } from "commander";
import { entryNumber, every } from "./option-values.ts";

export function describeAudit(audit: Command): void {
  audit.description("the record of who did what, and its proof");
  audit
    .command("export")
    .description("print the record as JSON lines that prove themselves")
    .option("--from <seq>", "the first entry", entryNumber)
    .option("--to <seq>", "the last entry", entryNumber)
    .option("--dispatches", "the dispatches of these entries too", false)
    .action(async (options: { from?: number; to?: number; dispatches: boolean }) =>
      (await import("./audit.ts")).exportRecord(options),
    );
  audit
    .command("verify")
    .description("say whether anything was altered, and whether anything is missing; of a file without any server")
    .argument("[file]", "an export; without one, the record of the running server")
    .option("--key <file>", "a public key to trust, in PEM; may be repeated", every, [])
    .option("--checkpoint <file>", "checkpoints that were kept outside; may be repeated", every, [])
    .option("--json", "the whole report, for a script", false)
    .option("--resume <file>", "keep the place in this file, and go on from it after an interruption")
    .action(
      async (
        file: string | undefined,
        options: { key: string[]; checkpoint: string[]; json: boolean; resume?: string },
      ) => (await import("./audit.ts")).verify(file, options),
    );
  audit
    .command("keys")
    .description("print the public keys that checkpoints are verified with")
    .action(async () => (await import("./audit.ts")).printCheckpointKeys());
}

export function describeVerify(verify: Command): void {
  verify.description("what is derived, held against what it is derived from");
  verify
    .command("projections")
    .description("compute all figures anew from the log and name every stored row that is another one")
    .option("--month <month>", "only this month, such as 2026-11")
    .option("--workspace <id>", "another workspace than the first")
    .option("--json", "the whole result, for a script", false)
    .action(async (options: { month?: string; workspace?: string; json: boolean }) =>
      (await import("./verify.ts")).projections(options),
    );
}
