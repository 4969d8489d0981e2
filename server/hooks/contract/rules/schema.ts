/** The schema of hooks of type `rules`: conditions on a call's effects. A rule contains no code. */
import { z } from "zod";
import { HOST_CLASSES, isNetwork } from "../../calls/hosts.ts";
import { PATH_ACCESSES, PATH_CLASSES } from "../../calls/path-class-names.ts";
import { SAFETY_LABELS } from "../../calls/safety/label-names.ts";
import { OPAQUE_KINDS } from "../../calls/shell/shell-reading.ts";
import { EXTENSION_KINDS } from "../extension-kinds.ts";
import { TOOL_KINDS } from "../tool-kinds.ts";

export const RULES_MAX = 200;
const TEXT_MAX = 500;
const NAME_MAX = 200;
const LIST_MAX = 200;
const DEPTH_MAX = 8;

const text = z.string().min(1).max(TEXT_MAX);
const name = z.string().min(1).max(NAME_MAX);
/** One value or a list; one match is enough. */
const oneOrMore = <T extends z.ZodType>(item: T) => z.union([item, z.array(item).min(1).max(LIST_MAX)]);
const mark = z.string().regex(/^[a-z][a-z0-9_]{0,63}$/, "Use lower-case letters, digits and underscores.");
const duration = z.string().regex(/^[1-9]\d{0,4}[smhd]$/, 'Use a duration such as "30m", "2h" or "1d".');
const host = name.refine(
  (pattern) => isNetwork(pattern) || /^(?:\*|(?:\*\.)?[\w.-]+|\[?[\da-f:.]+\]?)$/i.test(pattern),
  {
    message: 'Use a host such as "example.org" or "*.example.org", or a network such as "10.0.0.0/8".',
  },
);

const says = <T extends z.ZodType>(schema: T, description: string, examples?: readonly unknown[]) =>
  schema.optional().meta({ description, ...(examples && { examples: [...examples] }) });

const access = says(
  oneOrMore(z.enum(PATH_ACCESSES)),
  "The access to the path: to read, write, delete or execute it. Write includes delete.",
);

/** The path of a command or of a file tool. */
const pathTarget = z.strictObject({
  class: says(oneOrMore(z.enum(PATH_CLASSES)), "The kind of file or folder, such as credentials."),
  path: says(oneOrMore(name), "A pattern of the path. One without a root is looked for below any folder.", ["**/*.tf"]),
  not: says(oneOrMore(name), "Patterns of excluded paths."),
  outside: says(z.enum(["project"]), "The path is neither in the call's working directory nor in a temporary folder."),
});
export type PathTarget = z.infer<typeof pathTarget>;

export const hostCondition = z.strictObject({
  is: says(oneOrMore(host), "The name of the host, a pattern or a network.", ["*.example.com", "10.0.0.0/8"]),
  not: says(oneOrMore(host), "Excluded hosts, as names, patterns or networks."),
  class: says(oneOrMore(z.enum(HOST_CLASSES)), "The kind of host, such as one of a private network."),
});
export type HostCondition = z.infer<typeof hostCondition>;

export const commandCondition = z.strictObject({
  program: says(oneOrMore(name), "The name of the program, or a pattern with *.", ["rm", "git"]),
  subcommand: says(oneOrMore(name), "The first words after the program.", ["push", "remote add"]),
  flags: says(
    z.array(name).min(1).max(20),
    "All of these flags, by meaning or as written. recursive is -r, -R and --recursive of rm.",
    ["recursive", "force"],
  ),
  without_flags: says(z.array(name).min(1).max(20), "None of these flags."),
  argument: says(oneOrMore(name), "Any operand is this text or pattern."),
  without_argument: says(oneOrMore(name), "No operand is this text or pattern."),
  target: says(pathTarget.extend({ access }), "A file or folder that the command uses."),
  host: says(hostCondition, "A host that the command reaches. Empty: any host."),
  setting: says(oneOrMore(name), "A setting of git that is changed, for the command or for good.", ["core.hookspath"]),
  assignment: says(oneOrMore(name), "A variable that is set for the command.", ["LD_PRELOAD"]),
});
export type CommandCondition = z.infer<typeof commandCondition>;

export const pathCondition = pathTarget.extend({ access });
export type PathCondition = z.infer<typeof pathCondition>;

export const mcpCondition = z.strictObject({
  server: says(oneOrMore(name), "The name of the MCP server, or a pattern."),
  tool: says(oneOrMore(name), "The name of its tool, or a pattern."),
  not: says(oneOrMore(name), "Excluded tools, as names or patterns."),
});
export type McpCondition = z.infer<typeof mcpCondition>;

export const sqlCondition = z.strictObject({
  statement: says(oneOrMore(name), "The kind of statement, or a pattern. empty removes all data of a collection.", [
    ...["drop table", "drop *", "truncate", "delete", "update", "alter *", "grant", "revoke", "empty"],
  ]),
  without_where: says(z.literal(true), "Only statements without WHERE."),
});
export type SqlCondition = z.infer<typeof sqlCondition>;

