/**
 * The hooks that docker-agent would run: first those of the given agent file, then those of the user. Both lanes of a
 * call, as without --yolo.
 */
import { contractOf, isEventName } from "@quarterdeck/hooks/contract/events";
import { WIDEST_PROFILE } from "@quarterdeck/hooks/contract/profiles";
import { listOf } from "../../../dialects/docker-agent/index.ts";
import { isObject, type JsonObject, parseYamlSettings } from "../../../dialects/settings/index.ts";
import { clientVersion } from "../../client-version.ts";
import { dockerAgentFolder, type HookSource, readHookSources } from "../../docker-agent-sources.ts";
import { Refusal } from "../../refusal.ts";
import type { ConfiguredHook, FoundHooks } from "../configured-hook.ts";
import type { DrillProbe } from "../drill-calls.ts";
import { isAsked, wholeName } from "../matchers.ts";
import { objectAt, readText } from "../settings-file.ts";
import { commandHook, type FindHooks, joinFound } from "./find-hooks.ts";

export interface AgentFile {
  readonly path: string;
  /** The agent's name; `root`, or the only one, if absent. */
  readonly agent: string | undefined;
}

/** Errors: a `Refusal` for a file that cannot be read, and for an agent that is not in it. */
export function dockerAgentHooks(file: AgentFile | null): FindHooks {
  let known: Promise<string | null> | undefined;
  return async ({ home, project }, probe, environment) => {
    known ??= clientVersion("docker-agent", environment);
    const folder = dockerAgentFolder({ home, directory: project, environment });
    const shared = await readHookSources(folder, await known);
    const own = file === null ? [] : [await agentSource(file)];
    return joinFound([...own, ...shared].map((source) => hooksOf(source, probe)));
  };
}

async function agentSource({ path, agent }: AgentFile): Promise<HookSource> {
  return { path, hooks: objectAt(await agentIn(path, agent), "hooks"), notes: [], isInForce: true };
}

/**
 * The entries of one source that are asked about the call, event by event in the order in which docker-agent raises
 * them.
 */
function hooksOf({ path, hooks, notes }: HookSource, probe: DrillProbe): FoundHooks {
  const found = probe.events.map((event): FoundHooks => {
    const entries = listOf(hooks[event]);
    const handlers = entries.flatMap((entry) => {
      if (entry.hooks === undefined) return [entry];
      return isAsked(entry, probe, wholeName) ? listOf(entry.hooks) : [];
    });
    return { hooks: handlers.flatMap((handler) => hookOf(path, event, handler)), notes: notesOf(path, entries, event) };
  });
  return joinFound([{ hooks: [], notes }, ...found]);
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
  const failsClosed = isEventName(event, WIDEST_PROFILE) && contractOf(event, WIDEST_PROFILE).failsClosed;
  return commandHook(
    handler,
    { source, event, blocksOnFailure: failsClosed || handler.on_error === "block" },
    environment,
  );
}

function notesOf(path: string, entries: readonly JsonObject[], event: string): string[] {
  const hasLane = event !== "pre_tool_use" || entries.length === 0 || entries.some((one) => one.preempt_yolo === true);
  return hasLane ? [] : [`${path}: without preempt_yolo: true, --yolo skips pre_tool_use.`];
}
