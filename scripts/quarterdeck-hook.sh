#!/bin/sh
# Asks a Quarterdeck console about one docker-agent hook event, with nothing but curl:
#
#     quarterdeck-hook.sh EVENT [LANE] < input.json
#
# QUARTERDECK_KEY   the agent's key
# QUARTERDECK_URL   the console; http://127.0.0.1:3000 when absent
#
# On an event that can be blocked, a call that fails for any reason exits with 2 and says why. Elsewhere it prints nothing
# and exits with 0. Hooks that a policy places on the agent's machine are not run by this; quarterdeck-hook.mjs runs them.
event=${1:-}
url=${QUARTERDECK_URL:-http://127.0.0.1:3000}
path=$event${2:+?lane=$2}
seconds=110

block() {
  printf 'Quarterdeck: %s\n' "$1" >&2
  exit 2
}
# What only observes is never disturbed.
case $event in
session_start | turn_start | tool_response_transform) seconds=50 ;;
turn_end | after_llm_call | session_end | after_compaction | subagent_stop | on_user_input | stop | notification | \
  on_error | on_max_iterations | on_agent_switch | on_session_resume | on_tool_approval_decision) seconds=10 ;;
esac
fail() {
  [ "$seconds" = 110 ] && block "$1"
  exit 0
}

[ "$event" ] || block "Say which event: quarterdeck-hook.sh EVENT."
[ "$QUARTERDECK_KEY" ] || fail "QUARTERDECK_KEY is not set, so nothing can be judged and this is blocked."
exec 3<&0
# The key goes to curl through a pipe: an argument would be seen by everyone who lists processes.
answer=$(printf 'header = "Authorization: Bearer %s"' "$QUARTERDECK_KEY" |
  curl -q -sS -K /dev/fd/4 --connect-timeout 5 --max-time "$seconds" -w ' %{http_code}' \
    -H 'Content-Type: application/json' -H "Quarterdeck-Wait-Seconds: $((seconds - 5))" --data-binary @- "$url/api/v1/hooks/$path" 4<&0 0<&3) ||
  fail "There is no answer from $url, so this is blocked."
code=${answer##* }
body=${answer% *}
case $code:$body in
'200:{'*'}') printf '%s\n' "$body" ;;
*'"message":"'*)
  body=${body#*'"message":"'}
  fail "${body%%'"'*} This is blocked (HTTP $code)."
  ;;
*) fail "The answer was not a verdict (HTTP $code), so this is blocked." ;;
esac
