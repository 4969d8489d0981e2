/** The arguments and options of `join`, for the command line and for the program that enrols clients. */
import type { Command } from "commander";
import type { JoinOptions } from "./join.ts";

export function describeJoin(command: Command): Command {
  return command
    .description("exchange an enrolment token for this machine's own agent and key, which enrol then uses")
    .option("--url <address>", "where this machine reaches Quarterdeck, else QUARTERDECK_URL")
    .requiredOption("--token-file <file>", "the file that holds the token, or - for stdin")
    .option("--name <name>", "the agent's name, else this machine's")
    .action(async (options: JoinOptions) => (await import("./join.ts")).join(options));
}
