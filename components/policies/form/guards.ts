/** Starting points: small correct hooks for what most teams want first, made from one or two answers. Pure. */

import type { EventName } from "@quarterdeck/hooks/contract/events";
import { kindMatcher } from "@quarterdeck/hooks/contract/tool-kinds";
import { truncateText } from "@quarterdeck/hooks/contract/truncate-text";
import { isFields } from "@/components/policies/document/intent";
import type { Value } from "@/components/policies/document/write";
import { ASK_HOOK, canChooseAskPlace } from "@/components/policies/form/ask-place";

export interface Question {
  readonly key: string;
  readonly label: string;
  readonly help: string;
  readonly initial: string;
  /** The error in an answer; null when it can be used. */
  readonly wrong?: (answer: string) => string | null;
}

export interface Addition {
  readonly event: EventName;
  /** A matcher entry, or a hook on an event without matchers. */
  readonly item: Value;
}

/** The addition whose questions go to the Approvals page, where its event has the choice. */
export function withAskHook(addition: Addition): Addition {
  const { event, item } = addition;
  if (!canChooseAskPlace(event) || !isFields(item) || !Array.isArray(item.hooks)) return addition;
  return { event, item: { ...item, hooks: [...item.hooks, ASK_HOOK] } as Value }; // holds: a value with one more
}

export interface Guard {
  readonly id: string;
  readonly label: string;
  readonly says: string;
  readonly asks: readonly Question[];
  /** True if its hooks ask, so that the place of their questions is chosen. */
  readonly asksPeople?: true;
  readonly make: (answers: Readonly<Record<string, string>>) => readonly Addition[];
}

/** Limits of a rule (contract/rules/schema.ts). */
const REASON_MAX = 500;
const NAME_MAX = 200;
const NAMES_MAX = 20;

const needed = (answer: string) => (answer.trim() === "" ? "Enter a value." : null);
function wrongReason(answer: string): string | null {
  if (/[\r\n]/.test(answer)) return "Enter the reason on one line.";
  return needed(answer) ?? (answer.length > REASON_MAX ? `Use at most ${REASON_MAX} characters for the reason.` : null);
}

/** `rm, git` as two names; hyphens in front of a flag are left out. */
const namesIn = (answer: string): string[] => [
  ...new Set(answer.split(",").flatMap((one) => one.trim().replace(/^-+/, "") || [])),
];
function wrongNames(answer: string): string | null {
  const names = namesIn(answer);
  if (names.length > NAMES_MAX) return `Enter at most ${NAMES_MAX} names.`;
  return names.some((name) => name.length > NAME_MAX) ? `Use at most ${NAME_MAX} characters for each name.` : null;
}
const oneOrMore = (names: readonly string[]): Value => (names.length === 1 ? (names[0] ?? "") : [...names]);

const REASON = (initial: string): Question => ({
  key: "reason",
  label: "Reason",
  help: "The agent sees this reason.",
  initial,
  wrong: wrongReason,
});

const entry = (matcher: string, hook: Value): Value => ({ matcher, hooks: [hook] });
const builtin = (command: string, args?: readonly string[]): Value => ({
  type: "builtin",
  command,
  ...(args ? { args } : {}),
});

const rulesHook = (name: string, rule: Value): Value => ({
  name: truncateText(name, 60, ""),
  type: "rules",
  rules: [rule],
});
const UNKNOWN_COMMANDS: Value = { ask: "This command may change files or data.", label: ["unknown", "destructive"] };

/** Rules on every call: they read commands of a tool with any name, and run without a sandbox. */
const rulesEntry = (name: string, rule: Value): Addition => ({
  event: "pre_tool_use",
  item: entry("*", rulesHook(name, rule)),
});

/** Programs whose purpose is the network. */
const NETWORK_PROGRAMS = [
  ...["curl", "wget", "aria2c", "invoke-webrequest", "invoke-restmethod"],
  ...["ssh", "scp", "sftp", "rsync", "mosh", "nc", "ncat", "netcat", "socat", "telnet", "ftp"],
];

