/** Plugins and Gemini extensions: folders with a manifest, files, and packages that settings name. */
import { createHash } from "node:crypto";
import { basename, extname, join } from "node:path";
import type { ReportedExtension } from "../../extensions/schema.ts";
import { digestOf } from "./digest.ts";
import {
  type Folders,
  isFile,
  isFolder,
  listIn,
  namesIn,
  objectIn,
  type ScopedPath,
  settingsIn,
  shownPath,
} from "./folders.ts";
import { packageVersion } from "./package-version.ts";
import type { PluginFolders } from "./places.ts";
import { nameText, versionText } from "./skills.ts";

/** The plugins below a folder that have a manifest. */
export async function findPluginFolders(
  place: ScopedPath,
  folders: Folders,
  { manifests, depth }: Omit<PluginFolders, "folder">,
): Promise<ReportedExtension[]> {
  const found: ReportedExtension[] = [];
  for (const name of await namesIn(place.path)) {
    const inner = { ...place, path: join(place.path, name) };
    const plugin = await pluginAt(inner, folders, manifests);
    if (plugin) found.push(plugin);
    else if (depth > 0 && (await isFolder(inner.path)))
      found.push(...(await findPluginFolders(inner, folders, { manifests, depth: depth - 1 })));
  }
  return found;
}

async function pluginAt(
  place: ScopedPath,
  folders: Folders,
  manifests: readonly string[],
): Promise<ReportedExtension | null> {
  for (const manifest of manifests) {
    if (!(await isFile(join(place.path, manifest)))) continue;
    const stated = await settingsIn(join(place.path, manifest), folders, "json");
    return {
      ...{ kind: "plugin", scope: place.scope, path: shownPath(place, folders) },
      name: nameText(stated?.name) ?? basename(place.path).slice(0, 200),
      version: versionText(stated?.version),
      digest: await digestOf(place.path, folders.roots),
    };
  }
  return null;
}

/** The plugins that Claude Code lists as installed: for the user, and for this project. */
export async function findClaudePlugins(list: ScopedPath, folders: Folders): Promise<ReportedExtension[]> {
  const installed = objectIn((await settingsIn(list.path, folders, "json"))?.plugins);
  const found: ReportedExtension[] = [];
  for (const [id, entries] of Object.entries(installed)) {
    // Before version 2 of the list, a plugin had one entry.
    for (const entry of Array.isArray(entries) ? listIn(entries) : [entries]) {
      const { installPath, version, projectPath } = objectIn(entry);
      const isOfProject = typeof projectPath === "string";
      if (typeof installPath !== "string" || (isOfProject && projectPath !== folders.project)) continue;
      const path = shownPath({ path: installPath, scope: "user" }, folders);
      const name = nameText(id.split("@")[0]);
      if (name === null) continue;
      found.push({
        ...{ kind: "plugin", scope: isOfProject ? "project" : "user", path, name },
        version: versionText(version),
        digest: await digestOf(installPath, folders.roots),
      });
    }
  }
  return found;
}

const PLUGIN_FILE = /\.[cm]?[jt]s$/;

/** Plugins that are single files, as opencode loads them. */
export async function findPluginFiles(place: ScopedPath, folders: Folders): Promise<ReportedExtension[]> {
  const found: ReportedExtension[] = [];
  for (const name of await namesIn(place.path)) {
    const inner = { ...place, path: join(place.path, name) };
    if (!(PLUGIN_FILE.test(name) && (await isFile(inner.path)))) continue;
    found.push({
      ...{ kind: "plugin", scope: place.scope, path: shownPath(inner, folders), version: null },
      name: basename(name, extname(name)).slice(0, 200),
      digest: await digestOf(inner.path, folders.roots),
    });
  }
  return found;
}

/** Packages that opencode's settings name: the digest covers the name and version, because the package is loaded later. */
export async function findPluginPackages(settings: ScopedPath, folders: Folders): Promise<ReportedExtension[]> {
  const packages = listIn((await settingsIn(settings.path, folders, "jsonc"))?.plugin);
  return packages.flatMap((one): ReportedExtension[] => {
    const name = nameText(one);
    if (name === null) return [];
    const digest = createHash("sha256").update(name).digest("hex");
    const path = shownPath(settings, folders);
    return [{ kind: "plugin", scope: settings.scope, path, name, version: packageVersion(name), digest }];
  });
}
