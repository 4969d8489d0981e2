/** One verb as a program of its own, in one file, for the machines that agents run on. */
import { Command, CommanderError } from "commander";
import { printError } from "./print.ts";
import { Refusal } from "./refusal.ts";

/** Prints no message for an invalid command line: `runProgram` prints it once. */
export const createProgram = (name: string): Command =>
  new Command(name).exitOverride().configureOutput({ outputError: () => undefined });

/** Answers the exit code: 0 done, a refusal's own, 2 asked wrongly. */
export async function runProgram(program: Command): Promise<number> {
  try {
    await program.parseAsync();
    return 0;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    if (!(error instanceof CommanderError || error instanceof Refusal)) throw error;
    printError(`${program.name()}: ${error.message.replace(/^error: /, "")}\n`);
    return error instanceof Refusal ? error.exitCode : 2;
  }
}
