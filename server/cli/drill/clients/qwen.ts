/** The hooks that Qwen Code would run. */
import { claudeHooksOf } from "../claude-hooks.ts";
import { layersOf } from "../configured-hook.ts";
import { nameOrPattern } from "../matchers.ts";
import { readSettings } from "../settings-file.ts";
import { type FindHooks, joinFound } from "./find-hooks.ts";

const PATHS = {
  managed: ["/etc/qwen-code/settings.json"],
  user: [".qwen/settings.json"],
  project: [".qwen/settings.json"],
};
/** A number below counts seconds, another one milliseconds. */
const MILLISECONDS_FROM = 1_000;

export const findQwenHooks: FindHooks = async (folders, probe, environment) => {
  const rules = {
    ...{ matches: nameOrPattern, timeoutMs: 60_000, environment, types: ["command", "http"] as const },
    toMs: (timeout: number) => (timeout < MILLISECONDS_FROM ? timeout * 1_000 : timeout),
  };
  const found = layersOf(folders, PATHS).map(async ({ path }) => {
    const { values, note } = await readSettings(path, true);
    const own = claudeHooksOf({ source: path, values }, probe, rules);
    return { ...own, notes: [...(note === null ? [] : [note]), ...own.notes] };
  });
  return joinFound(await Promise.all(found));
};
