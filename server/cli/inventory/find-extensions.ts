/** All extensions of one client on this machine. */
import { resolve } from "node:path";
import { REPORTED_MAX, type ReportedExtension } from "../../extensions/schema.ts";
import { findInAgentFile } from "./agent-file.ts";
import { type Folders, foldersOf, isFile, isFolder, type ScopedPath, scopedPath } from "./folders.ts";
import { findMcpServers } from "./mcp-servers.ts";
import { type ClientPlaces, type InventoriedClient, OPENCODE_PLUGIN_FOLDERS, PLACES } from "./places.ts";
import { findClaudePlugins, findPluginFiles, findPluginFolders, findPluginPackages } from "./plugins.ts";
import { findCommands, findSkills } from "./skills.ts";

export type InventoryPlace = Omit<Folders, "roots">;

export interface FoundExtensions {
  readonly extensions: readonly ReportedExtension[];
  /** False if more were found than a report takes. */
  readonly isComplete: boolean;
}

/** True if a folder or file of the client exists here. */
export async function isInUse(client: InventoriedClient, at: InventoryPlace): Promise<boolean> {
  const places: ClientPlaces = PLACES[client];
  const folders = await foldersOf(at, places);
  for (const mark of places.marks) {
    const place = scopedPath(mark, folders, places);
    if (place && ((await isFolder(place.path)) || (await isFile(place.path)))) return true;
  }
  return false;
}

/** `agentFile` is docker-agent's own file; null without one. */
export async function findExtensions(
  client: InventoriedClient,
  at: InventoryPlace,
  agentFile: string | null,
): Promise<FoundExtensions> {
  const places: ClientPlaces = PLACES[client];
  const folders = await foldersOf(at, places);
  const found: ReportedExtension[] = [];
  const each = async (text: string, find: (place: ScopedPath) => Promise<ReportedExtension[]>) => {
    const place = scopedPath(text, folders, places);
    if (place) found.push(...(await find(place)));
  };
  for (const folder of places.skills) await each(folder, (place) => findSkills(place, folders));
  for (const one of places.commands) await each(one.folder, (place) => findCommands(place, folders, one));
  for (const one of places.plugins) await each(one.folder, (place) => findPluginFolders(place, folders, one));
  for (const one of places.mcp) await each(one.file, (place) => findMcpServers(place, folders, one));
  if (client === "claude-code")
    await each("~/.claude/plugins/installed_plugins.json", (place) => findClaudePlugins(place, folders));
  if (client === "opencode") {
    for (const folder of OPENCODE_PLUGIN_FOLDERS) await each(folder, (place) => findPluginFiles(place, folders));
    for (const { file } of places.mcp) await each(file, (place) => findPluginPackages(place, folders));
  }
  if (agentFile !== null) found.push(...(await findInAgentFile({ path: resolve(agentFile), scope: "user" }, folders)));
  return { extensions: found.slice(0, REPORTED_MAX), isComplete: found.length <= REPORTED_MAX };
}
