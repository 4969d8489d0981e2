/** Parses the format of conformance case files. README.md describes it. */
import { z } from "zod";
import { PROFILES } from "../contract/events.ts";

const profile = z.enum(PROFILES);
const stub = z.union([
  z.strictObject({ output: z.record(z.string(), z.unknown()).nullable() }),
  z.strictObject({ error: z.string() }),
  z.strictObject({ echo_args: z.literal(true) }),
  z.strictObject({ echo_cwd: z.literal(true) }),
]);
export type BuiltinStub = z.infer<typeof stub>;

const common = { id: z.string(), about: z.string(), profiles: z.array(profile).optional(), source: z.string() };
const hooks = z.record(z.string(), z.unknown());

const modelReply = z.union([
  z.string(),
  z.strictObject({ error: z.string() }),
  z.strictObject({ reply: z.string(), delay_ms: z.number().optional() }),
]);
export type ModelReply = z.infer<typeof modelReply>;

const number = z.union([z.number(), z.enum(["NaN", "Infinity", "-Infinity"])]);
const evaluatorStub = z.strictObject({
  result: z
    .strictObject({
      type: z.string().optional(),
      model: z.string().optional(),
      choice: z.string().optional(),
      probabilities: z.record(z.string(), number).optional(),
      probability: number.optional(),
      score: number.optional(),
      confidence: number.optional(),
    })
    .nullish(),
  error: z.string().optional(),
  terminal_error: z.string().optional(),
  delay_ms: z.number().optional(),
});
export type EvaluatorStub = z.infer<typeof evaluatorStub>;
const evaluatorStubs = z.record(
  z.string(),
  z.union([z.strictObject({ agents: z.record(z.string(), evaluatorStub) }), evaluatorStub]),
);
export type EvaluatorStubs = z.infer<typeof evaluatorStubs>;

const dispatchCase = z.strictObject({
  ...common,
  kind: z.undefined().optional(),
  config: hooks,
  event: z.string(),
  lane: z.literal("preempt_yolo").optional(),
  input: z.record(z.string(), z.unknown()),
  env: z.record(z.string(), z.string()).optional(),
  files: z.record(z.string(), z.string()).optional(),
  dirs: z.array(z.string()).optional(),
  builtins: z.record(z.string(), stub).optional(),
  model_replies: z.record(z.string(), modelReply).optional(),
  evaluators: evaluatorStubs.optional(),
  routing_default_agent: z.string().optional(),
  cancel_after_ms: z.number().optional(),
  repeat: z.int().optional(),
  expect: z.record(z.string(), z.unknown()),
});
export type DispatchCase = z.infer<typeof dispatchCase>;

const validateCase = z.strictObject({
  ...common,
  kind: z.literal("validate"),
  config: hooks,
  expect: z.strictObject({ valid: z.boolean(), error_contains: z.array(z.string()).optional() }),
});
export type ValidateCase = z.infer<typeof validateCase>;

const validateConfigCase = validateCase.extend({ kind: z.literal("validate_config") });
export type ValidateConfigCase = z.infer<typeof validateConfigCase>;

const hooksInOrder = z.record(z.string(), z.array(z.string()));
const mergeCase = z.strictObject({
  ...common,
  kind: z.literal("merge"),
  sources: z.strictObject({
    agent: hooks.optional(),
    settings: hooks.optional(),
    cli: hooks.optional(),
    drop_ins: z.record(z.string(), z.string()).optional(),
  }),
  expect: z.strictObject({ hooks: hooksInOrder, skipped: z.array(z.string()).optional() }),
});
export type MergeCase = z.infer<typeof mergeCase>;

const defaultsCase = z.strictObject({
  ...common,
  kind: z.literal("defaults"),
  config: hooks,
  flags: hooks,
  expect: z.strictObject({ hooks: hooksInOrder }),
});
export type DefaultsCase = z.infer<typeof defaultsCase>;

const matcherCase = z.object({
  ...common,
  source: z.string().optional(),
  pattern: z.string(),
  compiles: z.boolean(),
  names: z.record(z.string(), z.boolean()).optional(),
});
export type MatcherCase = z.infer<typeof matcherCase>;

const templateCase = z.strictObject({
  ...common,
  source: z.string().optional(),
  template: z.string(),
  input: z.record(z.string(), z.unknown()),
  expect: z.union([
    z.strictObject({ text: z.string(), bytes_hex: z.string().optional() }),
    z.strictObject({ parse_error: z.literal(true), line: z.int() }),
    z.strictObject({ exec_error: z.literal(true) }),
  ]),
  go_error: z.string().optional(),
  rare: z.boolean().optional(),
});
export type TemplateCase = z.infer<typeof templateCase>;

const executorCase = z.union([validateCase, validateConfigCase, mergeCase, defaultsCase, dispatchCase]);
const header = { format: z.literal(1), visibility: z.string(), count: z.int().optional() };
export const caseFile = z.discriminatedUnion("suite", [
  z.object({ ...header, suite: z.literal("hooks-executor"), cases: z.array(executorCase) }),
  z.object({ ...header, suite: z.literal("matcher"), cases: z.array(matcherCase) }),
  z.object({ ...header, suite: z.literal("prompt-template"), cases: z.array(templateCase) }),
]);
export type CaseFile = z.infer<typeof caseFile>;

/** Suites this runner can run. */
export const SUITES = ["hooks-executor", "matcher", "prompt-template"] as const;
