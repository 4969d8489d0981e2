/** The arguments and options of `inventory`, for the command line and for the program that the console serves. */
import type { Command } from "commander";
import { ownProcess, type ProcessContext } from "../enrol/process-context.ts";
import type { InventoryOptions } from "./inventory.ts";
import { INVENTORIED } from "./places.ts";

export function describeInventory(command: Command, context?: ProcessContext): Command {
  return command
    .description("report the skills, plugins, slash commands and MCP servers of the clients on this machine")
    .argument("[client]", `${INVENTORIED.join(", ")}; else each one that is in use here`)
    .option("--project [directory]", "with those of a project too, else of this directory")
    .option("--config <file>", "with those of an agent's own file too, for docker-agent")
    .option("--url <address>", "where Quarterdeck is, else QUARTERDECK_URL, else as the hooks say")
    .option("--dry-run", "only show what would be reported")
    .option("--json", "print the reports, for a script")
    .option("--quiet", "print only failures, as in a hook at the start of a session")
    .action(async (client: string | undefined, options: InventoryOptions) =>
      (await import("./inventory.ts")).inventory(client, options, context ?? ownProcess()),
    );
}
