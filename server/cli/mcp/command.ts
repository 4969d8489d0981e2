/** The arguments and options of `mcp`, for the command line and for the program that the console serves. */
import type { Command } from "commander";
import type { McpOptions } from "./mcp.ts";

export function describeMcp(command: Command): Command {
  return command
    .description(
      "an MCP server on stdin and stdout: an agent asks why it was denied, what it may do and what is left, and asks people",
    )
    .option("--url <address>", "where Quarterdeck is, else QUARTERDECK_URL")
    .option("--key-file <file>", "what holds the agent's key, else QUARTERDECK_KEY, else the file that join wrote")
    .option("--session <id>", "the agent's session, where its client knows it")
    .action(async (options: McpOptions) => (await import("./mcp.ts")).serveMcp(options));
}
