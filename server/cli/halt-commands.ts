/** The verbs that stop agents, and let them go on. */
import type { Command } from "commander";
import type { HaltOptions } from "./halts.ts";

export function describeHalts(top: Command): void {
  const scoped = (command: Command) =>
    command
      .option("--workspace", "everything in the workspace")
      .option("--group <name>", "the agents of a group")
      .option("--agent <name>", "one agent")
      .option("--session <id>", "only this session of the agent")
      .requiredOption("--reason <text>", "why; every agent that is halted answers with it");
  scoped(top.command("halt").description("stop agents at once: every gate of theirs denies; prints the halt's id"))
    .option("--quarantine", "until a person has reviewed the agent", false)
    .action(async (options: HaltOptions) => (await import("./halts.ts")).halt(options));
  scoped(top.command("resume").description("end a halt, by its id or by what it halted"))
    .argument("[id]", "the halt")
    .action(async (id: string | undefined, options: HaltOptions) => (await import("./halts.ts")).resume(id, options));
}
