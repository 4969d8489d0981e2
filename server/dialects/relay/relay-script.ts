// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell text, not templates
/** The relay of an enrolment: one POSIX sh script that every hook of every client calls with its address and its form of denial. */
import { OWN_PROGRAMS, questionLines } from "./question-lines.ts";

export const NO_VERDICT = "quarterdeck: no verdict, blocked";

/** Answer bodies that deny, for events whose client ignores exit code 2; `%s` is the reason. */
export const DENIAL_BODIES = {
  /** Permission requests in Claude Code's format. */
  permission: {
    hookSpecificOutput: { hookEventName: "PermissionRequest", decision: { behavior: "deny", message: "%s" } },
  },
  /** Codex before a compaction. */
  stop: { continue: false, stopReason: "%s" },
  /** Permission requests of Copilot. */
  behavior: { behavior: "deny", message: "%s" },
  /** Prompts of Copilot. */
  block: { decision: "block", reason: "%s" },
  /** Both lanes of docker-agent before a tool. Its releases of early July 2026 ignore exit code 2 on the early lane. */
  verdict: {
    hook_specific_output: {
      hook_event_name: "pre_tool_use",
      permission_decision: "deny",
      permission_decision_reason: "%s",
    },
  },
  /** Cline. */
  cancel: { cancel: true, errorMessage: "%s" },
} as const satisfies Readonly<Record<string, object>>;

/** The result of a question without an answer: a message and exit code 2, no output, or a body. */
export type Denial = "exit" | "ignore" | keyof typeof DENIAL_BODIES;

export const denialBody = (denial: keyof typeof DENIAL_BODIES, reason: string): string =>
  JSON.stringify(DENIAL_BODIES[denial]).replace("%s", reason);

/** With `hasOpenssl`, the script checks the signature of every answer and lets nothing through without openssl. */
export function relayScript({ hasOpenssl }: { readonly hasOpenssl: boolean }): string {
  const forms = Object.entries(DENIAL_BODIES).map(([name, body]) => `  ${name}) form='${JSON.stringify(body)}' ;;`);
  return [
    "#!/bin/sh",
    "# Asks Quarterdeck about one hook event and prints the answer. `quarterdeck enrol` wrote this file, and writes it anew.",
    "#",
    `#     relay URL ${["exit", "ignore", ...Object.keys(DENIAL_BODIES)].join("|")} SECONDS WAIT [PROXY] < input.json`,
    "#",
    "# It prints nothing before the whole answer is checked. Whatever is no answer of the console denies, in the form that is named.",
    "# check=openssl: every answer is signed for this question. check=none: no openssl was found, and signatures are not checked.",
    "# Everything is in one function that the last line calls: a file that was cut does nothing.",
    "main() {",
    `check=${hasOpenssl ? "openssl" : "none"}`,
    ...OWN_PROGRAMS,
    "url=$1 denial=$2 seconds=$3 wait=$4 folder=${0%/*}",
    '[ "$denial" != ignore ] || exec 2>/dev/null',
    "fail() {",
    "  case $denial in",
    "  ignore) exit 0 ;;",
    ...forms,
    "  *)",
    "    printf 'Quarterdeck: %s\\n' \"$1\" >&2",
    "    exit 2",
    "    ;;",
    "  esac",
    '  printf "$form" "Quarterdeck gave no verdict. $1"',
    "  exit 0",
    "}",
    "bearer= answer_key=",
    '{ read -r _ _ bearer <"$folder/header"; read -r answer_key <"$folder/answer-key"; } 2>/dev/null',
    'if [ "${5-}" ]; then set -- --proxy "$5" --noproxy "" --suppress-connect-headers; else set -- --noproxy "*"; fi',
    ...questionLines(),
    'printf %s "$body"',
    "}",
    'main "$@"',
    "",
  ].join("\n");
}
