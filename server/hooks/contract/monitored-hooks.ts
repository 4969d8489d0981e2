/** Hooks in monitor mode: until an instant they run without effect. Found by their path in the stored text. */
import type { HooksConfig } from "./hook.ts";
import { everyHook } from "./placement.ts";
import { pathOf } from "./problem.ts";

export interface MonitoredHook {
  /** `hooks.pre_tool_use[0].hooks[1]`. */
  readonly path: string;
  /** ISO 8601. From then on the hook has its effect. */
  readonly until: string;
}

/** The same hooks without those for which `isKept` is false. Entries and events that become empty are left out. */
export function keepHooks(hooks: HooksConfig, isKept: (path: string) => boolean): HooksConfig {
  const kept: Record<string, unknown[]> = {};
  for (const [event, entries] of Object.entries(hooks)) {
    const left = entries.flatMap((entry: object, index: number): object[] => {
      const path = pathOf(["hooks", event, index]);
      if (!("hooks" in entry) || !Array.isArray(entry.hooks)) return isKept(path) ? [entry] : [];
      const own = entry.hooks.filter((_, at) => isKept(`${path}.hooks[${at}]`));
      return own.length === 0 ? [] : [{ ...entry, hooks: own }];
    });
    if (left.length > 0) kept[event] = left;
  }
  // Holds: each list has entries of the list of its event.
  return kept as HooksConfig;
}

/** Every hook with its path. */
export function hooksByPath(hooks: HooksConfig) {
  return everyHook(hooks).map(({ event, place, hook }) => ({ event, hook, path: pathOf(["hooks", ...place]) }));
}
