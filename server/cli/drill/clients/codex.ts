/** The hooks that Codex would run. Trust is kept elsewhere, so a drill cannot see it. */
import { isObject, type JsonObject } from "../../../dialects/settings/index.ts";
import { claudeHooksOf } from "../claude-hooks.ts";
import { layersOf } from "../configured-hook.ts";
import { codexMatcher } from "../matchers.ts";
import { listAt, objectAt, readSettings } from "../settings-file.ts";
import { type FindHooks, joinFound } from "./find-hooks.ts";

const PATHS = {
  managed: ["/etc/codex/requirements.toml"],
  user: [".codex/hooks.json", ".codex/config.toml"],
  project: [".codex/hooks.json", ".codex/config.toml"],
};
const KNOWN_TYPES: ReadonlySet<unknown> = new Set(["command", "mcp_tool", "prompt", "agent"]);

export const findCodexHooks: FindHooks = async (folders, probe, environment) => {
  const files = await Promise.all(
    layersOf(folders, PATHS).map(async (layer) => ({ ...layer, ...(await readSettings(layer.path)) })),
  );
  const isManagedOnly = files.some(({ isManaged, values }) => isManaged && values?.allow_managed_hooks_only === true);
  const feature = files.map(({ values }) => objectAt(values, "features").hooks).find((value) => value !== undefined);
  const rules = {
    ...{ matches: codexMatcher, timeoutMs: 60_000, toMs: (seconds: number) => seconds * 1_000, environment },
    types: ["command"] as const,
  };
  const found = files.map(({ path, values, note, isManaged }) => {
    const notes = note === null ? [] : [note];
    if (values === null) return { hooks: [], notes };
    if (feature === false) return { hooks: [], notes: [`${path}: hooks are switched off (features.hooks).`] };
    if (isManagedOnly && !isManaged) return { hooks: [], notes };
    if (hasUnknownType(values))
      return { hooks: [], notes: [`${path}: a type that Codex does not know voids the file.`] };
    const own = claudeHooksOf({ source: path, values }, probe, rules);
    const trust = "Codex runs them only once a person trusted them (/hooks), which a drill cannot see.";
    return own.hooks.length > 0 && !isManaged ? { ...own, notes: [...own.notes, `${path}: ${trust}`] } : own;
  });
  return joinFound(found);
};

function hasUnknownType(values: JsonObject): boolean {
  const groups = Object.values(objectAt(values, "hooks")).filter(Array.isArray).flat().filter(isObject);
  return groups.some((group) => listAt(group, "hooks").some((one) => isObject(one) && !KNOWN_TYPES.has(one.type)));
}
