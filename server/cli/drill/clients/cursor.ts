/** The hooks that Cursor would run: its own files, then the commands of Claude Code's settings. */
import { CLIENT_FILES, dialectOf } from "../../../dialects/index.ts";
import { claudeHooksOf } from "../claude-hooks.ts";
import type { FoundHooks } from "../configured-hook.ts";
import type { DrillProbe } from "../drill-calls.ts";
import { entriesFor, patternAnywhere } from "../matchers.ts";
import { objectAt, type ReadSettings, readLayers } from "../settings-file.ts";
import { commandHook, type FindHooks, findInFiles, joinFound } from "./find-hooks.ts";

const { managed: _, ...CLAUDE_FILES } = CLIENT_FILES["claude-code"];
/** Claude Code's events in Cursor's words, and its tools by the names that matchers of it say. */
const CLAUDE_EVENTS: Readonly<Record<string, string>> = {
  preToolUse: "PreToolUse",
  beforeSubmitPrompt: "UserPromptSubmit",
};
const CLAUDE_TOOLS: Readonly<Record<string, readonly string[]>> = { Shell: ["Bash"], Write: ["Write", "Edit"] };

export const findCursorHooks: FindHooks = async (folders, probe, environment) => {
  const own = findInFiles(await readLayers(CLIENT_FILES.cursor, folders), (file) => hooksOf(file, probe));
  const [event] = probe.events;
  const asClaude: DrillProbe = {
    ...probe,
    events: [CLAUDE_EVENTS[event] ?? event],
    toolNames: CLAUDE_TOOLS[probe.tool ?? ""] ?? probe.toolNames,
  };
  const claude = (await readLayers(CLAUDE_FILES, folders)).map((file) => {
    const found = claudeHooksOf(file, asClaude, { environment });
    return { ...found, hooks: found.hooks.map((hook) => ({ ...hook, event, blocksOnFailure: false })) };
  });
  return joinFound([own, ...claude]);
};

function hooksOf({ path, values }: ReadSettings, probe: DrillProbe): FoundHooks {
  const known = dialectOf("cursor").capabilities.events;
  const unknown = Object.keys(objectAt(values, "hooks")).find((event) => !Object.hasOwn(known, event));
  if (unknown !== undefined)
    return {
      hooks: [],
      notes: [`${path}: Cursor does not know the event ${JSON.stringify(unknown)}, which voids the file.`],
    };
  const hooks = entriesFor(values, probe, patternAnywhere).flatMap(({ event, entry }) =>
    commandHook(entry, { source: path, event, blocksOnFailure: entry.failClosed === true }),
  );
  return { hooks, notes: [] };
}
