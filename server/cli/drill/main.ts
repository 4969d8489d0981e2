/**
 * The program quarterdeck-drill.mjs: the verb `drill` in one file, for the machines that agents run on.
 *
 * Exit codes: 0 every call was blocked, 1 not so, 2 asked wrongly.
 */
import { Command, CommanderError } from "commander";
import { Refusal } from "../refusal.ts";
import { describeDrill } from "./command.ts";

async function main(): Promise<number> {
  const silent = { outputError: () => undefined };
  const command = describeDrill(new Command("quarterdeck-drill")).exitOverride().configureOutput(silent);
  try {
    await command.parseAsync();
    return 0;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    if (!(error instanceof CommanderError || error instanceof Refusal)) throw error;
    process.stderr.write(`quarterdeck-drill: ${error.message.replace(/^error: /, "")}\n`);
    return error instanceof Refusal ? error.exitCode : 2;
  }
}

process.exitCode = await main();
