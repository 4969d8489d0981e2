/** The displayed reading of a tool call, as plain data of bounded size. */
import { z } from "zod";
import { PATH_ACCESSES, PATH_CLASSES } from "../calls/path-class-names.ts";
import { OPAQUE_KINDS } from "../calls/shell/shell-reading.ts";
import { RULE_VERDICTS, RULES_MAX } from "../contract/rules/schema.ts";
import { TOOL_KINDS } from "../contract/tool-kinds.ts";

/** The limits of listed items. Further items are only counted. */
export const READING_LIMITS = { commands: 200, paths: 100, hosts: 100, statements: 100, opaque: 50 } as const;
export const READING_TEXT_MAX = 300;
const FLAGS_MAX = 40;

const text = z.string().max(READING_TEXT_MAX);
const count = z.int().min(0);

const readPath = z.strictObject({
  /** As it is written. */
  source: text,
  /** Absolute if possible; null if known only at run time. */
  path: text.nullable(),
  access: z.enum(PATH_ACCESSES),
  classes: z.array(z.enum(PATH_CLASSES)),
});
export type ReadPath = z.infer<typeof readPath>;

const paths = z.array(readPath).max(READING_LIMITS.paths);
const hosts = z.array(z.strictObject({ name: text, source: text })).max(READING_LIMITS.hosts);

const readCommand = z.strictObject({
  program: text,
  source: text,
  /** The index of the launching command in the list. */
  parent: count.nullable(),
  /** Flags by meaning and as written. */
  flags: z.array(text).max(FLAGS_MAX),
  /** Relative to the call's directory; null if unknown. */
  directory: text.nullable(),
  paths,
  hosts,
});
export type ReadCommand = z.infer<typeof readCommand>;

export const callReading = z.strictObject({
  tool: text,
  kind: z.enum(TOOL_KINDS),
  /** Bytes of the arguments. */
  size: count,
  mcp: z.strictObject({ server: text, tool: text }).nullable(),
  commands: z.array(readCommand).max(READING_LIMITS.commands),
  /** Paths and hosts in the tool's own arguments. Commands list their own. */
  paths,
  hosts,
  sql: z.array(z.strictObject({ verb: text, hasWhere: z.boolean(), source: text })).max(READING_LIMITS.statements),
  opaque: z
    .array(z.strictObject({ kind: z.enum(OPAQUE_KINDS), reason: text, source: text }))
    .max(READING_LIMITS.opaque),
  /** Items that are not listed. */
  leftOut: count,
});
export type CallReading = z.infer<typeof callReading>;

/** `unknown`: the rule depends on the session or agent, which the reader does not know. */
export const RULE_STATES = ["matched", "not_matched", "unknown"] as const;

const ruleReading = z.strictObject({
  /** The index in the list of rules. */
  index: count,
  state: z.enum(RULE_STATES),
  verdict: z.enum(RULE_VERDICTS).nullable(),
  reason: z.string().max(500),
  /** The mark that it sets. */
  mark: z.string().max(64).nullable(),
  /** The match, or the first unmet condition, in a sentence. */
  says: z.string().max(1_000),
});
export type RuleReading = z.infer<typeof ruleReading>;

export const rulesReading = z.array(ruleReading).max(RULES_MAX);
