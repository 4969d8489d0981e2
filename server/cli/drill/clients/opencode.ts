/** The plugins that opencode would load: the files in its folders, and those at the paths in its settings. */
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { CLIENT_FILES, OPENCODE_PLUGINS } from "../../../dialects/index.ts";
import { type ConfiguredHook, layersOf } from "../configured-hook.ts";
import { listAt, listFiles, readLayers } from "../settings-file.ts";
import type { FindHooks } from "./find-hooks.ts";

const { user, project } = OPENCODE_PLUGINS;
const PLUGINS_MAX = 50;
const TIMEOUT_MS = 120_000;

export const findOpencodeHooks: FindHooks = async (folders, { events: [event] }) => {
  const places = layersOf(folders, { user: [dirname(user)], project: [dirname(project)] });
  const inFolders = await listFiles(
    places.flatMap(({ path }) => [path, `${path}s`]),
    /\.m?js$/,
  );
  const files = await readLayers(CLIENT_FILES.opencode, folders);
  const named = files.flatMap(({ values }) => (values === null ? [] : listAt(values, "plugin").flatMap(pathOf)));
  const paths = [...new Set([...inFolders, ...named])].slice(0, PLUGINS_MAX);
  const hooks = paths.map((path): ConfiguredHook => {
    return { source: path, event, action: { kind: "plugin", path }, timeoutMs: TIMEOUT_MS, blocksOnFailure: false };
  });
  return { hooks, notes: files.flatMap(({ notes }) => notes) };
};

function pathOf(plugin: unknown): string[] {
  if (typeof plugin !== "string" || !plugin.startsWith("file://")) return [];
  try {
    return [fileURLToPath(plugin)];
  } catch {
    return [];
  }
}
