import { createdKeyView } from "../agents/schema.ts";
import { print } from "./print.ts";
import { mutate } from "./server.ts";

/** Creates a key for the agent named `agent` and prints only the key, so that a script can read it. */
export async function create(agent: string): Promise<void> {
  const { key } = await mutate("agents.createKeyByName", { name: agent }, createdKeyView);
  print(`${key}\n`);
}
