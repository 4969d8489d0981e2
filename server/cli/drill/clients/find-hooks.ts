/** The finder of a client's hooks for one call: it reads the files that the client reads, by the client's rules. */
import type { ClientFolders, FoundHooks } from "../configured-hook.ts";
import type { DrillProbe } from "../drill-calls.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

export type FindHooks = (folders: ClientFolders, probe: DrillProbe, environment: Environment) => Promise<FoundHooks>;

export function joinFound(found: readonly FoundHooks[]): FoundHooks {
  return { hooks: found.flatMap(({ hooks }) => hooks), notes: found.flatMap(({ notes }) => notes) };
}
