/** Starting points: small correct hooks for what most teams want first, made from one or two answers. Pure. */

import type { EventName } from "@quarterdeck/hooks/contract/events";
import { kindMatcher } from "@quarterdeck/hooks/contract/tool-kinds";
import { truncateText } from "@quarterdeck/hooks/contract/truncate-text";
import type { Value } from "@/components/policies/document/write";

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

export interface Guard {
  readonly id: string;
  readonly label: string;
  readonly says: string;
  readonly asks: readonly Question[];
  readonly make: (answers: Readonly<Record<string, string>>) => readonly Addition[];
}

const needed = (answer: string) => (answer.trim() === "" ? "Enter a value." : null);
const oneLine = (answer: string) => needed(answer) ?? (/[\r\n]/.test(answer) ? "Keep it on one line." : null);
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

const MATCHER: Question = {
  key: "matcher",
  label: "Tools",
  help: "A pattern over the whole tool name; * is every tool.",
  initial: kindMatcher("shell"),
};
const REASON = (initial: string): Question => ({
  key: "reason",
  label: "Reason",
  help: "The agent reads this, and can choose another way.",
  initial,
  wrong: oneLine,
});

const entry = (matcher: string, hook: Value): Value => ({ matcher, hooks: [hook] });
const builtin = (command: string, args?: readonly string[]): Value => ({
  type: "builtin",
  command,
  ...(args ? { args } : {}),
});

export const GUARDS: readonly Guard[] = [
  {
    id: "deny-command",
    label: "Deny a command pattern",
    says: "Calls whose input matches a pattern are denied, with a reason.",
    asks: [
      {
        key: "pattern",
        label: "Pattern",
        help: "An extended regular expression, looked for in the call's input.",
        initial: "git push[^;&|]* (-f|--force|\\+)",
        wrong: oneLine,
      },
      REASON("Force pushes are not allowed here. Open a pull request."),
      MATCHER,
    ],
    make: ({ pattern = "", reason = "", matcher = kindMatcher("shell") }) => [
      {
        event: "pre_tool_use",
        item: entry(matcher, {
          name: truncateText(`deny ${pattern}`, 60, ""),
          type: "command",
          timeout: 5,
          command: `if grep -Eq -e ${quoted(pattern)}; then\n  echo ${quoted(reason)} >&2\n  exit 2\nfi\n`,
        }),
      },
    ],
  },
  {
    id: "ask-network",
    label: "Ask before network",
    says: "A person is asked before a command reaches for the network.",
    asks: [REASON("This command uses the network.")],
    make: ({ reason = "" }) => [
      {
        event: "pre_tool_use",
        item: entry(kindMatcher("shell"), {
          name: "ask before network",
          type: "command",
          timeout: 5,
          command: `if grep -Eqw 'curl|wget|ssh|scp|rsync|nc|ftp'; then\n  printf '%s\\n' ${quoted(askOutput(reason))}\nfi\n`,
        }),
      },
    ],
  },
  {
    id: "redact",
    label: "Redact secrets",
    says: "Keys, tokens and passwords are taken out of tool arguments, messages and answers.",
    asks: [],
    make: () => [
      { event: "pre_tool_use", item: entry("*", builtin("redact_secrets")) },
      { event: "before_llm_call", item: builtin("redact_secrets") },
      { event: "tool_response_transform", item: entry("*", builtin("redact_secrets")) },
    ],
  },
  {
    id: "cap",
    label: "Cap iterations",
    says: "A run ends once it has made this many model calls.",
    asks: [
      {
        key: "calls",
        label: "Model calls",
        help: "Most tasks need fewer than 50.",
        initial: "50",
        wrong: (answer) => (/^[1-9]\d{0,5}$/.test(answer.trim()) ? null : "Write a whole number of at least 1."),
      },
    ],
    make: ({ calls = "50" }) => [{ event: "before_llm_call", item: builtin("max_iterations", [calls.trim()]) }],
  },
  {
    id: "runaway",
    label: "Stop runaway agents",
    says: "A call that repeats is asked about and then halts its session, and a tool that keeps failing is asked about. Counted for all gateways together.",
    asks: [
      {
        key: "repeats",
        label: "Same calls within 10 minutes",
        help: "From this one on a person is asked; the session is halted at twice as many.",
        initial: "5",
        wrong: (answer) => (/^([2-9]|[1-4]\d|50)$/.test(answer.trim()) ? null : "Write a whole number from 2 to 50."),
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
    label: "Ask about shell commands",
    says: "A person is asked about every shell command that is not known to only read, even when questions are off.",
    asks: [],
    make: () => [
      {
        event: "pre_tool_use",
        item: { matcher: kindMatcher("shell"), preempt_yolo: true, hooks: [builtin("safer_shell")] },
      },
    ],
  },
  {
    id: "date",
    label: "Tell the date",
    says: "The model knows today's date on every turn.",
    asks: [],
    make: () => [{ event: "turn_start", item: builtin("add_date") }],
  },
];

const askOutput = (reason: string) =>
  JSON.stringify({ hook_specific_output: { permission_decision: "ask", permission_decision_reason: reason } });
