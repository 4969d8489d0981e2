/** A handler kind for tests: the hook's `command` selects its reply. */
import type { Handler, HandlerKind, HandlerReply } from "../engine/ports.ts";

export type Script = Readonly<Record<string, HandlerReply | Handler["run"]>>;

/** A kind of the given type, `command` by default. A hook without a scripted reply fails. */
export function scriptedKind(script: Script, type = "command"): HandlerKind {
  return {
    type,
    build: (hook) => ({
      async run(call, signal) {
        const reply = script[hook.command ?? ""] ?? { kind: "failed", message: `not in the script: ${hook.command}` };
        return typeof reply === "function" ? reply(call, signal) : reply;
      },
    }),
  };
}

/** A process that printed something. */
export function exited(exitCode: number, stdout = "", stderr = ""): HandlerReply {
  return { kind: "exited", exitCode, stdout, stderr };
}

/** A process that printed a JSON object and ended well. */
export function printed(output: unknown): HandlerReply {
  return exited(0, JSON.stringify(output));
}
