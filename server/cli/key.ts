import { createdKeyView } from "../agents/schema.ts";
import { print } from "./print.ts";
import { mutate } from "./server.ts";

/** Prints a new key of the agent named `agent`, alone, so that a script can take it. */
export async function create(agent: string): Promise<void> {
  const { key } = await mutate("agents.createKeyByName", { name: agent }, createdKeyView);
  print(`${key}\n`);
}
