/** The hooks that docker-agent would run for one of the agents in its file: both lanes of a call, as without --yolo. */
import { isObject, type JsonObject, parseSettings } from "../../../dialects/settings/index.ts";
import { Refusal } from "../../refusal.ts";
import type { ConfiguredHook } from "../configured-hook.ts";
import { wholeName } from "../matchers.ts";
import { listAt, numberAt, objectAt, readText, textAt } from "../settings-file.ts";
import type { FindHooks } from "./find-hooks.ts";

const TIMEOUT_SECONDS = 60;

export interface AgentFile {
  readonly path: string;
  /** `root`, or the only one, when absent. */
  readonly agent: string | undefined;
}

/** Errors: a `Refusal` for a file that is none, and for an agent that is not in it. */
export function dockerAgentHooks({ path, agent }: AgentFile): FindHooks {
  return async (_folders, probe) => {
    const hooks = objectAt(await agentIn(path, agent), "hooks");
    const [event] = probe.events;
    const entries = listAt(hooks, event).filter(isObject);
    const handlers = entries.flatMap((entry) => {
      if (entry.hooks === undefined) return [entry];
      const isMatched =
        probe.tool === null || probe.toolNames.some((name) => wholeName(textAt(entry, "matcher"), name));
      return isMatched ? listAt(entry, "hooks").filter(isObject) : [];
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
    return parseSettings(text, "yaml");
  } catch {
    throw new Refusal(`${path} is no YAML of docker-agent.`, 2);
  }
}

function hookOf(source: string, event: string, handler: JsonObject): ConfiguredHook[] {
  const command = textAt(handler, "command");
  if (command === undefined || (handler.type !== undefined && handler.type !== "command")) return [];
  const timeoutMs = (numberAt(handler, "timeout") ?? TIMEOUT_SECONDS) * 1_000;
  const environment = Object.fromEntries(
    Object.entries(objectAt(handler, "env")).flatMap(([name, value]) =>
      typeof value === "string" ? [[name, value]] : [],
    ),
  );
  const isToolGate = event === "pre_tool_use";
  return [
    {
      ...{ source, event, timeoutMs, action: { kind: "command", command, environment } },
      blocksOnFailure: isToolGate || handler.on_error === "block",
    },
  ];
}

function notesOf(path: string, entries: readonly JsonObject[], event: string): string[] {
  const hasLane = event !== "pre_tool_use" || entries.length === 0 || entries.some((one) => one.preempt_yolo === true);
  return hasLane ? [] : [`${path}: without preempt_yolo: true, --yolo skips pre_tool_use.`];
}
