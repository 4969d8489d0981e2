/** The hooks that Cursor would run: its own files, then the commands of Claude Code's settings. */
import { dialectOf } from "../../../dialects/index.ts";
import { isObject, type JsonObject } from "../../../dialects/settings/index.ts";
import { claudeHooksOf } from "../claude-hooks.ts";
import { type ConfiguredHook, type FoundHooks, layersOf } from "../configured-hook.ts";
import type { DrillProbe } from "../drill-calls.ts";
import { nameOrPattern, patternAnywhere } from "../matchers.ts";
import { listAt, numberAt, objectAt, readSettings, textAt } from "../settings-file.ts";
import { claudeLayers } from "./claude-code.ts";
import { type FindHooks, joinFound } from "./find-hooks.ts";

const PATHS = { managed: ["/etc/cursor/hooks.json"], user: [".cursor/hooks.json"], project: [".cursor/hooks.json"] };
const TIMEOUT_SECONDS = 60;
/** Claude Code's events in Cursor's words, and its tools by the names that matchers of it say. */
const CLAUDE_EVENTS: Readonly<Record<string, string>> = {
  preToolUse: "PreToolUse",
  beforeSubmitPrompt: "UserPromptSubmit",
};
const CLAUDE_TOOLS: Readonly<Record<string, readonly string[]>> = { Shell: ["Bash"], Write: ["Write", "Edit"] };

export const findCursorHooks: FindHooks = async (folders, probe, environment) => {
  const own = layersOf(folders, PATHS).map(async ({ path }) => {
    const { values, note } = await readSettings(path);
    const found = values === null ? { hooks: [], notes: [] } : hooksOf({ path, values }, probe);
    return { ...found, notes: [...(note === null ? [] : [note]), ...found.notes] };
  });
  const claude = claudeLayers(folders).map(async ({ path, isManaged }) => {
    const [event] = probe.events;
    const { values } = isManaged ? { values: null } : await readSettings(path);
    const asClaude: DrillProbe = {
      ...probe,
      events: [CLAUDE_EVENTS[event] ?? event],
      toolNames: CLAUDE_TOOLS[probe.tool ?? ""] ?? probe.toolNames,
    };
    const found = claudeHooksOf({ source: path, values }, asClaude, {
      ...{ matches: nameOrPattern, timeoutMs: 60_000, toMs: (seconds: number) => seconds * 1_000, environment },
      types: ["command"] as const,
    });
    return { ...found, hooks: found.hooks.map((hook) => ({ ...hook, event, blocksOnFailure: false })) };
  });
  return joinFound(await Promise.all([...own, ...claude]));
};

function hooksOf({ path, values }: { path: string; values: JsonObject }, probe: DrillProbe): FoundHooks {
  const events = objectAt(values, "hooks");
  const unknown = Object.keys(events).find(
    (event) => !Object.hasOwn(dialectOf("cursor").capabilities.events, event) && !OTHERS.has(event),
  );
  if (unknown !== undefined)
    return {
      hooks: [],
      notes: [`${path}: Cursor does not know the event ${JSON.stringify(unknown)}, which voids the file.`],
    };
  const hooks = probe.events.flatMap((event) =>
    listAt(events, event)
      .filter(isObject)
      .filter((handler) => {
        const matcher = textAt(handler, "matcher");
        return probe.tool === null || probe.toolNames.some((name) => patternAnywhere(matcher, name));
      })
      .flatMap((handler) => hookOf(path, event, handler)),
  );
  return { hooks, notes: [] };
}
/** Events of Cursor that no adapter takes. */
const OTHERS: ReadonlySet<string> = new Set(["workspaceOpen", "afterAgentThought"]);

function hookOf(source: string, event: string, handler: JsonObject): ConfiguredHook[] {
  const command = textAt(handler, "command");
  if (command === undefined || (handler.type !== undefined && handler.type !== "command")) return [];
  const timeoutMs = (numberAt(handler, "timeout") ?? TIMEOUT_SECONDS) * 1_000;
  return [
    { source, event, action: { kind: "command", command }, timeoutMs, blocksOnFailure: handler.failClosed === true },
  ];
}
