/** The conditions of a rule as the form asks for them: which fields each has, and in what words. */
import {
  ACCESS_WORDS,
  CLASS_WORDS,
  EXTENSION_WORDS,
  HOST_CLASS_WORDS,
  KIND_WORDS,
  LABEL_WORDS,
  OPAQUE_WORDS,
} from "@quarterdeck/hooks/reading/words";
import type { Value } from "@/components/policies/document/write";

export const RULE_ORDER = [
  ...["deny", "ask", "allow", "mark", "command", "path", "host", "mcp", "sql", "tool", "kind", "opaque"],
  ...["label", "larger_than", "unaccepted", "agent", "tag", "after", "within", "all", "any", "not"],
] as const;

type Choices = Readonly<Record<string, string>>;

/** `names`: one or several texts. `list`: always a list. `parts`: as choices; without a choice it is true. */
export type FieldControl =
  | { readonly kind: "names" | "list" | "text" | "number" }
  | { readonly kind: "choices"; readonly choices: Choices }
  | { readonly kind: "parts"; readonly choices: Choices }
  | { readonly kind: "flag"; readonly on: Value };

export interface RuleField {
  readonly key: string;
  readonly label: string;
  readonly help: string;
  readonly control: FieldControl;
}

/** A mapping within a condition. */
export interface FieldGroup {
  readonly key: string;
  readonly label: string;
  readonly help: string;
  readonly fields: readonly RuleField[];
}

export interface ConditionSpec {
  readonly key: string;
  readonly label: string;
  readonly help: string;
  /** Keys of the mapping below the condition's key. If the condition is no mapping, keys of the rule itself. */
  readonly fields: readonly RuleField[];
  readonly groups: readonly FieldGroup[];
  readonly isMapping: boolean;
  /** The value of a condition that was just added. */
  readonly fresh: Value;
}

const field = (key: string, label: string, help: string, control: FieldControl): RuleField => ({
  ...{ key, label, help, control },
});
const names = (key: string, label: string, help: string) => field(key, label, help, { kind: "names" });
const list = (key: string, label: string, help: string) => field(key, label, help, { kind: "list" });
const choices = (key: string, label: string, help: string, words: Choices) =>
  field(key, label, help, { kind: "choices", choices: words });

const PATH_FIELDS: readonly RuleField[] = [
  choices("access", "Access", "Access to the path. Write includes delete.", ACCESS_WORDS),
  choices("class", "Class", "The path is in one of these classes.", CLASS_WORDS),
  names("path", "Pattern", "The path matches one of these patterns, such as **/*.tf or infra/**."),
  names("not", "Except", "Paths that match these patterns are excluded."),
  field("outside", "Outside the project", "The path is outside the project and not temporary.", {
    kind: "flag",
    on: "project",
  }),
];
const HOST_FIELDS: readonly RuleField[] = [
  names("is", "Host", "For example: example.org, *.example.org or the network 10.0.0.0/8."),
  names("not", "Except", "Hosts that match one of these entries are excluded."),
  choices("class", "Class", "The host is in one of these classes, in any spelling of its address.", HOST_CLASS_WORDS),
];

const mapping = (
  key: string,
  label: string,
  help: string,
  fields: readonly RuleField[],
  fresh: Value,
  groups: readonly FieldGroup[] = [],
): ConditionSpec => ({ ...{ key, label, help, fields, groups, fresh }, isMapping: true });
const plain = (label: string, help: string, first: RuleField, fresh: Value, ...rest: RuleField[]): ConditionSpec => ({
  ...{ key: first.key, label, help, fresh },
  fields: [first, ...rest],
  groups: [],
  isMapping: false,
});

