/** Parses the case format of builtins: one builtin is called directly, and its result is compared. */
import { z } from "zod";
import { PROFILES } from "../contract/events.ts";

const object = z.record(z.string(), z.unknown());
const expectation = object;

const call = z.strictObject({
  edit: z.strictObject({ write: object.optional(), delete: z.array(z.string()).optional() }).optional(),
  event: z.string(),
  input: object,
  expect: expectation.optional(),
});
const operation = z.strictObject({
  edit: call.shape.edit,
  op: z.enum(["snapshot_list", "snapshot_undo", "snapshot_reset"]),
  session_id: z.string(),
  keep: z.int().optional(),
  expect: expectation.optional(),
});
const step = z.union([operation, call]);
export type BuiltinStep = z.infer<typeof step>;

const fixture = z.strictObject({
  cwd: z.string().optional(),
  git: z.boolean().optional(),
  commits: z.array(z.strictObject({ message: z.string(), files: object })).optional(),
  files: object.optional(),
  stage: z.array(z.string()).optional(),
  dirs: z.array(z.string()).optional(),
  symlinks: z.record(z.string(), z.string()).optional(),
  delete: z.array(z.string()).optional(),
  home_files: object.optional(),
  tmp_files: object.optional(),
  http: z.strictObject({ status: z.int() }).optional(),
});
export type BuiltinFixture = z.infer<typeof fixture>;

const builtinCase = z.strictObject({
  id: z.string(),
  about: z.string(),
  builtin: z.string(),
  args: z.array(z.unknown()),
  event: z.string().optional(),
  input: object.optional(),
  steps: z.array(step).optional(),
  fixture: fixture.optional(),
  expect: expectation.optional(),
  hardening: z.boolean().optional(),
  optional: z.boolean().optional(),
  profiles: z.array(z.enum(PROFILES)).optional(),
  source: z.string(),
});
export type BuiltinCase = z.infer<typeof builtinCase>;

export const builtinCaseFile = z.object({
  format: z.literal("builtin-cases/1"),
  count: z.int().optional(),
  cases: z.array(builtinCase),
});
export type BuiltinCaseFile = z.infer<typeof builtinCaseFile>;
