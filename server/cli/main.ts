/**
 * The command line for scripts. Answers go to stdout, everything else to stderr.
 *
 * Exit codes: 0 done, 1 tried and failed, 2 asked wrongly.
 */
import { CommanderError } from "commander";
import { commandLine, StartupError } from "../platform/env.ts";
import { createCommandLine } from "./cli-commands.ts";
import { printError } from "./print.ts";
import { Refusal } from "./refusal.ts";

/** Commander's complaint in our words. */
function complaint({ code, message }: CommanderError): string {
  const help = `See ${commandLine()} --help.`;
  const unknown = code === "commander.unknownCommand" ? /'(.*?)'/.exec(message)?.[1] : undefined;
  if (unknown !== undefined) return `There is no verb "${unknown}". ${help}`;
  const [first = ""] = message.replace(/^error: /, "").split("\n");
  return `${first.charAt(0).toUpperCase()}${first.slice(1).replace(/\.$/, "")}. ${help}`;
}

async function main(): Promise<number> {
  const [, , verb, ...rest] = process.argv;
  // Its flags are docker-agent's, and each invalid flag must end with code 2.
  if (verb === "hook") {
    await (await import("./hook.ts")).hook(rest);
    return Number(process.exitCode ?? 0);
  }
  const top = createCommandLine();
  try {
    await top.parseAsync();
    return Number(process.exitCode ?? 0);
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return 0;
      if (error.code === "commander.help") {
        printError(`quarterdeck: Say a verb. See ${commandLine()} --help.\n`);
        return 2;
      }
      printError(`quarterdeck: ${complaint(error)}\n`);
      return 2;
    }
    if (!(error instanceof Refusal || error instanceof StartupError)) throw error;
    if (error.message !== "") printError(`quarterdeck: ${error.message}\n`);
    return error instanceof Refusal ? error.exitCode : 2;
  }
}

// A reader that closed the pipe (`head`) has read enough.
process.stdout.on("error", () => process.exit(0));
process.exitCode = await main();
