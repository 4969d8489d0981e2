/** The arguments and options of `enrol`, for the command line and for the program that the console serves. */
import type { Command } from "commander";
import { ENROLLED_CLIENTS } from "../../dialects/schema.ts";
import { ownProcess, type ProcessContext } from "./process-context.ts";
import type { EnrolOptions } from "./target.ts";

export function describeEnrol(command: Command, context?: ProcessContext): Command {
  return command
    .description("put our hooks into a client's files, which it shows as a diff; the key comes from QUARTERDECK_KEY")
    .argument("<client>", Object.keys(ENROLLED_CLIENTS).join(", "))
    .option("--user", "the settings of this user, which is what happens without a choice")
    .option("--project [directory]", "the settings of a project, else of this directory")
    .option("--managed", "the settings of every user of this machine; needs root")
    .option("--root <directory>", "managed settings of an image: below this directory instead of /")
    .option("--url <address>", "where the client reaches Quarterdeck, else QUARTERDECK_URL")
    .option("--proxy <address>", "the only proxy through which the hooks ask; variables of proxies are ignored")
    .option("--no-telemetry", "leave out what sends the client's telemetry, where it has any")
    .option("--dry-run", "only show the diff")
    .option("--remove", "take back what enrol wrote, and leave what others wrote")
    .action(async (client: string, options: EnrolOptions) =>
      (await import("./enrol.ts")).enrol(client, options, context ?? ownProcess()),
    );
}
