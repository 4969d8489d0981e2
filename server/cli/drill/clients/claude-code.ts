/** The hooks that Claude Code would run: those of every file, or only those of the managed file if it says so. */
import { CLIENT_FILES } from "../../../dialects/index.ts";
import { claudeHooksOf } from "../claude-hooks.ts";
import { readLayers } from "../settings-file.ts";
import { type FindHooks, findInFiles } from "./find-hooks.ts";

export const findClaudeCodeHooks: FindHooks = async (folders, probe, environment) => {
  const files = await readLayers(CLIENT_FILES["claude-code"], folders);
  const isManagedOnly = files.some(({ isManaged, values }) => isManaged && values?.allowManagedHooksOnly === true);
  const isOff = files.some(({ isManaged, values }) => !isManaged && values?.disableAllHooks === true);
  return findInFiles(files, (file) => {
    const { hooks, notes } = claudeHooksOf(file, probe, { environment, hasHttp: true });
    if (file.isManaged || !(isManagedOnly || isOff)) return { hooks, notes };
    const why = isManagedOnly ? "only managed hooks run here" : "disableAllHooks is set";
    const note = hooks.length === 0 ? [] : [`${file.path}: its hooks do not run, ${why}.`];
    return { hooks: [], notes: [...notes, ...note] };
  });
};
