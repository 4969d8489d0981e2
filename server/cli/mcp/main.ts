/**
 * The program quarterdeck-mcp.mjs: the verb `mcp` in one file, for the machines that agents run on.
 *
 * Exit codes: 0 the client went away, 2 asked wrongly.
 */
import { Command, CommanderError } from "commander";
import { Refusal } from "../refusal.ts";
import { describeMcp } from "./command.ts";

async function main(): Promise<number> {
  const silent = { outputError: () => undefined };
  const command = describeMcp(new Command("quarterdeck-mcp")).exitOverride().configureOutput(silent);
  try {
    await command.parseAsync();
    return 0;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    if (!(error instanceof CommanderError || error instanceof Refusal)) throw error;
    process.stderr.write(`quarterdeck-mcp: ${error.message.replace(/^error: /, "")}\n`);
    return error instanceof Refusal ? error.exitCode : 2;
  }
}

process.exitCode = await main();
