/** `type: command`: a shell command, run by the spawner. */
import type { HandlerKind } from "../../engine/ports.ts";
import type { Spawner } from "./client.ts";

export interface CommandKindOptions {
  /**
   * "isolated" (a server running strangers' hooks): allow-listed environment, own scratch directory.
   * "given" (an executor beside its agent): the environment and directory of the dispatch, untouched.
   */
  readonly place: "isolated" | "given";
}

export function commandKind(_spawner: Spawner, _options: CommandKindOptions): HandlerKind {
  throw new Error("not written yet");
}
