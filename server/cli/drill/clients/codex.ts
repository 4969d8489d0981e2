/** The hooks that Codex would run. Trust is kept elsewhere, so a drill cannot see it. */
import { CLIENT_FILES } from "../../../dialects/index.ts";
import { isObject, type JsonObject } from "../../../dialects/settings/index.ts";
import { claudeHooksOf } from "../claude-hooks.ts";
import { codexMatcher } from "../matchers.ts";
import { listAt, objectAt, readLayers } from "../settings-file.ts";
import { type FindHooks, findInFiles, NOTHING } from "./find-hooks.ts";

const KNOWN_TYPES: ReadonlySet<unknown> = new Set(["command", "mcp_tool", "prompt", "agent"]);

export const findCodexHooks: FindHooks = async (folders, probe, environment) => {
  const files = await readLayers(CLIENT_FILES.codex, folders);
  const isManagedOnly = files.some(({ isManaged, values }) => isManaged && values?.allow_managed_hooks_only === true);
  const feature = files.map(({ values }) => objectAt(values, "features").hooks).find((value) => value !== undefined);
  return findInFiles(files, (file) => {
    const { path, values, isManaged } = file;
    if (values === null) return NOTHING;
    if (feature === false) return { hooks: [], notes: [`${path}: hooks are switched off (features.hooks).`] };
    if (isManagedOnly && !isManaged) return NOTHING;
    if (hasUnknownType(values))
      return { hooks: [], notes: [`${path}: a type that Codex does not know voids the file.`] };
    const own = claudeHooksOf(file, probe, { environment, matches: codexMatcher });
    const trust = "Codex runs them only once a person trusted them (/hooks), which a drill cannot see.";
    return own.hooks.length > 0 && !isManaged ? { ...own, notes: [...own.notes, `${path}: ${trust}`] } : own;
  });
};

function hasUnknownType(values: JsonObject): boolean {
  const groups = Object.values(objectAt(values, "hooks")).filter(Array.isArray).flat().filter(isObject);
  return groups.some((group) => listAt(group, "hooks").some((one) => isObject(one) && !KNOWN_TYPES.has(one.type)));
}
