// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell text, not templates
/** quarterdeck-hook.sh, the relay of a docker-agent that asks only the console. native-script.test.ts fails if the file is stale. */
import { KEY_LINES, OWN_PROGRAMS, questionLines, ROUTE_LINE } from "./question-lines.ts";

export function nativeScript(): string {
  const end = ["printf '%s\\n' \"$body\"", "}", 'main "$@"', ""];
  return [...HEAD, ...KEY_LINES, ROUTE_LINE, ...questionLines(), ...end].join("\n");
}

const HEAD = [
  "#!/bin/sh",
  "# Asks a Quarterdeck console about one docker-agent hook event, with curl, and with openssl where there is one:",
  "#",
  "#     quarterdeck-hook.sh EVENT [LANE] < input.json",
  "#",
  "# QUARTERDECK_KEY     the agent's key",
  "# QUARTERDECK_URL     the console; http://127.0.0.1:3000 when absent",
  "# QUARTERDECK_PROXY   the only proxy that is used; none when absent, whatever other variables say",
  "#",
  "# On an event that can be blocked, a call that fails for any reason exits with 2 and says why. So does an answer that is not",
  "# the console's own: with openssl the signature says so, without it the echo of a random number. Elsewhere it prints nothing",
  "# and exits with 0. Hooks that a policy places on the agent's machine are not run by this; quarterdeck-hook.mjs runs them.",
  "# Rendered from server/dialects/relay; `UPDATE_DOCS=1 npx vitest run server/dialects/relay/native-script` writes it.",
  "#",
  "# Everything is in one function that the last line calls, so a file that was cut does nothing, and ends with 0 like an empty one. A",
  "# hook that counts only an answer denies then, too:",
  "#",
  '#     out=$(quarterdeck-hook.sh EVENT) && [ "$out" ] && printf \'%s\\n\' "$out" || exit 2',
  "main() {",
  ...OWN_PROGRAMS,
  "event=${1:-}",
  "url=${QUARTERDECK_URL:-http://127.0.0.1:3000}/api/v1/hooks/$event${2:+?lane=$2}",
  "seconds=110",
  "",
  "block() {",
  "  printf 'Quarterdeck: %s\\n' \"$1\" >&2",
  "  exit 2",
  "}",
  "# An event that only observes is never disturbed.",
  "case $event in",
  "session_start | turn_start | tool_response_transform) seconds=50 ;;",
  "turn_end | after_llm_call | session_end | after_compaction | subagent_stop | on_user_input | stop | notification | \\",
  "  on_error | on_max_iterations | on_agent_switch | on_session_resume | on_tool_approval_decision) seconds=10 ;;",
  "esac",
  '[ "$seconds" = 110 ] || exec 2>/dev/null',
  "fail() {",
  '  [ "$seconds" = 110 ] && block "$1"',
  "  exit 0",
  "}",
  "wait=$((seconds - 5))",
  "",
  '[ "$event" ] || block "Say which event: quarterdeck-hook.sh EVENT."',
  '[ "${QUARTERDECK_KEY:-}" ] || fail "QUARTERDECK_KEY is not set, so nothing can be judged and this is blocked."',
];
