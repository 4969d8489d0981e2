/** The finder of a client's hooks for one call: it reads the files that the client reads, by the client's rules. */
import type { JsonObject } from "../../../dialects/settings/index.ts";
import type { ClientFolders, ConfiguredHook, FoundHooks } from "../configured-hook.ts";
import type { DrillProbe } from "../drill-calls.ts";
import { numberAt, type ReadSettings, textAt } from "../settings-file.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

export type FindHooks = (folders: ClientFolders, probe: DrillProbe, environment: Environment) => Promise<FoundHooks>;

export const NOTHING: FoundHooks = { hooks: [], notes: [] };

export function joinFound(found: readonly FoundHooks[]): FoundHooks {
  return { hooks: found.flatMap(({ hooks }) => hooks), notes: found.flatMap(({ notes }) => notes) };
}

/** The hooks of each file, with the notes on both. */
export function findInFiles<File extends ReadSettings>(
  files: readonly File[],
  find: (file: File) => FoundHooks,
): FoundHooks {
  return joinFound(files.flatMap((file) => [{ hooks: [], notes: file.notes }, find(file)]));
}

const TIMEOUT_SECONDS = 60;

/** A hook that is a command for the shell, with its time-out in seconds; none for a handler of another type. */
export function commandHook(
  handler: JsonObject,
  at: Pick<ConfiguredHook, "source" | "event" | "blocksOnFailure">,
  environment?: Readonly<Record<string, string>>,
): ConfiguredHook[] {
  const command = textAt(handler, "command");
  if (command === undefined || (handler.type !== undefined && handler.type !== "command")) return [];
  const timeoutMs = (numberAt(handler, "timeout") ?? TIMEOUT_SECONDS) * 1_000;
  return [{ ...at, timeoutMs, action: { kind: "command", command, ...(environment && { environment }) } }];
}
