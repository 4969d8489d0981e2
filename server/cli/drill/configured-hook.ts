/** A hook as a client's own files configure it, and the place in which those files are looked for. */
import type { ClientFiles } from "../../dialects/index.ts";
import type { EnrolmentScope } from "../../dialects/schema.ts";

export type HookAction =
  | { readonly kind: "command"; readonly command: string; readonly environment?: Readonly<Record<string, string>> }
  | { readonly kind: "executable"; readonly path: string }
  | { readonly kind: "http"; readonly url: string; readonly headers: Readonly<Record<string, string>> }
  | { readonly kind: "plugin"; readonly path: string };

export interface ConfiguredHook {
  /** The file that configures it. */
  readonly source: string;
  /** The event in the client's own spelling. */
  readonly event: string;
  readonly action: HookAction;
  /** The client's timeout. */
  readonly timeoutMs: number;
  /** The client is configured to block when the hook fails. */
  readonly blocksOnFailure: boolean;
}

/** The hooks that a client would run for one call, and the limits of the drill's knowledge of them. */
export interface FoundHooks {
  readonly hooks: readonly ConfiguredHook[];
  readonly notes: readonly string[];
}

export interface ClientFolders {
  readonly scope: EnrolmentScope;
  readonly home: string;
  readonly project: string;
}

/** One file of a client's settings, the strongest first. */
export interface SettingsLayer {
  readonly path: string;
  readonly isManaged: boolean;
}

/** The files that apply in a scope: those of the machine always, those of the project only in the project scope. */
export function layersOf({ scope, home, project }: ClientFolders, files: ClientFiles): SettingsLayer[] {
  return [
    ...(files.managed ?? []).map((path) => ({ path, isManaged: true })),
    ...(scope === "managed" ? [] : files.user.map((path) => ({ path: `${home}${path.slice(1)}`, isManaged: false }))),
    ...(scope === "project" ? (files.project ?? []) : []).map((path) => ({
      path: `${project}/${path}`,
      isManaged: false,
    })),
  ];
}
