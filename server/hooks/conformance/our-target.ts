/** Quarterdeck's own executor as the target of the cases: real processes, no sandbox, stub builtins, a stub for models. */
import { basename } from "node:path";
import { agentFileProblems } from "../contract/agent-file.ts";
import { agentFlags } from "../contract/flags.ts";
import { mergeHookSources } from "../contract/text/hook-sources.ts";
import {
  type Builtin,
  builtinKind,
  commandKind,
  compileMatcher,
  createExecutor,
  describeProblem,
  type Environment,
  type EventName,
  evaluatorKind,
  type HookOutput,
  type HooksConfig,
  hasHooksFor,
  modelKind,
  parseHooks,
  type Spawner,
  systemClock,
  withFlags,
} from "../index.ts";
import type { BuiltinStub } from "./cases.ts";
import { renderedTemplate } from "./rendered-template.ts";
import { type ModelRequest, stubClient } from "./stub-client.ts";
import { type EvaluatorCall, stubEvaluators } from "./stub-evaluators.ts";
import type { Observed, Target } from "./target.ts";

/** The target; command hooks are started by the spawner and see the given environment. */
export function ourTarget(spawner: Spawner, env: Environment): Target {
  const command = commandKind(spawner, { place: "given" });
  return {
    async dispatch(one, profile, workingDir) {
      const modelRequests: ModelRequest[] = [];
      const evaluatorCalls: EvaluatorCall[] = [];
      const stubs = Object.entries(one.builtins ?? {}).map(([name, stub]) => builtinStub(name, stub));
      const executor = createExecutor({
        config: one.config as HooksConfig, // holds at run time: the executor accepts any parsed config, which cases rely on
        profile,
        kinds: [
          command,
          builtinKind(stubs),
          modelKind(stubClient(one.model_replies ?? {}, modelRequests)),
          evaluatorKind(stubEvaluators(one.evaluators ?? {}, one.routing_default_agent, evaluatorCalls)),
        ],
        clock: systemClock,
        env: { ...env, SHELL: "/bin/sh", ...one.env },
        workingDir,
      });
      const event = one.event as EventName; // not always true: some cases dispatch an unknown event
      const observed = () => ({
        has: hasHooksFor(executor.plan, event, one.lane ?? "default"),
        modelCalls: modelRequests.map(({ model, user }) => ({ model, user })),
        modelRequests,
        evaluatorCalls: evaluatorCalls.map((call) => ({ ...call })),
      });
      const beganMs = performance.now();
      try {
        let last: Observed["result"];
        for (let times = 0; times < (one.repeat ?? 1); times++) {
          const signal = one.cancel_after_ms === undefined ? undefined : cancelledAfter(one.cancel_after_ms);
          const dispatch = { event, lane: one.lane ?? "default", input: structuredClone(one.input) } as const;
          last = { ...(await executor.dispatch({ ...dispatch, ...(signal && { signal }) })).result };
        }
        return { ...observed(), elapsedMs: performance.now() - beganMs, ...(last && { result: last }) };
      } catch (error) {
        return { ...observed(), elapsedMs: performance.now() - beganMs, error: String(error) };
      }
    },
    validate(config, profile) {
      const parsed = parseHooks(config, profile);
      const first = parsed.ok ? undefined : parsed.problems[0];
      return first && describeProblem(first);
    },
    validateConfig(config) {
      const first = agentFileProblems(config)[0];
      return first && `${first.path}: ${first.message}`;
    },
    merge: (sources, profile) => mergeHookSources(sources, profile),
    withFlags(config, flags, profile) {
      const parsed = parseHooks(config, profile);
      if (!parsed.ok) throw new Error(parsed.problems.map(describeProblem).join("; "));
      // A case gives the flags as a parsed agent file has them: an absent flag is off.
      const read = agentFlags.parse(flags);
      return withFlags(parsed.hooks, { ...read, redact_secrets: read.redact_secrets === true }, {}, profile);
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
