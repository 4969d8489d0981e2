/** The plugins that opencode would load: the files of its folders, and those that its settings name by their address. */
import { readdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { ConfiguredHook } from "../configured-hook.ts";
import { layersOf } from "../configured-hook.ts";
import { listAt, readSettings } from "../settings-file.ts";
import type { FindHooks } from "./find-hooks.ts";

const PATHS = {
  managed: ["/etc/opencode/opencode.json"],
  user: [".config/opencode/opencode.json"],
  project: ["opencode.json"],
};
const PLUGINS_MAX = 50;
const TIMEOUT_MS = 120_000;

export const findOpencodeHooks: FindHooks = async (folders, { events: [event] }) => {
  const { scope, home, project } = folders;
  const places = [
    ...(scope === "managed" ? [] : [`${home}/.config/opencode/plugin`]),
    ...(scope === "project" ? [`${project}/.opencode/plugin`] : []),
  ];
  const inFolders = await Promise.all(
    places
      .flatMap((folder) => [folder, `${folder}s`])
      .map(async (folder) => {
        const names = await readdir(folder).catch(() => []);
        return names.filter((name) => /\.m?js$/.test(name)).map((name) => `${folder}/${name}`);
      }),
  );
  const notes: string[] = [];
  const named = await Promise.all(
    layersOf(folders, PATHS).map(async ({ path }) => {
      const { values, note } = await readSettings(path, true);
      if (note !== null) notes.push(note);
      return values === null ? [] : listAt(values, "plugin").flatMap(pathOf);
    }),
  );
  const paths = [...new Set([...inFolders.flat().sort(), ...named.flat()])].slice(0, PLUGINS_MAX);
  const hooks = paths.map((path): ConfiguredHook => {
    return { source: path, event, action: { kind: "plugin", path }, timeoutMs: TIMEOUT_MS, blocksOnFailure: false };
  });
  return { hooks, notes };
};

function pathOf(plugin: unknown): string[] {
  if (typeof plugin !== "string" || !plugin.startsWith("file://")) return [];
  try {
    return [fileURLToPath(plugin)];
  } catch {
    return [];
  }
}
