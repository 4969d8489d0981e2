/** The hooks that Gemini CLI would run: those of all levels add up, and the user may switch one off by its name. */
import { claudeHooksOf } from "../claude-hooks.ts";
import { layersOf } from "../configured-hook.ts";
import { patternAnywhere } from "../matchers.ts";
import { listAt, objectAt, readSettings } from "../settings-file.ts";
import { type FindHooks, joinFound } from "./find-hooks.ts";

const PATHS = {
  managed: ["/etc/gemini-cli/settings.json"],
  user: [".gemini/settings.json"],
  project: [".gemini/settings.json"],
};

export const findGeminiHooks: FindHooks = async (folders, probe, environment) => {
  const files = await Promise.all(
    layersOf(folders, PATHS).map(async (layer) => ({ ...layer, ...(await readSettings(layer.path, true)) })),
  );
  const configs = files.map(({ values }) => objectAt(values, "hooksConfig"));
  const [managed, ...others] = configs.map(({ enabled }) => enabled);
  const isOff = managed !== true && (managed === false || others.findLast((one) => one !== undefined) === false);
  const disabled = new Set(configs.flatMap((config) => listAt(config, "disabled")));
  const rules = {
    ...{ matches: patternAnywhere, timeoutMs: 60_000, toMs: (ms: number) => ms, environment },
    types: ["command"] as const,
    isDisabled: ({ name, command }: Record<string, unknown>) => disabled.has(name) || disabled.has(command),
  };
  const found = files.map(({ path, values, note }) => {
    const notes = note === null ? [] : [note];
    if (values !== null && isOff) return { hooks: [], notes: [...notes, `${path}: hooksConfig.enabled is false.`] };
    const own = claudeHooksOf({ source: path, values }, probe, rules);
    return { ...own, notes: [...notes, ...own.notes] };
  });
  return joinFound(found);
};
