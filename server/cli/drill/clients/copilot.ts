/** The hooks that GitHub Copilot CLI would run: every file of its folders, and the commands of a repository's Claude Code settings. */
import { readdir } from "node:fs/promises";
import { isObject, type JsonObject } from "../../../dialects/settings/index.ts";
import { claudeHooksOf, headersOf } from "../claude-hooks.ts";
import type { ClientFolders, ConfiguredHook, FoundHooks, HookAction } from "../configured-hook.ts";
import type { DrillProbe } from "../drill-calls.ts";
import { nameOrPattern, wholeName } from "../matchers.ts";
import { listAt, numberAt, objectAt, readSettings, textAt } from "../settings-file.ts";
import { type Environment, type FindHooks, joinFound } from "./find-hooks.ts";

const FILES_MAX = 100;
const TIMEOUT_SECONDS = 30;

export const findCopilotHooks: FindHooks = async (folders, probe, environment) => {
  const paths = await listFiles(folders);
  const own = paths.map(async (path) => {
    const { values, note } = await readSettings(path);
    const found = values === null ? { hooks: [], notes: [] } : hooksOf({ path, values }, probe, environment);
    return { ...found, notes: [...(note === null ? [] : [note]), ...found.notes] };
  });
  return joinFound([...(await Promise.all(own)), await claudeOf(folders, probe, environment)]);
};

async function listFiles({ scope, home, project }: ClientFolders): Promise<string[]> {
  const listed = await Promise.all(
    [`${home}/.copilot/hooks`, ...(scope === "project" ? [`${project}/.github/hooks`] : [])].map(async (folder) => {
      const names = await readdir(folder).catch(() => []);
      return names.filter((name) => name.endsWith(".json")).map((name) => `${folder}/${name}`);
    }),
  );
  return listed.flat().sort().slice(0, FILES_MAX);
}

function hooksOf(file: { path: string; values: JsonObject }, probe: DrillProbe, environment: Environment): FoundHooks {
  const events = objectAt(file.values, "hooks");
  const hooks: ConfiguredHook[] = [];
  const notes: string[] = [];
  for (const event of probe.events)
    for (const handler of listAt(events, event).filter(isObject)) {
      const matcher = textAt(handler, "matcher");
      if (probe.tool !== null && !probe.toolNames.some((name) => wholeName(matcher, name))) continue;
      const action = actionOf(handler, environment);
      if (typeof action === "string") notes.push(`${file.path}, ${event}: ${action}`);
      else {
        const seconds = numberAt(handler, "timeoutSec") ?? numberAt(handler, "timeout") ?? TIMEOUT_SECONDS;
        hooks.push({ source: file.path, event, action, timeoutMs: seconds * 1_000, blocksOnFailure: false });
      }
    }
  return { hooks, notes };
}

/** A sentence for a hook that the client does not run, or that is not drilled. */
function actionOf(handler: JsonObject, environment: Environment): HookAction | string {
  const type = textAt(handler, "type") ?? "command";
  if (type === "http") {
    const url = textAt(handler, "url") ?? "";
    const isLocalAllowed = environment.COPILOT_HOOK_ALLOW_LOCALHOST === "1";
    if (!url.startsWith("https://") && !isLocalAllowed) return "an HTTP hook without https is skipped in silence.";
    return { kind: "http", url, headers: headersOf(handler, environment) };
  }
  const command = textAt(handler, "bash") ?? textAt(handler, "command");
  if (type !== "command" || command === undefined) return `a hook of type ${JSON.stringify(type)} is not drilled.`;
  return { kind: "command", command };
}

async function claudeOf(folders: ClientFolders, probe: DrillProbe, environment: Environment): Promise<FoundHooks> {
  if (folders.scope !== "project") return { hooks: [], notes: [] };
  const path = `${folders.project}/.claude/settings.json`;
  const { values } = await readSettings(path);
  const pascal = { ...probe, events: [probe.events[0]] as const };
  return claudeHooksOf({ source: path, values }, pascal, {
    ...{ matches: nameOrPattern, timeoutMs: 60_000, toMs: (seconds: number) => seconds * 1_000, environment },
    types: ["command"] as const,
  });
}
