/** The hooks that docker-agent would run for one of the agents in its file: both lanes of a call, as without --yolo. */
import { isObject, type JsonObject, parseYamlSettings } from "../../../dialects/settings/index.ts";
import { Refusal } from "../../refusal.ts";
import type { ConfiguredHook } from "../configured-hook.ts";
import { isAsked, wholeName } from "../matchers.ts";
import { listAt, objectAt, readText } from "../settings-file.ts";
import { commandHook, type FindHooks } from "./find-hooks.ts";

export interface AgentFile {
  readonly path: string;
  /** `root`, or the only one, when absent. */
  readonly agent: string | undefined;
}

/** Errors: a `Refusal` for a file that cannot be read, and for an agent that is not in it. */
export function dockerAgentHooks({ path, agent }: AgentFile): FindHooks {
  return async (_folders, probe) => {
    const hooks = objectAt(await agentIn(path, agent), "hooks");
    const [event] = probe.events;
    const entries = listAt(hooks, event).filter(isObject);
    const handlers = entries.flatMap((entry) => {
      if (entry.hooks === undefined) return [entry];
      return isAsked(entry, probe, wholeName) ? listAt(entry, "hooks").filter(isObject) : [];
    });
    return { hooks: handlers.flatMap((handler) => hookOf(path, event, handler)), notes: notesOf(path, entries, event) };
  };
}

async function agentIn(path: string, name: string | undefined): Promise<JsonObject> {
  const text = await readText(path);
  if (text === null) throw new Refusal(`There is no file ${path}. Give the agent's own file with --config.`, 2);
  const agents = objectAt(yamlOf(path, text), "agents");
  const names = Object.keys(agents);
  const wanted = name ?? (names.includes("root") ? "root" : names.length === 1 ? names[0] : undefined);
  const agent = wanted === undefined ? undefined : agents[wanted];
  if (isObject(agent)) return agent;
  throw new Refusal(
    `${path} has the agents ${names.slice(0, 20).join(", ") || "none"}: name one of them with --agent.`,
    2,
  );
}

function yamlOf(path: string, text: string): JsonObject {
  try {
    return parseYamlSettings(text);
  } catch {
    throw new Refusal(`${path} is no YAML of docker-agent.`, 2);
  }
}

function hookOf(source: string, event: string, handler: JsonObject): ConfiguredHook[] {
  const variables = Object.entries(objectAt(handler, "env")).filter(([, value]) => typeof value === "string");
  // Holds: only texts are left.
  const environment = Object.fromEntries(variables) as Record<string, string>;
  const blocksOnFailure = event === "pre_tool_use" || handler.on_error === "block";
  return commandHook(handler, { source, event, blocksOnFailure }, environment);
}

function notesOf(path: string, entries: readonly JsonObject[], event: string): string[] {
  const hasLane = event !== "pre_tool_use" || entries.length === 0 || entries.some((one) => one.preempt_yolo === true);
  return hasLane ? [] : [`${path}: without preempt_yolo: true, --yolo skips pre_tool_use.`];
}
