/** `type: builtin`: one of our functions, found by name in the list that the executor is built with. */
import { isAbsolute, resolve } from "node:path";
import { isBuiltinIn } from "../../contract/builtins.ts";
import { PROFILES, type Profile } from "../../contract/events.ts";
import type { Environment, Handler, HandlerCall, HandlerKind, HandlerReply } from "../../engine/ports.ts";
import { expandPath, hookEnvironment } from "../../environment.ts";

type Output = Extract<HandlerReply, { kind: "answered" }>["output"];

type Run = (call: BuiltinCall) => Output | Promise<Output>;

/** A hook that needs no process. */
export interface Builtin {
  readonly name: string;
  /** True to run after the other rewrites of a dispatch, on their result. */
  readonly runsLast?: true;
  /** Its rewrite contains only the changed arguments; the others stay. */
  readonly patchesArguments?: true;
  /** True for a guard: its failure blocks whatever can be blocked, whatever its `on_error`. */
  readonly failsClosed?: true;
  /** Returns its output; null without output. A rejection is a failure of the hook. */
  readonly run: Run;
  /** A row for each profile that changed its behaviour. A row applies to the later profiles too, until the next row. */
  readonly changes?: Readonly<Partial<Record<Profile, Run>>>;
}

/** The behaviour of a builtin under a profile. */
export function runIn({ run, changes = {} }: Builtin, profile: Profile): Run {
  const upToHere = PROFILES.slice(0, PROFILES.indexOf(profile) + 1);
  return upToHere.map((one) => changes[one]).findLast((row) => row !== undefined) ?? run;
}

/** The call of a builtin: the dispatch, with the directory and environment from its hook. */
export interface BuiltinCall extends Pick<HandlerCall, "event" | "lane" | "profile" | "input" | "env" | "asker"> {
  readonly args: readonly string[];
  readonly signal: AbortSignal;
  /** Logs incomplete work. Never a secret, never a whole input. */
  readonly log?: ((text: string) => void) | undefined;
}

export interface BuiltinKindOptions {
  /** Logs a builtin's incomplete work. */
  readonly log?: (builtin: string, text: string) => void;
}

/** The handler kind for a list of builtins. */
export function builtinKind(builtins: readonly Builtin[], options: BuiltinKindOptions = {}): HandlerKind {
  const byName = new Map(builtins.map((builtin) => [builtin.name, builtin]));
  return {
    type: "builtin",
    // A policy's builtins follow its own profile, even if the plan follows the newer profile of another policy.
    build: (hook, _place, own) => ({
      ...traits(byName.get(hook.command ?? "")),
      async run(call, signal) {
        if (!hook.command) return { kind: "failed", message: "builtin hook requires a name in command" };
        const builtin = isBuiltinIn(hook.command, call.profile) ? byName.get(hook.command) : undefined;
        if (!builtin) return { kind: "failed", message: `no builtin hook registered as "${hook.command}"` };
        const { event, lane, profile, asker } = call;
        const input = hook.working_dir ? { ...call.input, cwd: directory(hook.working_dir, call) } : call.input;
        const env = hookEnvironment(call.env, hook.env);
        const log = (text: string) => options.log?.(builtin.name, text);
        try {
          const given = { event, lane, profile, input, env, asker, args: hook.args ?? [], signal, log };
          const output = await runIn(builtin, own ?? profile)(given);
          return { kind: "answered", output };
        } catch (error) {
          return { kind: "failed", message: error instanceof Error ? error.message : String(error) };
        }
      },
    }),
  };
}

function traits(builtin: Builtin | undefined): Pick<Handler, "runsLast" | "patchesArguments" | "failsClosed"> {
  return {
    ...(builtin?.runsLast && { runsLast: true }),
    ...(builtin?.patchesArguments && { patchesArguments: true }),
    ...(builtin?.failsClosed && { failsClosed: true }),
  };
}

function directory(asked: string, call: { workingDir: string; env: Environment }): string {
  const wanted = expandPath(asked, call.env);
  return isAbsolute(wanted) ? wanted : resolve(call.workingDir, wanted);
}
