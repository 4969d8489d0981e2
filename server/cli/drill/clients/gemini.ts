/** The hooks that Gemini CLI would run: those of all levels together. The user can disable a hook by its name. */
import { CLIENT_FILES } from "../../../dialects/index.ts";
import { claudeHooksOf } from "../claude-hooks.ts";
import { patternAnywhere } from "../matchers.ts";
import { listAt, objectAt, readLayers } from "../settings-file.ts";
import { type FindHooks, findInFiles } from "./find-hooks.ts";

export const findGeminiHooks: FindHooks = async (folders, probe, environment) => {
  const files = await readLayers(CLIENT_FILES.gemini, folders);
  const configs = files.map(({ values }) => objectAt(values, "hooksConfig"));
  const [managed, ...others] = configs.map(({ enabled }) => enabled);
  const isOff = managed !== true && (managed === false || others.findLast((one) => one !== undefined) === false);
  const disabled = new Set(configs.flatMap((config) => listAt(config, "disabled")));
  const rules = {
    ...{ matches: patternAnywhere, toMs: (ms: number) => ms, environment },
    isDisabled: ({ name, command }: Record<string, unknown>) => disabled.has(name) || disabled.has(command),
  };
  return findInFiles(files, (file) => {
    if (file.values !== null && isOff) return { hooks: [], notes: [`${file.path}: hooksConfig.enabled is false.`] };
    return claudeHooksOf(file, probe, rules);
  });
};
