/** A client's settings, read as the client reads them: links are followed, and a broken file counts as empty. */
import { open, readdir } from "node:fs/promises";
import type { ClientFiles } from "../../dialects/index.ts";
import { isObject, type JsonObject, parseSettings, UnreadableSettings } from "../../dialects/settings/index.ts";
import { codeOf } from "../enrol/files.ts";
import { Refusal } from "../refusal.ts";
import { type ClientFolders, layersOf, type SettingsLayer } from "./configured-hook.ts";

const BYTES_MAX = 1024 * 1024;

export interface ReadSettings {
  readonly path: string;
  readonly values: JsonObject | null;
  /** A sentence if the file exists and the client cannot read it. */
  readonly notes: readonly string[];
}

/** Errors: a `Refusal` for an unreadable file, because its hooks would be missing from the drill. */
export async function readText(path: string): Promise<string | null> {
  const file = await open(path, "r").catch((error: unknown) => {
    if (["ENOENT", "ENOTDIR"].includes(codeOf(error))) return null;
    throw new Refusal(`${path} cannot be read (${codeOf(error)}). Drill as somebody who may.`);
  });
  if (file === null) return null;
  try {
    const stat = await file.stat();
    if (!stat.isFile()) return null;
    if (stat.size > BYTES_MAX)
      throw new Refusal(`${path} has ${stat.size} bytes, and no more than ${BYTES_MAX} are read. Shorten it first.`);
    return (await file.readFile("utf8")).replace(/^\uFEFF/, "");
  } finally {
    await file.close();
  }
}

export async function readSettings(
  path: string,
  format: ClientFiles["format"] | "json" = "json",
): Promise<ReadSettings> {
  const text = await readText(path);
  if (text === null || text.trim() === "") return { path, values: null, notes: [] };
  try {
    return { path, values: parseSettings(text, path.endsWith(".toml") ? "toml" : format), notes: [] };
  } catch (error) {
    if (!(error instanceof UnreadableSettings)) throw error;
    return { path, values: null, notes: [`${path} cannot be read, so the client runs no hook of it.`] };
  }
}

/** The settings that count in a scope, the strongest first. */
export function readLayers(files: ClientFiles, folders: ClientFolders): Promise<(ReadSettings & SettingsLayer)[]> {
  return Promise.all(
    layersOf(folders, files).map(async (layer) => ({ ...layer, ...(await readSettings(layer.path, files.format)) })),
  );
}

/** The files of the folders that match, in order. */
export async function listFiles(folders: readonly string[], pattern: RegExp): Promise<string[]> {
  const listed = folders.map(async (folder) => {
    const names = await readdir(folder).catch(() => []);
    return names.filter((name) => pattern.test(name)).map((name) => `${folder}/${name}`);
  });
  return (await Promise.all(listed)).flat().sort();
}

export const objectAt = (values: JsonObject | null, key: string): JsonObject => {
  const value = values?.[key];
  return isObject(value) ? value : {};
};

export const listAt = (values: JsonObject, key: string): readonly unknown[] => {
  const value = values[key];
  return Array.isArray(value) ? value : [];
};

export const textAt = (values: JsonObject, key: string): string | undefined => {
  const value = values[key];
  return typeof value === "string" ? value : undefined;
};

export const numberAt = (values: JsonObject, key: string): number | undefined => {
  const value = values[key];
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? value : undefined;
};