const opaqueCondition = z.union([z.literal(true), oneOrMore(z.enum(OPAQUE_KINDS))]);

const unacceptedCondition = z.union([z.literal(true), oneOrMore(z.enum(EXTENSION_KINDS))]);

export interface Condition {
  readonly command?: CommandCondition | undefined;
  readonly path?: PathCondition | undefined;
  readonly host?: HostCondition | undefined;
  readonly mcp?: z.infer<typeof mcpCondition> | undefined;
  readonly sql?: z.infer<typeof sqlCondition> | undefined;
  readonly tool?: string | string[] | undefined;
  readonly kind?: (typeof TOOL_KINDS)[number] | (typeof TOOL_KINDS)[number][] | undefined;
  readonly opaque?: z.infer<typeof opaqueCondition> | undefined;
  readonly label?: (typeof SAFETY_LABELS)[number] | (typeof SAFETY_LABELS)[number][] | undefined;
  readonly larger_than?: number | undefined;
  readonly unaccepted?: z.infer<typeof unacceptedCondition> | undefined;
  readonly agent?: string | string[] | undefined;
  readonly tag?: string | string[] | undefined;
  readonly after?: string | undefined;
  readonly within?: string | undefined;
  readonly all?: Condition[] | undefined;
  readonly any?: Condition[] | undefined;
  readonly not?: Condition | undefined;
}

const conditions = {
  command: says(commandCondition, "A command of the call, also one that another command starts."),
  path: says(pathCondition, "A path of the call: of a file tool, or in a command."),
  host: says(hostCondition, "A host that the call reaches."),
  mcp: says(mcpCondition, "A tool of an MCP server."),
  sql: says(sqlCondition, "A statement of a database tool or program."),
  tool: says(oneOrMore(name), "The name of the tool, or a pattern."),
  kind: says(oneOrMore(z.enum(TOOL_KINDS)), "The kind of the tool, independent of the client's name for it."),
  opaque: says(opaqueCondition, "A part of the call cannot be read in advance. true: for any reason."),
  label: says(
    oneOrMore(z.enum(SAFETY_LABELS)),
    "The safety label of the call's commands. safe: known to only read. destructive: known to delete or overwrite.",
    [["unknown", "destructive"]],
  ),
  larger_than: says(z.int().min(0).max(1e9), "The arguments have more bytes than this.", [16_384]),
  unaccepted: says(
    unacceptedCondition,
    "The call uses a skill, plugin, slash command or MCP server in a version that no person has accepted. true: any of them.",
    [["skill", "mcp_server"]],
  ),
  agent: says(oneOrMore(name), "The name of the agent, or a pattern."),
  tag: says(oneOrMore(name), "A tag of the agent, or a pattern."),
  after: says(mark, "A rule has set this mark on the session before."),
  within: says(duration, "The time since the mark was set, at most. It needs after.", ["30m", "2h", "1d"]),
};

const condition: z.ZodType<Condition> = z
  .lazy(() => z.strictObject({ ...conditions, ...nested }).superRefine(checkMarks))
  .meta({ id: "condition" });

const nested = {
  all: says(z.array(condition).min(1).max(20), "Every one of these conditions holds."),
  any: says(z.array(condition).min(1).max(20), "At least one of these conditions holds."),
  not: says(condition, "This condition does not hold."),
};

function checkMarks({ within, after }: Condition, { addIssue }: z.RefinementCtx): void {
  if (within !== undefined && after === undefined)
    addIssue({ code: "custom", message: "`within` requires `after` with the mark's name.", path: ["within"] });
}

export const RULE_VERDICTS = ["deny", "ask", "allow"] as const;
export type RuleVerdict = (typeof RULE_VERDICTS)[number];

/** A rule has one verdict with its reason, or sets a mark, or both. */
export const rule = z
  .strictObject({
    deny: says(text, "Denies the call. The text is the reason that the agent reads."),
    ask: says(text, "Asks a person. The text is the reason that is shown."),
    allow: says(text, "Allows the call, unless another rule or hook is stricter."),
    mark: says(mark, "Sets this mark on the session, for rules with after."),
    ...conditions,
    ...nested,
  })
  .superRefine((one, context) => {
    const { addIssue } = context;
    const verdicts = RULE_VERDICTS.filter((verdict) => one[verdict] !== undefined);
    if (verdicts.length > 1) addIssue({ code: "custom", message: "A rule has one verdict: deny, ask or allow." });
    if (verdicts.length === 0 && one.mark === undefined)
      addIssue({ code: "custom", message: "A rule has a verdict (deny, ask or allow), or a mark to set." });
    checkMarks(one, context);
    if (depthOf(one) > DEPTH_MAX) addIssue({ code: "custom", message: `Conditions nest ${DEPTH_MAX} deep at most.` });
  })
  .meta({ id: "rule" });
export type Rule = z.infer<typeof rule>;

function depthOf({ all = [], any = [], not }: Condition): number {
  return 1 + Math.max(0, ...[...all, ...any, ...(not ? [not] : [])].map(depthOf));
}

export const rules = z.array(rule).min(1).max(RULES_MAX);
