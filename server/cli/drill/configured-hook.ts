/** A hook as a client's own files configure it, and the place in which those files are looked for. */

export type HookAction =
  | { readonly kind: "command"; readonly command: string; readonly environment?: Readonly<Record<string, string>> }
  | { readonly kind: "executable"; readonly path: string }
  | { readonly kind: "http"; readonly url: string; readonly headers: Readonly<Record<string, string>> }
  | { readonly kind: "plugin"; readonly path: string };

export interface ConfiguredHook {
  /** The file that it stands in. */
  readonly source: string;
  /** In the client's own spelling. */
  readonly event: string;
  readonly action: HookAction;
  /** Until the client gives up. */
  readonly timeoutMs: number;
  /** The client is configured to block when the hook fails. */
  readonly blocksOnFailure: boolean;
}

/** The hooks that a client would run for one call, and what a drill cannot see about them. */
export interface FoundHooks {
  readonly hooks: readonly ConfiguredHook[];
  readonly notes: readonly string[];
}

export type DrillScope = "project" | "user" | "managed";

export interface ClientFolders {
  readonly scope: DrillScope;
  readonly home: string;
  readonly project: string;
}

/** One file of a client's settings, the strongest first. */
export interface SettingsLayer {
  readonly path: string;
  readonly isManaged: boolean;
}

interface LayerPaths {
  readonly managed: readonly string[];
  /** Below the home folder. */
  readonly user: readonly string[];
  /** Below the project's folder. */
  readonly project: readonly string[];
}

/** The files that count in a scope: those of the machine always, those of the project only there. */
export function layersOf({ scope, home, project }: ClientFolders, paths: LayerPaths): SettingsLayer[] {
  const below = (folder: string, names: readonly string[]) =>
    names.map((name) => ({ path: `${folder}/${name}`, isManaged: false }));
  return [
    ...paths.managed.map((path) => ({ path, isManaged: true })),
    ...(scope === "managed" ? [] : below(home, paths.user)),
    ...(scope === "project" ? below(project, paths.project) : []),
  ];
}
