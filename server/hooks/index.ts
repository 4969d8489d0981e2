/** The public module of the core. Modules in contract/ may also be imported separately and run in the browser. */

export { type CallInput, type McpTool, mcpToolOf, type ReadCall, readCall } from "./calls/call.ts";
export {
  type KnownExtension,
  SKILL_ARGUMENTS,
  SKILL_TOOLS,
  unacceptedBy,
} from "./calls/extensions.ts";
export { loneCommandWords } from "./calls/safety/lone-command.ts";
export { systemClock } from "./clock.ts";
export * from "./contract/config.ts";
export * from "./contract/events.ts";
export * from "./contract/input.ts";
export * from "./contract/judge.ts";
export * from "./contract/matcher.ts";
export * from "./contract/output.ts";
export { DEFAULT_PROFILE } from "./contract/profiles.ts";
export { answerOf, denialResult, type Verdict, verdictOf, verdictOfReport } from "./engine/answer.ts";
export {
  BREAKER_LIMITS,
  type BreakerLimits,
  type Breakers,
  createBreakers,
  type OpenBreaker,
} from "./engine/breaker.ts";
export { type Compiled, type CompileOptions, compilePlan, type PlanSource } from "./engine/compile.ts";
export { compileMatchers } from "./engine/compile-matchers.ts";
export {
  CONCURRENCY_LIMITS,
  type ConcurrencyLimit,
  type ConcurrencyLimits,
  createConcurrencyLimit,
} from "./engine/concurrency-limit.ts";
export type { Said } from "./engine/contribution.ts";
export {
  createExecutor,
  type Dispatch,
  type Executor,
  type ExecutorOptions,
  type ExecutorWorld,
} from "./engine/executor.ts";
export { explainDispatch } from "./engine/explain.ts";
export { isUngrantable, type LiftVerdict } from "./engine/lift-verdict.ts";
export { failureText, type HookFailure, type HookOutcome, isSkipped } from "./engine/outcome.ts";
export { peopleAsked } from "./engine/people-asked.ts";
export { hasBuiltin, hasHooksFor, type Plan, type PlannedHook, type PlanProblem } from "./engine/plan.ts";
export type {
  Asker,
  Clock,
  Environment,
  Handler,
  HandlerCall,
  HandlerKind,
  HandlerReply,
  HookOrigin,
  HookPath,
  Turn,
} from "./engine/ports.ts";
export type { DispatchReport, HookReport } from "./engine/report.ts";
export { type Decision, NEUTRAL, type Result } from "./engine/result.ts";
export { hasHooksForTool, selectHooks } from "./engine/select.ts";
export { isStricter } from "./engine/stricter.ts";
export { type ChosenHook, listHookChoices, listResultSteps } from "./engine/trace.ts";
export { allowedEnvironment } from "./environment.ts";
export type { BudgetGuard, GuardedCall } from "./handlers/builtin/budget-guard.ts";
export { type Builtin, type BuiltinCall, builtinKind } from "./handlers/builtin/kind.ts";
export type { Machine } from "./handlers/builtin/machine.ts";
export {
  type AgentBuiltins,
  AVAILABLE_BUILTINS,
  agentBuiltins,
  type Guards,
  serverBuiltins,
} from "./handlers/builtin/registry.ts";
export type { GuardedToolCall, RepeatGuard, RepeatVerdict } from "./handlers/builtin/repeat-guard.ts";
export { maskText } from "./handlers/builtin/secrets/mask-text.ts";
export { countSecretsByRule, listSecrets, REDACTED, redactText } from "./handlers/builtin/secrets/redact.ts";
export {
  type Confinement,
  isContained,
  type Spawner,
  type SpawnerOptions,
  type SpawnRequest,
  startSpawner,
} from "./handlers/command/client.ts";
export {
  createFindPrograms,
  type FindPrograms,
  type ProgramAnswer,
} from "./handlers/command/find-programs.ts";
export { inProcessSpawner } from "./handlers/command/in-process.ts";
export { type CommandKindOptions, commandKind } from "./handlers/command/kind.ts";
export {
  type Evaluator,
  type EvaluatorAnswer,
  type EvaluatorClient,
  type EvaluatorQuestion,
  EvaluatorRefusal,
} from "./handlers/evaluator/client.ts";
export { type EvaluatorKindOptions, evaluatorKind } from "./handlers/evaluator/kind.ts";
export type {
  ModelAnswer,
  ModelClient,
  ModelQuestion,
  ReplyShape,
} from "./handlers/model/client.ts";
export { type ModelKindOptions, modelKind } from "./handlers/model/kind.ts";
export { type Asking, questionOf } from "./handlers/model/question.ts";
export { ReplyError } from "./handlers/model/reply.ts";
export { type ReplySchema, replySchemas } from "./handlers/model/schemas.ts";
export { evaluateRules } from "./handlers/rules/evaluate.ts";
export { type AcceptedExtensions, asksForExtensions, rulesKind, type SessionMarks } from "./handlers/rules/kind.ts";
export { type JudgeFacts, JudgeRefusal } from "./judge-refusal.ts";
export { maskPatternProblem } from "./masking/mask-patterns.ts";
export type { MaskHits } from "./masking/mask-spans.ts";
export type { MaskedCall, MaskedShape } from "./masking/masked-call.ts";
export {
  BUILT_IN_MASKING,
  createMasking,
  FIELD_HITS,
  HIDING_MASKING,
  type MaskedTexts,
  type Masking,
} from "./masking/masking.ts";
