/** The hooks that docker-agent adds to those of every agent's own file: its user's settings, then the drop-in files, by its own rules. */
import { join, resolve } from "node:path";
import {
  checkHooks,
  controlEventsIn,
  type DropIn,
  NEWEST_PROFILE,
  readDropIn,
  releaseOf,
} from "../dialects/docker-agent/index.ts";
import { CLIENT_FILES, type ClientFiles, movedFolder } from "../dialects/index.ts";
import { type JsonObject, parseYamlSettings } from "../dialects/settings/index.ts";
import type { Profile } from "../hooks/contract/events.ts";
import { listFiles, objectAt, readText } from "./drill/settings-file.ts";

export interface HookSource {
  readonly path: string;
  readonly hooks: JsonObject;
  /** Sentences on what docker-agent does not run of it. */
  readonly notes: readonly string[];
  readonly isInForce: boolean;
}

interface ConfigPlace {
  readonly home: string;
  readonly directory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

const FILES_MAX = 200;
const { movable }: ClientFiles = CLIENT_FILES["docker-agent"];

/** The folder of docker-agent's settings. */
export function dockerAgentFolder({ home, directory, environment }: ConfigPlace): string {
  const moved = movedFolder("docker-agent", environment);
  return moved === null ? join(home, movable?.folder.slice(2) ?? "") : resolve(directory, moved);
}

/** The settings, then every drop-in file in the order of its name's bytes. The version decides which events and keys are known. */
export async function readHookSources(folder: string, version: string | null): Promise<HookSource[]> {
  const profile = (version === null ? undefined : releaseOf(version))?.profile ?? NEWEST_PROFILE;
  const names = await listFiles([join(folder, "hooks.d")], /\.ya?ml$/);
  const sorted = names.toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
  const dropIns = await Promise.all(
    sorted.slice(0, FILES_MAX).map(async (path) => {
      const text = await readText(path);
      return text === null ? [] : [sourceOf(path, readDropIn(text, profile))];
    }),
  );
  return [...(await settingsSource(join(folder, "config.yaml"), profile)), ...dropIns.flat()];
}

async function settingsSource(path: string, profile: Profile): Promise<HookSource[]> {
  const text = await readText(path);
  if (text === null || text.trim() === "") return [];
  let settings: JsonObject;
  try {
    settings = objectAt(parseYamlSettings(text), "settings");
  } catch {
    return [sourceOf(path, { isInForce: false, problem: "it is no YAML" })];
  }
  if (settings.hooks === undefined || settings.hooks === null) return [];
  return [sourceOf(`${path}, settings.hooks`, checkHooks(settings.hooks, profile))];
}

function sourceOf(path: string, read: DropIn): HookSource {
  if (!read.isInForce)
    return { path, hooks: {}, notes: [`${path} is skipped whole by docker-agent: ${read.problem}.`], isInForce: false };
  const control = controlEventsIn(read.hooks);
  const notes =
    control.length === 0
      ? []
      : [`${path} has hooks on ${control.join(", ")}: docker-agent then loads no agent without routing.`];
  return { path, hooks: read.hooks, notes, isInForce: true };
}
