/** Quarterdeck's own executor as the target of the cases: real processes, no sandbox, stub builtins, a stub for models. */
import { basename } from "node:path";
import {
  type Builtin,
  builtinKind,
  commandKind,
  compileMatcher,
  createExecutor,
  describeProblem,
  type Environment,
  type EventName,
  type HookOutput,
  type HooksConfig,
  hasHooksFor,
  modelKind,
  parseHooks,
  type Spawner,
  systemClock,
} from "../index.ts";
import type { BuiltinStub } from "./cases.ts";
import { renderedTemplate } from "./rendered-template.ts";
import { type ModelCall, stubClient } from "./stub-client.ts";
import type { Observed, Target } from "./target.ts";

/** The target; command hooks are started by the spawner and see the given environment. */
export function ourTarget(spawner: Spawner, env: Environment): Target {
  const command = commandKind(spawner, { place: "given" });
  return {
    async dispatch(one, profile, workingDir) {
      const modelCalls: ModelCall[] = [];
      const stubs = Object.entries(one.builtins ?? {}).map(([name, stub]) => builtinStub(name, stub));
      const executor = createExecutor({
        config: one.config as HooksConfig, // holds at run time: the executor takes any parsed config, which cases rely on
        profile,
        kinds: [command, builtinKind(stubs), modelKind(stubClient(one.model_replies ?? {}, modelCalls))],
        clock: systemClock,
        env: { ...env, SHELL: "/bin/sh", ...one.env },
        workingDir,
      });
      const event = one.event as EventName; // not necessarily true: some cases dispatch what is no event
      const observed = {
        has: hasHooksFor(executor.plan, event, one.lane ?? "default"),
        modelCalls,
      };
      const beganMs = performance.now();
      try {
        let last: Observed["result"];
        for (let times = 0; times < (one.repeat ?? 1); times++) {
          const signal = one.cancel_after_ms === undefined ? undefined : cancelledAfter(one.cancel_after_ms);
          const dispatch = { event, lane: one.lane ?? "default", input: structuredClone(one.input) } as const;
          last = { ...(await executor.dispatch({ ...dispatch, ...(signal && { signal }) })).result };
        }
        return { ...observed, elapsedMs: performance.now() - beganMs, ...(last && { result: last }) };
      } catch (error) {
        return { ...observed, elapsedMs: performance.now() - beganMs, error: String(error) };
      }
    },
    validate(config, profile) {
      const parsed = parseHooks(config, profile);
      const first = parsed.ok ? undefined : parsed.problems[0];
      return first && describeProblem(first);
    },
    matcher(pattern) {
      const matcher = compileMatcher(pattern);
      return matcher.ok ? matcher.matches : undefined;
    },
    render: renderedTemplate,
    skips: () => undefined,
  };
}

function cancelledAfter(afterMs: number): AbortSignal {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), afterMs);
  return controller.signal;
}

function builtinStub(name: string, stub: BuiltinStub): Builtin {
  return {
    name,
    run({ args, input }): HookOutput | null {
      if ("error" in stub) throw new Error(stub.error);
      if ("output" in stub) return stub.output;
      const additional_context = "echo_args" in stub ? args.join(",") : basename(input.cwd ?? "");
      return { hook_specific_output: { additional_context } };
    },
  };
}
