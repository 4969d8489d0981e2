/** The hooks that GitHub Copilot CLI would run: every file of its folders, and the commands of a repository's Claude Code settings. */
import { dirname } from "node:path";
import { CLIENT_FILES } from "../../../dialects/index.ts";
import type { JsonObject } from "../../../dialects/settings/index.ts";
import { claudeHooksOf, headersOf } from "../claude-hooks.ts";
import { type ConfiguredHook, type FoundHooks, type HookAction, layersOf } from "../configured-hook.ts";
import type { DrillProbe } from "../drill-calls.ts";
import { entriesFor, wholeName } from "../matchers.ts";
import { listFiles, numberAt, type ReadSettings, readSettings, textAt } from "../settings-file.ts";
import { type Environment, type FindHooks, findInFiles, joinFound } from "./find-hooks.ts";

const FILES_MAX = 100;
const TIMEOUT_SECONDS = 30;
const [CLAUDE_PATH] = CLIENT_FILES["claude-code"].project;

export const findCopilotHooks: FindHooks = async (folders, probe, environment) => {
  const places = layersOf(folders, CLIENT_FILES.copilot).map(({ path }) => dirname(path));
  const paths = (await listFiles(places, /\.json$/)).slice(0, FILES_MAX);
  const files = await Promise.all(paths.map((path) => readSettings(path)));
  const own = findInFiles(files, (file) => hooksOf(file, probe, environment));
  if (folders.scope !== "project") return own;
  const { path, values } = await readSettings(`${folders.project}/${CLAUDE_PATH}`);
  const pascal = { ...probe, events: [probe.events[0]] as const };
  return joinFound([own, claudeHooksOf({ path, values }, pascal, { environment })]);
};

function hooksOf({ path, values }: ReadSettings, probe: DrillProbe, environment: Environment): FoundHooks {
  const hooks: ConfiguredHook[] = [];
  const notes: string[] = [];
  for (const { event, entry } of entriesFor(values, probe, wholeName)) {
    const action = actionOf(entry, environment);
    if (typeof action === "string") notes.push(`${path}, ${event}: ${action}`);
    else {
      const seconds = numberAt(entry, "timeoutSec") ?? numberAt(entry, "timeout") ?? TIMEOUT_SECONDS;
      hooks.push({ source: path, event, action, timeoutMs: seconds * 1_000, blocksOnFailure: false });
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
