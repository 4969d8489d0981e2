import { z } from "zod";
import { type HaltTarget, type HaltView, haltById, haltList } from "../halts/schema.ts";
import { print } from "./print.ts";
import { Refusal } from "./refusal.ts";
import { ask, mutate } from "./server.ts";

export interface HaltOptions {
  readonly reason: string;
  readonly workspace?: boolean;
  readonly group?: string;
  readonly agent?: string;
  readonly session?: string;
  readonly quarantine?: boolean;
}

const named = z.array(z.looseObject({ id: z.uuid(), name: z.string() }));

/** Halts, and prints only the halt's id, so that a script can resume it. Errors: a `Refusal` with the reason. */
export async function halt(options: HaltOptions): Promise<void> {
  const { id } = await mutate("halts.halt", { target: await targetOf(options), reason: options.reason }, haltById);
  print(`${id}\n`);
}

/** Ends the halts that an id or a scope names. Errors: a `Refusal` if no halt matches. */
export async function resume(id: string | undefined, options: HaltOptions): Promise<void> {
  // An id needs no list, which is cut where many are in force.
  const resumed = id ?? (await idInForce(await targetOf(options)));
  await mutate("halts.resume", { id: resumed, reason: options.reason }, z.unknown());
  print(`${resumed}\n`);
}

async function idInForce(target: HaltTarget): Promise<string> {
  const { halts } = await ask("halts.list", undefined, haltList);
  const found = halts.find((one) => one.resumedAt === null && isOf(one, target));
  if (!found) throw new Refusal("No halt in force is of this. See the page Halts for those that are.");
  return found.id;
}

async function targetOf({ workspace, group, agent, session, quarantine }: HaltOptions): Promise<HaltTarget> {
  const scopes = [workspace, group, agent].filter((one) => one !== undefined && one !== false);
  if (scopes.length !== 1) throw new Refusal("Say one of --workspace, --group <name> and --agent <name>.", 2);
  if (agent === undefined && (session !== undefined || quarantine))
    throw new Refusal("--session and --quarantine are of an agent: say --agent <name> too.", 2);
  if (group !== undefined) return { scope: "group", groupId: await idOf("agents.groups", "group", group) };
  if (agent === undefined) return { scope: "workspace" };
  const agentId = await idOf("agents.list", "agent", agent);
  if (session !== undefined) return { scope: "session", agentId, sessionId: session };
  return { scope: "agent", agentId, ...(quarantine && { isQuarantine: true }) };
}

async function idOf(path: string, kind: string, name: string): Promise<string> {
  const found = (await ask(path, undefined, named)).find((one) => one.name === name);
  if (!found) throw new Refusal(`There is no ${kind} named "${name}".`);
  return found.id;
}

function isOf(halt: HaltView, target: HaltTarget): boolean {
  if (halt.scope !== target.scope) return false;
  if (target.scope === "workspace") return true;
  if (target.scope === "group") return halt.groupId === target.groupId;
  if (halt.agentId !== target.agentId) return false;
  return target.scope === "agent" || halt.sessionId === target.sessionId;
}
