/** The place of an enrolment: the client, the settings, and the folders that their paths begin in. */
import { existsSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import {
  CLIENT_ENROLMENTS,
  CLIENT_FILES,
  type ClientFiles,
  type EnrolmentFile,
  type EnrolmentOptions,
  enrolmentOptions,
  isEnrolledClient,
  movedFolder,
} from "../../dialects/index.ts";
import { clientTitle, ENROLLED_CLIENTS, type EnrolledClient } from "../../dialects/schema.ts";
import { ownKeyOf } from "../own-key.ts";
import { Refusal } from "../refusal.ts";
import type { ProcessContext } from "./process-context.ts";
import { projectFolder, type ScopeOptions, scopeOf } from "./scope.ts";

export interface EnrolOptions extends ScopeOptions {
  /** The root folder of managed settings instead of `/`, to build an image. */
  readonly root?: string;
  readonly url?: string;
  /** False leaves out the settings of telemetry. */
  readonly telemetry?: boolean;
  /** The only proxy of the hooks. */
  readonly proxy?: string;
  readonly dryRun?: boolean;
  readonly remove?: boolean;
}

/** Facts about the machine on which the client is enrolled. */
export interface Machine {
  readonly hasOpenssl: boolean;
  /** The client's own version; null where it is not known. */
  readonly version: string | null;
}

export interface Target {
  readonly client: EnrolledClient;
  readonly title: string;
  readonly options: EnrolmentOptions;
  readonly files: readonly EnrolmentFile[];
  /** The name of this enrolment in the record. */
  readonly owner: string;
  readonly recordRoot: string;
  readonly recordFolder: string;
  /** The root that a file may not leave, and its path below it. */
  readonly locate: (path: string) => readonly [root: string, path: string];
}

type Environment = ProcessContext["environment"];

/** Errors: a `Refusal` for invalid arguments. */
export function enrolmentTarget(
  client: string,
  asked: EnrolOptions,
  { environment, homeDirectory, workingDirectory }: ProcessContext,
  { hasOpenssl, version }: Machine,
): Target {
  if (!isEnrolledClient(client)) throw new Refusal(unknownClient(client), 2);
  const scope = scopeOf(client, asked);
  if (asked.root !== undefined && scope !== "managed") throw new Refusal("--root goes with --managed.", 2);
  const options = enrolmentOptions.safeParse({
    url: urlOf(asked, environment),
    scope,
    key: environment.QUARTERDECK_KEY || undefined,
    hasTelemetry: asked.telemetry,
    proxy: asked.proxy?.replace(/\/+$/, ""),
    hasOpenssl,
    keyOf: ownKeyOf(client, { scope, home: homeDirectory }),
    ...(version !== null && { version }),
  });
  if (!options.success) throw new Refusal(options.error.issues[0]?.message ?? "This cannot be enrolled.", 2);
  const project = projectFolder(asked, workingDirectory);
  const system = resolve(workingDirectory, asked.root ?? "/");
  const isManaged = scope === "managed";
  const moved = scope === "user" ? movedFolder(client, environment) : null;
  const userFolder = moved === null ? null : resolve(workingDirectory, moved);
  return {
    client,
    title: clientTitle(client),
    options: options.data,
    files: CLIENT_ENROLMENTS[client](options.data),
    owner: `${client} ${userFolder ?? (scope === "project" ? project : scope)}`,
    recordRoot: isManaged ? join(system, "etc") : homeDirectory,
    recordFolder: isManaged ? "quarterdeck" : ".config/quarterdeck",
    locate: (path) => locateMoved(client, path, userFolder) ?? locate(path, { homeDirectory, project, system }),
  };
}

/** The place of a file in the folder that a variable moved; null for every other file. Its root is the folder, or the nearest one above that is there. */
function locateMoved(client: EnrolledClient, path: string, folder: string | null): readonly [string, string] | null {
  const { movable }: ClientFiles = CLIENT_FILES[client];
  if (folder === null || movable === undefined || !path.startsWith(`${movable.folder}/`)) return null;
  let root = folder;
  while (!existsSync(root) && dirname(root) !== root) root = dirname(root);
  return [root, relative(root, join(folder, path.slice(movable.folder.length)))];
}

interface Folders {
  readonly homeDirectory: string;
  readonly project: string;
  readonly system: string;
}

function locate(path: string, { homeDirectory, project, system }: Folders): readonly [string, string] {
  if (path.startsWith("~/")) return [homeDirectory, path.slice(2)];
  return isAbsolute(path) ? [join(system, "etc"), relative("/etc", path)] : [project, path];
}

function urlOf({ url }: EnrolOptions, environment: Environment): string {
  return (url ?? (environment.QUARTERDECK_URL || `http://127.0.0.1:${environment.PORT || "3000"}`)).replace(/\/+$/, "");
}

function unknownClient(client: string): string {
  return `There is no client ${JSON.stringify(client)}. Known: ${Object.keys(ENROLLED_CLIENTS).join(", ")}.`;
}
