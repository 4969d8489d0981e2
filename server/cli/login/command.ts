/** The arguments and options of `login`, `logout` and `whoami`, for the command line and for the program that enrols clients. */
import type { Command } from "commander";
import { ownProcess } from "../enrol/process-context.ts";
import type { LoginOptions } from "./login.ts";

export function describeLogins(top: Command): void {
  const addVerb = (verb: "login" | "logout" | "whoami", says: string) =>
    top
      .command(verb)
      .description(says)
      .argument("[client]", "a client with a key of its own, else the key of this machine")
      .option("--url <address>", "where Quarterdeck is, else QUARTERDECK_URL, else as the hooks say")
      .action(async (client: string | undefined, options: LoginOptions) =>
        (await import("./login.ts"))[verb](client, options, ownProcess()),
      );
  addVerb(
    "login",
    "print a code to enter in the console: the agent of this machine works for the person who enters it",
  );
  addVerb("logout", "end the login: the agent of this machine works for the person or service from before");
  addVerb("whoami", "print for whom the agent of this machine works");
}
