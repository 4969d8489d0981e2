/** `type: command`: shell text, run by the spawner. */
import { isAbsolute, resolve } from "node:path";
import type { Handler, HandlerCall, HandlerKind, HandlerReply } from "../../engine/ports.ts";
import { allowedEnvironment, expandPath, hookEnvironment } from "../../environment.ts";
import type { Spawner } from "./client.ts";
import type { SpawnRequest } from "./protocol.ts";

export interface CommandKindOptions {
  /**
   * "isolated" (a server that runs untrusted hooks): allow-listed environment, a scratch directory for each run.
   * "given" (a local executor): the environment and directory of the dispatch, unchanged.
   */
  readonly place: "isolated" | "given";
}

type CommandHook = Parameters<HandlerKind["build"]>[0];

/** The time after the executor's own deadline at which the spawner ends a run itself. */
const BACKSTOP_MS = 5_000;
const LONGEST_TIMER_MS = 2_147_483_647;

/** The handler kind for command hooks. */
export function commandKind(spawner: Pick<Spawner, "run">, { place }: CommandKindOptions): HandlerKind {
  return {
    type: "command",
    build: (hook): Handler => ({
      run(call, signal): Promise<HandlerReply> {
        if (!hook.command) {
          return Promise.resolve({ kind: "failed", message: "command hook requires a non-empty command" });
        }
        return spawner.run(place === "isolated" ? isolated(hook, call) : given(hook, call), signal, call.turn);
      },
    }),
  };
}

function isolated(hook: CommandHook, call: HandlerCall): SpawnRequest {
  const base = allowedEnvironment(call.env);
  return { ...common(hook, call, base), cwd: expandPath(hook.working_dir ?? "", base), isolated: true };
}

function given(hook: CommandHook, call: HandlerCall): SpawnRequest {
  const wanted = expandPath(hook.working_dir ?? "", call.env);
  const cwd = isAbsolute(wanted) ? wanted : resolve(call.workingDir, wanted);
  return { ...common(hook, call, call.env), cwd, isolated: false };
}

function common(hook: CommandHook, call: HandlerCall, base: HandlerCall["env"]) {
  return {
    shell: base.SHELL || "/bin/sh",
    command: hook.command ?? "",
    stdin: call.inputJson,
    env: hookEnvironment(base, hook.env),
    network: hook.network === true,
    backstopMs: Math.min(call.timeoutMs + BACKSTOP_MS, LONGEST_TIMER_MS),
  };
}