export const GUARDS: readonly Guard[] = [
  {
    id: "deny-command",
    label: "Deny a command",
    says: "Denies calls that run a given command, also through sudo, xargs or sh -c.",
    asks: [
      {
        key: "program",
        label: "Program",
        help: "Program names, separated by commas. * matches any text.",
        initial: "git",
        wrong: (answer) => (namesIn(answer).length === 0 ? "Enter a program." : wrongNames(answer)),
      },
      {
        key: "subcommand",
        label: "Subcommand",
        help: "Words after the program, such as push. Empty: any words.",
        initial: "push",
        wrong: wrongNames,
      },
      {
        key: "flags",
        label: "Flags",
        help: "Every listed flag must be set, in any spelling: recursive matches rm's -r, -R and --recursive. Empty: any flags.",
        initial: "force",
        wrong: wrongNames,
      },
      REASON("Force pushes are not allowed here. Open a pull request."),
    ],
    make: ({ program = "", subcommand = "", flags = "", reason = "" }) => {
      const [programs, subcommands, all] = [namesIn(program), namesIn(subcommand), namesIn(flags)];
      const command = {
        program: oneOrMore(programs),
        ...(subcommands.length > 0 && { subcommand: oneOrMore(subcommands) }),
        ...(all.length > 0 && { flags: all }),
      };
      const title = [programs.join(", "), subcommands.join(", "), all.join(", ")].filter((one) => one !== "").join(" ");
      return [rulesEntry(`deny ${title}`, { deny: reason.trim(), command })];
    },
  },
  {
    id: "ask-network",
    label: "Require approval for network access",
    says: "Requires approval before a network program such as curl or ssh runs, and before git contacts a remote.",
    asks: [REASON("This command uses the network.")],
    asksPeople: true,
    make: ({ reason = "" }) => [
      rulesEntry("ask before network", {
        ask: reason.trim(),
        any: [
          { command: { program: NETWORK_PROGRAMS } },
          { command: { program: "git", subcommand: ["clone", "fetch", "pull", "push", "ls-remote"] } },
        ],
      }),
    ],
  },
  {
    id: "redact",
    label: "Redact secrets",
    says: "Removes keys, tokens and passwords from tool arguments, messages and answers.",
    asks: [],
    make: () => [
      { event: "pre_tool_use", item: entry("*", builtin("redact_secrets")) },
      { event: "before_llm_call", item: builtin("redact_secrets") },
      { event: "tool_response_transform", item: entry("*", builtin("redact_secrets")) },
    ],
  },
  {
    id: "cap",
    label: "Limit model calls",
    says: "Ends an agent run after a number of model calls.",
    asks: [
      {
        key: "calls",
        label: "Model calls",
        help: "Most tasks need fewer than 50 model calls.",
        initial: "50",
        wrong: (answer) => (/^[1-9]\d{0,5}$/.test(answer.trim()) ? null : "Enter a whole number of at least 1."),
      },
    ],
    make: ({ calls = "50" }) => [{ event: "before_llm_call", item: builtin("max_iterations", [calls.trim()]) }],
  },
  {
    id: "runaway",
    asksPeople: true,
    label: "Stop runaway agents",
    says: "Asks a person about repeated calls and repeated failures, and halts the session if the repetition continues. Calls are counted across all gateways.",
    asks: [
      {
        key: "repeats",
        label: "Limit of identical calls within 10 minutes",
        help: "From this many identical calls on, a person must approve. At twice this number, the rule halts the session.",
        initial: "5",
        wrong: (answer) => (/^([2-9]|[1-4]\d|50)$/.test(answer.trim()) ? null : "Enter a whole number from 2 to 50."),
      },
    ],
    make: ({ repeats = "5" }) => {
      const count = Number(repeats.trim());
      const rules = [
        `same call ${count} in 10m: ask`,
        `same call ${count * 2} in 10m: halt`,
        "failures 5 in 10m: ask",
        "new tool: alarm",
      ];
      return [{ event: "pre_tool_use", item: entry("*", builtin("repeat_guard", rules)) }];
    },
  },
  {
    id: "safer-shell",
    asksPeople: true,
    label: "Require approval for shell commands",
    says: "Requires approval for each shell command not known to be read-only, even in auto-approve mode.",
    asks: [],
    make: () => [
      {
        event: "pre_tool_use",
        item: {
          matcher: kindMatcher("shell"),
          preempt_yolo: true,
          // The builtin labels how grave the command is, for the people who answer.
          hooks: [builtin("safer_shell"), rulesHook("ask about shell commands", UNKNOWN_COMMANDS)],
        },
      },
    ],
  },
  {
    id: "date",
    label: "Add the date",
    says: "Adds today's date to each turn.",
    asks: [],
    make: () => [{ event: "turn_start", item: builtin("add_date") }],
  },
];
