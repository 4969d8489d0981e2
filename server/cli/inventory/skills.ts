/** Skills and slash commands: folders with a SKILL.md, and single files. */
import { basename, join } from "node:path";
import { parseYamlSettings } from "../../dialects/settings/index.ts";
import type { ReportedExtension } from "../../extensions/schema.ts";
import { digestOf } from "./digest.ts";
import { type Folders, isFile, isFolder, namesIn, objectIn, type ScopedPath, shownPath, textIn } from "./folders.ts";
import type { CommandPlace } from "./places.ts";

/** Folders within a folder of skills or commands. */
const DEPTH_MAX = 4;
const NAME_MAX = 200;
const VERSION_MAX = 100;

/** The skills below a folder. A skill is not searched for others. */
export async function findSkills(place: ScopedPath, folders: Folders, depth = 0): Promise<ReportedExtension[]> {
  const found: ReportedExtension[] = [];
  for (const name of await namesIn(place.path)) {
    const inner = { ...place, path: join(place.path, name) };
    if (await isFile(join(inner.path, "SKILL.md"))) found.push(await skillAt(inner, folders));
    else if (depth < DEPTH_MAX && (await isFolder(inner.path)))
      found.push(...(await findSkills(inner, folders, depth + 1)));
  }
  return found;
}

async function skillAt(place: ScopedPath, folders: Folders): Promise<ReportedExtension> {
  const stated = frontMatterOf((await textIn(join(place.path, "SKILL.md"), folders)) ?? "");
  return {
    ...{ kind: "skill", scope: place.scope, path: shownPath(place, folders) },
    name: nameText(stated.name) ?? basename(place.path).slice(0, NAME_MAX),
    version: versionText(stated.version) ?? versionText(objectIn(stated.metadata).version),
    digest: await digestOf(place.path, folders.roots),
  };
}

/** The slash commands below a folder; `a/b.md` is the command `a:b`. */
export async function findCommands(
  place: ScopedPath,
  folders: Folders,
  { extension }: Pick<CommandPlace, "extension">,
  names: readonly string[] = [],
): Promise<ReportedExtension[]> {
  const found: ReportedExtension[] = [];
  for (const name of await namesIn(place.path)) {
    const inner = { ...place, path: join(place.path, name) };
    if (name.endsWith(extension) && (await isFile(inner.path)))
      found.push({
        ...{ kind: "command", scope: place.scope, path: shownPath(inner, folders) },
        name: [...names, name.slice(0, -extension.length)].join(":").slice(0, NAME_MAX),
        version: null,
        digest: await digestOf(inner.path, folders.roots),
      });
    else if (names.length < DEPTH_MAX && (await isFolder(inner.path)))
      found.push(...(await findCommands(inner, folders, { extension }, [...names, name])));
  }
  return found;
}

/** The mapping at the top of a Markdown file; empty if there is none. */
function frontMatterOf(text: string): Readonly<Record<string, unknown>> {
  const [, yaml] = /^---\r?\n([\s\S]*?)\r?\n---(?:\r?\n|$)/.exec(text) ?? [];
  if (yaml === undefined) return {};
  try {
    return objectIn(parseYamlSettings(yaml));
  } catch {
    return {};
  }
}

const LINE = /^\P{Cc}+$/u;

export const nameText = (value: unknown): string | null =>
  typeof value === "string" && value.length <= NAME_MAX && LINE.test(value) ? value : null;

/** YAML reads 1.0 as a number. */
export function versionText(value: unknown): string | null {
  const text = typeof value === "number" ? String(value) : value;
  return typeof text === "string" && text.length <= VERSION_MAX && LINE.test(text) ? text : null;
}
