/**
 * The program quarterdeck-enrol.mjs: the verbs `enrol` and `join` in one file, for the machines that agents run on. To enrol it
 * writes the files of a client and connects to nobody; to join it asks the console for a key.
 *
 * Exit codes: 0 done, 1 tried and failed, 2 asked wrongly.
 */
import { Command, CommanderError } from "commander";
import { describeJoin } from "../join-command.ts";
import { Refusal } from "../refusal.ts";
import { describeEnrol } from "./command.ts";

async function main(): Promise<number> {
  const silent = { outputError: () => undefined };
  const command = describeEnrol(new Command("quarterdeck-enrol")).exitOverride().configureOutput(silent);
  // Options after the verb are its own.
  describeJoin(command.enablePositionalOptions().command("join"));
  try {
    await command.parseAsync();
    return 0;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    if (!(error instanceof CommanderError || error instanceof Refusal)) throw error;
    process.stderr.write(`quarterdeck-enrol: ${error.message.replace(/^error: /, "")}\n`);
    return error instanceof Refusal ? error.exitCode : 2;
  }
}

process.exitCode = await main();
