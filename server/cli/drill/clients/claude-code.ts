/** The hooks that Claude Code would run: those of every file, or of the managed one alone where it says so. */
import { claudeHooksOf } from "../claude-hooks.ts";
import { type ClientFolders, layersOf } from "../configured-hook.ts";
import { nameOrPattern } from "../matchers.ts";
import { readSettings } from "../settings-file.ts";
import { type FindHooks, joinFound } from "./find-hooks.ts";

const PATHS = {
  managed: ["/etc/claude-code/managed-settings.json"],
  user: [".claude/settings.json"],
  project: [".claude/settings.json", ".claude/settings.local.json"],
};

export const claudeLayers = (folders: ClientFolders) => layersOf(folders, PATHS);

export const findClaudeCodeHooks: FindHooks = async (folders, probe, environment) => {
  const files = await Promise.all(
    claudeLayers(folders).map(async (layer) => ({ ...layer, ...(await readSettings(layer.path)) })),
  );
  const isManagedOnly = files.some(({ isManaged, values }) => isManaged && values?.allowManagedHooksOnly === true);
  const isOff = files.some(({ isManaged, values }) => !isManaged && values?.disableAllHooks === true);
  const rules = {
    ...{ matches: nameOrPattern, timeoutMs: 60_000, toMs: (seconds: number) => seconds * 1_000, environment },
    types: ["command", "http"] as const,
  };
  return joinFound(
    files.map(({ path, values, note, isManaged }) => {
      const found = claudeHooksOf({ source: path, values }, probe, rules);
      const notes = [...(note === null ? [] : [note]), ...found.notes];
      if (isManaged || !(isManagedOnly || isOff)) return { ...found, notes };
      const why = isManagedOnly ? "only managed hooks run here" : "disableAllHooks is set";
      return {
        hooks: [],
        notes: found.hooks.length === 0 ? notes : [...notes, `${path}: its hooks do not run, ${why}.`],
      };
    }),
  );
};
