/** The place of an enrolment: the client, the settings, and the folders that their paths begin in. */
import { isAbsolute, join, relative, resolve } from "node:path";
import {
  CLIENT_ENROLMENTS,
  type EnrolmentFile,
  type EnrolmentOptions,
  enrolmentOptions,
  isEnrolledClient,
} from "../../dialects/index.ts";
import { clientTitle, ENROLLED_CLIENTS, type EnrolledClient } from "../../dialects/schema.ts";
import { Refusal } from "../refusal.ts";
import type { ProcessContext } from "./process-context.ts";
import { projectFolder, type ScopeOptions, scopeOf } from "./scope.ts";

export interface EnrolOptions extends ScopeOptions {
  /** Managed settings below this folder instead of `/`: those of an image that is built. */
  readonly root?: string;
  readonly url?: string;
  /** False leaves out the settings of telemetry. */
  readonly telemetry?: boolean;
  /** The only proxy of the hooks. */
  readonly proxy?: string;
  readonly dryRun?: boolean;
  readonly remove?: boolean;
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

/** Errors: a `Refusal` for what was asked wrongly. */
export function enrolmentTarget(
  client: string,
  asked: EnrolOptions,
  { environment, homeDirectory, workingDirectory }: ProcessContext,
  hasOpenssl: boolean,
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
  });
  if (!options.success) throw new Refusal(options.error.issues[0]?.message ?? "This cannot be enrolled.", 2);
  const project = projectFolder(asked, workingDirectory);
  const system = resolve(workingDirectory, asked.root ?? "/");
  const isManaged = scope === "managed";
  return {
    client,
    title: clientTitle(client),
    options: options.data,
    files: CLIENT_ENROLMENTS[client](options.data),
    owner: `${client} ${scope === "project" ? project : scope}`,
    recordRoot: isManaged ? join(system, "etc") : homeDirectory,
    recordFolder: isManaged ? "quarterdeck" : ".config/quarterdeck",
    locate: (path) => locate(path, { homeDirectory, project, system }),
  };
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
  if (client === "docker-agent")
    return "docker-agent reads hooks from the agent's own file: copy the block from Agents, New agent, in the console.";
  return `There is no client ${JSON.stringify(client)}. Known: ${Object.keys(ENROLLED_CLIENTS).join(", ")}.`;
}
