/** The arguments and options of `connect`, for the command line and for the program that enrols clients. */
import type { Command } from "commander";
import { CLIENT_NAMES } from "../dialects/schema.ts";
import type { ConnectOptions } from "./connect.ts";

export function describeConnect(command: Command): Command {
  return command
    .description("join with an enrolment token, enrol a client of this user and drill it, all in one")
    .argument("<client>", CLIENT_NAMES.join(", "))
    .option("--url <address>", "where this machine reaches Quarterdeck, else QUARTERDECK_URL")
    .option("--token-file <file>", "the file that holds the token, or - for stdin", "-")
    .option("--name <name>", "the agent's name, else this machine's")
    .action(async (client: string, options: ConnectOptions) => (await import("./connect.ts")).connect(client, options));
}