export const CONDITIONS: readonly ConditionSpec[] = [
  mapping(
    "command",
    "Command",
    "The call runs this command, also through sudo, xargs or sh -c.",
    [
      names("program", "Program", "Names or patterns such as git or docker*. Separate several with commas."),
      names("subcommand", "Subcommand", "Words after the program name, such as push or remote add."),
      list(
        "flags",
        "Flags",
        "Every listed flag must be set. Enter a meaning (recursive, force) or a flag without hyphens.",
      ),
      list("without_flags", "Without flags", "None of these."),
      names("argument", "Argument", "One argument of the command equals this text or matches this pattern."),
      names(
        "without_argument",
        "Without argument",
        "No argument of the command equals this text or matches this pattern.",
      ),
      names("setting", "Git setting", "The command changes this git setting, such as core.hookspath."),
      names("assignment", "Variable", "The command runs with this variable set."),
    ],
    { program: "" },
    [
      { key: "target", label: "Target", help: "The command uses this path.", fields: PATH_FIELDS },
      { key: "host", label: "Host of the command", help: "The command connects to this host.", fields: HOST_FIELDS },
    ],
  ),
  mapping("path", "Path", "A file tool or a command uses this path.", PATH_FIELDS, { class: "credentials" }),
  mapping("host", "Host", "The call contains this host.", HOST_FIELDS, { is: "" }),
  mapping(
    "mcp",
    "MCP tool",
    "The call uses a tool of an MCP server.",
    [
      names("server", "Server", "The server's name, or a pattern."),
      names("tool", "Tool", "The tool's name at the server, or a pattern such as get_*."),
      names("not", "Except", "Excluded tools."),
    ],
    { server: "" },
  ),
  mapping(
    "sql",
    "SQL",
    "A database tool or database command runs this statement.",
    [
      names("statement", "Statement", "For example: drop table, drop *, truncate, delete, update, alter * or grant."),
      field("without_where", "Without WHERE", "Matches only statements without a WHERE clause.", {
        kind: "flag",
        on: true,
      }),
    ],
    { statement: "" },
  ),
  plain(
    "Tool name",
    "The tool has this name.",
    names("tool", "Tool", "Tool names or patterns, in the client's spelling."),
    "",
  ),
  plain(
    "Tool kind",
    "The tool is of this kind, in any client.",
    choices("kind", "Kind", "One of these.", KIND_WORDS),
    "shell",
  ),
  plain(
    "Opaque",
    "Part of the call cannot be analyzed in advance.",
    field("opaque", "Part", "Kinds of parts that cannot be analyzed. Empty: any kind.", {
      kind: "parts",
      choices: OPAQUE_WORDS,
    }),
    true,
  ),
  plain(
    "Safety label",
    "The most severe safety label of the call's commands is one of those listed.",
    choices("label", "Label", "One of these.", LABEL_WORDS),
    ["unknown", "destructive"],
  ),
  plain(
    "Size",
    "The arguments are larger than this limit.",
    field("larger_than", "Larger than, bytes", "Size of the arguments as JSON, in bytes.", { kind: "number" }),
    100_000,
  ),
  plain(
    "Not accepted",
    "The call uses a skill, plugin, slash command or MCP server in a version that no person has accepted.",
    field("unaccepted", "Kind", "Kinds of extensions. Empty: any kind.", { kind: "parts", choices: EXTENSION_WORDS }),
    true,
  ),
  plain(
    "Agent",
    "One of these agents makes the call.",
    names("agent", "Agent", "Agent names, or patterns that match names."),
    "",
  ),
  plain("Tag", "The agent has one of these tags.", names("tag", "Tag", "Agent tags, or patterns that match tags."), ""),
  plain(
    "After a mark",
    "Another rule has set this mark on the session.",
    field("after", "After", "The session mark's name, in lower case with underscores.", { kind: "text" }),
    "",
    field("within", "Within", "Maximum time since the mark was set, such as 30m, 2h or 1d. Empty: no limit.", {
      kind: "text",
    }),
  ),
];

export const VERDICT_OPTIONS = [
  { value: "deny", label: "Deny", help: "The agent sees this reason." },
  { value: "ask", label: "Ask a person", help: "The person who answers sees this reason." },
  { value: "allow", label: "Allow", help: "The reason is stored with the call." },
] as const;
