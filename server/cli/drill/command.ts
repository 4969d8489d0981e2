/** The arguments and options of `drill`, for the command line and for the program that the console serves. */
import type { Command } from "commander";
import { CLIENT_NAMES } from "../../dialects/schema.ts";
import { ownProcess, type ProcessContext } from "../enrol/process-context.ts";
import type { DrillOptions } from "./target.ts";

export function describeDrill(command: Command, context?: ProcessContext): Command {
  return command
    .description("send known-bad calls through a client's own hooks; exits with 0 when every one is blocked")
    .argument("<client>", CLIENT_NAMES.join(", "))
    .option("--user", "with the settings of this user, which is what happens without a choice")
    .option("--project [directory]", "with those of a project too, else of this directory")
    .option("--managed", "with the settings of every user of this machine alone")
    .option("--config <file>", "with an agent's own file too, for docker-agent")
    .option("--agent <name>", "one agent of that file, else root")
    .option("--url <address>", "where Quarterdeck is, else QUARTERDECK_URL, else as the hooks say")
    .option("--outage", "as if the console were away: what passes then is named")
    .option("--strict", "fail as well where the policy would not deny a call")
    .option("--json", "the results, for a script")
    .action(async (client: string, options: DrillOptions) =>
      (await import("./drill.ts")).drill(client, options, context ?? ownProcess()),
    );
}
