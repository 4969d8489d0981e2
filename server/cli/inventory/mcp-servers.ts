/**
 * MCP servers of settings. The digest covers every setting of a server, and the local files that it runs. Values of
 * environment variables and headers may be secrets: only their names count, except variables that load code.
 */
import { createHash } from "node:crypto";
import { dirname, isAbsolute, resolve } from "node:path";
import type { JsonObject } from "../../dialects/settings/index.ts";
import type { ReportedExtension } from "../../extensions/schema.ts";
import { digestOf } from "./digest.ts";
import { type Folders, isFile, listIn, objectIn, type ScopedPath, settingsIn, shownPath } from "./folders.ts";
import { packageVersion } from "./package-version.ts";
import type { McpPlace } from "./places.ts";
import { nameText } from "./skills.ts";

/** Mappings of which only the names count. */
const SECRET_MAPPINGS = ["env", "environment", "headers", "http_headers", "httpHeaders"] as const;
/** Variables that decide which code a program loads. */
const LOADING =
  /^(?:PATH|NODE_OPTIONS|NODE_PATH|LD_\w+|DYLD_\w+|PYTHON\w+|PERL5?\w*|RUBY\w+|BASH_ENV|ENV|JAVA_TOOL_OPTIONS|CLASSPATH)$/;
const CODE_FILE = /\/|\.(?:[cm]?[jt]s|py|sh|rb|jar|php|pl)$/;
const FILES_MAX = 16;

export async function findMcpServers(place: ScopedPath, folders: Folders, mcp: McpPlace): Promise<ReportedExtension[]> {
  const settings = await settingsIn(place.path, folders, mcp.format);
  if (settings === null) return [];
  const own = await serversIn(objectIn(settings[mcp.key]), place, folders);
  // Claude Code keeps the servers that a person added for one project in the user's file.
  const ofProject = objectIn(objectIn(settings.projects)[folders.project ?? ""]);
  const further = objectIn(folders.project === null ? {} : ofProject.mcpServers);
  return [...own, ...(await serversIn(further, { ...place, scope: "project" }, folders))];
}

export async function serversIn(
  servers: JsonObject,
  place: ScopedPath,
  folders: Folders,
): Promise<ReportedExtension[]> {
  const found: ReportedExtension[] = [];
  for (const [key, value] of Object.entries(servers)) {
    const name = nameText(key);
    if (name !== null) found.push(await mcpServer(name, objectIn(value), place, folders));
  }
  return found;
}

export async function mcpServer(
  name: string,
  settings: JsonObject,
  place: ScopedPath,
  folders: Folders,
): Promise<ReportedExtension> {
  const words = [settings.command, settings.args].flatMap((value) => (Array.isArray(value) ? listIn(value) : [value]));
  const texts = words.filter((word) => typeof word === "string");
  const files = await filesOf(texts, place, folders, settings.cwd);
  const isWhole = files.every(({ digest }) => digest !== null);
  return {
    ...{ kind: "mcp_server", name, scope: place.scope, path: shownPath(place, folders) },
    version: texts.map(packageVersion).find((version) => version !== null) ?? null,
    digest: isWhole
      ? createHash("sha256")
          .update(canonical([withoutSecrets(settings), files.map(({ digest }) => digest)]))
          .digest("hex")
      : null,
  };
}

function withoutSecrets(settings: JsonObject): JsonObject {
  const names = SECRET_MAPPINGS.flatMap((key): [string, unknown][] => {
    if (settings[key] === undefined) return [];
    const entries = Object.entries(objectIn(settings[key]));
    return [[key, entries.map(([name, value]) => [name, LOADING.test(name) ? value : null]).sort()]];
  });
  return { ...settings, ...Object.fromEntries(names) };
}

/** The files of the home and the project that the server's command names. */
async function filesOf(texts: readonly string[], place: ScopedPath, folders: Folders, cwd: unknown) {
  const settingsFolder = place.scope === "project" ? (folders.project ?? dirname(place.path)) : folders.home;
  const base = typeof cwd === "string" ? resolve(settingsFolder, cwd) : settingsFolder;
  const found: { readonly digest: string | null }[] = [];
  for (const text of texts) {
    if (!CODE_FILE.test(text) || text.startsWith("-") || found.length >= FILES_MAX) continue;
    const path = text.startsWith("~/") ? `${folders.home}${text.slice(1)}` : resolve(base, text);
    const isOwn = isAbsolute(path) && folders.roots.some((root) => path.startsWith(`${root}/`));
    if (isOwn && (await isFile(path))) found.push({ digest: await digestOf(path, folders.roots) });
  }
  return found;
}

/** JSON with sorted keys. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  );
