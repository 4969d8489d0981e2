#!/bin/sh
# Asks a Quarterdeck console about one docker-agent hook event, with curl, and with openssl where there is one:
#
#     quarterdeck-hook.sh EVENT [LANE] < input.json
#
# QUARTERDECK_KEY     the agent's key
# QUARTERDECK_URL     the console; http://127.0.0.1:3000 when absent
# QUARTERDECK_PROXY   the only proxy that is used; none when absent, whatever other variables say
#
# On an event that can be blocked, a call that fails for any reason exits with 2 and says why. So does an answer that is not
# the console's own: with openssl the signature says so, without it the echo of a random number. Elsewhere it prints nothing
# and exits with 0. Hooks that a policy places on the agent's machine are not run by this; quarterdeck-hook.mjs runs them.
# Rendered from server/dialects/relay; `UPDATE_DOCS=1 npx vitest run server/dialects/relay/native-script` writes it.
#
# Everything is in one function that the last line calls, so a file that was cut does nothing, and ends with 0 like an empty one. A
# hook that counts only an answer denies then, too:
#
#     out=$(quarterdeck-hook.sh EVENT) && [ "$out" ] && printf '%s\n' "$out" || exit 2
main() {
unset -f printf read command true false echo curl openssl sha256sum head od sed tr cut wc field strange octal;
PATH=/usr/bin:/bin:/usr/sbin:/sbin:/usr/local/bin:$PATH;
event=${1:-}
url=${QUARTERDECK_URL:-http://127.0.0.1:3000}/api/v1/hooks/$event${2:+?lane=$2}
seconds=110

block() {
  printf 'Quarterdeck: %s\n' "$1" >&2
  exit 2
}
# An event that only observes is never disturbed.
case $event in
session_start | turn_start | tool_response_transform) seconds=50 ;;
turn_end | after_llm_call | session_end | after_compaction | subagent_stop | on_user_input | stop | notification | \
  on_error | on_max_iterations | on_agent_switch | on_session_resume | on_tool_approval_decision) seconds=10 ;;
esac
[ "$seconds" = 110 ] || exec 2>/dev/null
fail() {
  [ "$seconds" = 110 ] && block "$1"
  exit 0
}
wait=$((seconds - 5))

[ "$event" ] || block "Say which event: quarterdeck-hook.sh EVENT."
[ "${QUARTERDECK_KEY:-}" ] || fail "QUARTERDECK_KEY is not set, so nothing can be judged and this is blocked."
bearer=${QUARTERDECK_KEY%_*}; answer_key=${QUARTERDECK_KEY##*_};
case $answer_key in *[!0-9a-f]*) answer_key=;; esac; [ "${#answer_key}" = 64 ] || { bearer=$QUARTERDECK_KEY; answer_key=; };
check=none; command -v openssl >/dev/null 2>&1 && check=openssl;
if [ "${QUARTERDECK_PROXY:-}" ]; then set -- --proxy "$QUARTERDECK_PROXY" --noproxy "" --suppress-connect-headers; else set -- --noproxy "*"; fi;
LC_ALL=C; export LC_ALL; unset OPENSSL_CONF;
cr=$(printf "\n\rx"); cr=${cr%x}; nl=${cr%?}; cr=${cr#?}; target=/api/v1/${url#*/api/v1/};
case $bearer in "" | *[!A-Za-z0-9._~+/=-]*) fail "The agent key is missing or is no key, so this is blocked.";; esac;
case $answer_key in *[!0-9a-f]*) answer_key=;; esac; [ "$check" = none ] || [ "${#answer_key}" = 64 ] ||
fail "This key is of an older form, with which answers cannot be checked. Create a new key for this agent. This is blocked.";
input=$(head -c 4194305; printf x); input=${input%x};
[ "${#input}" -le 4194304 ] || fail "The input has more than 4 MiB, so this is blocked.";
nonce=v2; for part in $(od -An -N16 -tx1 /dev/urandom); do nonce=$nonce$part; done;
[ "${#nonce}" = 34 ] || fail "This machine gives no random numbers, so this is blocked.";
config="header = \"Authorization: Bearer $bearer\"${nl}header = \"Quarterdeck-Nonce: $nonce\"$nl";
config="${config}header = \"Content-Type: application/json\"${nl}header = \"Expect:\"$nl";
lines=; [ "$wait" = 0 ] || { config="${config}header = \"Quarterdeck-Wait-Seconds: $wait\"$nl"; lines="quarterdeck-wait-seconds: $wait$nl"; };
set -- -q -sS -g -i -K /dev/fd/4 "$@" --proto =http,https --max-redirs 0 --connect-timeout 5 --max-time "$seconds";
set -- "$@" --max-filesize 8388608 -w "\n%{size_download} " --data-binary @- "$url";
answer=$(printf %s "$input" | { printf %s "$config" | curl "$@" 4<&0 0<&3; printf %s "$?"; } 3<&0 |
head -c 8688609; printf x); answer=${answer%x};
[ "${#answer}" -le 8688608 ] || fail "The answer is too long, so this is blocked.";
end=${answer##*"$nl"}; answer=${answer%"$nl"*};
case $end in *" 0") ;; *) fail "There is no answer from ${url%%/api/v1/*}, so this is blocked.";; esac;
count=; while :; do start=$answer; [ "${#answer}" -le 8192 ] || start=$(printf "%.8192sx" "$answer");
[ "${#count}" -lt 4 ] || start=HTTP/;
case $start in HTTP/*"$cr$nl$cr$nl"*) ;; HTTP/*) fail "The answer has too many headers, so this is blocked.";;
*) fail "The answer is not HTTP, so this is blocked.";; esac;
head=${start%%"$cr$nl$cr$nl"*}; count=x$count;
body=${answer#*"$cr$nl$cr$nl"}; status=${head%%"$cr$nl"*}; status=${status#* }; status=${status%% *};
case $status in 1??) answer=$body;; [2-9][0-9][0-9]) break;; *) status=000; break;; esac; done;
field() { value=${head#*"$nl"$1:}; case $value in "$head") value=;; *"$nl"$1:*) value="(twice)";;
*) value=${value%%"$cr"*}; value=${value# };; esac; };
field "[Cc][Oo][Nn][Tt][Ee][Nn][Tt]-[Tt][Yy][Pp][Ee]"; type=$value; what=$type;
[ "${#type}" -le 60 ] || what=; case $what in *[!A-Za-z0-9+./=\;\ -]*) what=;; esac;
what=${what:-no content type}; [ "$body" ] || what="no body";
strange() { fail "The answer did not come from the console (HTTP $status, $what). This is blocked."; };
field "[Qq][Uu][Aa][Rr][Tt][Ee][Rr][Dd][Ee][Cc][Kk]-[Nn][Oo][Nn][Cc][Ee]"; [ "$value" = "$nonce" ] || strange;
field "[Qq][Uu][Aa][Rr][Tt][Ee][Rr][Dd][Ee][Cc][Kk]-[Aa][Nn][Ss][Ww][Ee][Rr]-[Mm][Aa][Cc]"; sent=$value; if [ "$check" != none ]; then
digest="openssl dgst -sha256"; command -v sha256sum >/dev/null 2>&1 && digest=sha256sum;
octal() { text="\\$(($1 / 64))$(($1 / 8 % 8))$(($1 % 8))"; }; inner=; outer=; rest=$answer_key;
while [ "$rest" ]; do code=$((0x${rest%"${rest#?}"})); rest=${rest#?}; code=$((code + (code > 9 ? 87 : 48)));
octal $((code ^ 54)); inner=$inner$text; octal $((code ^ 92)); outer=$outer$text; done;
sum=$(printf %s "$input" | $digest); sum=${sum#*= }; sum=${sum%% *}; mac=$({ printf "$inner";
printf "quarterdeck answer v1\n%s\n%s\n%s\n%s%s\n%s" "$nonce" "$target" "$sum" "$lines" "$status" "$body"; } | $digest);
mac=${mac#*= }; mac=${mac%% *}; case $mac in *[!0-9a-f]*) mac=;; esac; [ "${#mac}" = 64 ] ||
fail "openssl is missing, so the answer cannot be checked and this is blocked."; rest=$mac;
while [ "$rest" ]; do octal $((0x${rest%"${rest#??}"})); rest=${rest#??}; outer=$outer$text; done;
mac=$(printf "$outer" | $digest); mac=${mac#*= }; mac=${mac%% *};
[ "${#mac}" = 64 ] && [ "$mac" = "$sent" ] || strange; fi;
if [ "$status" != 200 ] || case $body in "{\"error\":"*) ;; *) false;; esac; then words=;
if [ "$check" != none ]; then case $body in *"\"message\":\""*) words=$(printf "%s\n" "${body#*\"message\":\"}" |
tr -cd "\012\040-\176" | sed "s/\\\\u[0-9A-Fa-f]\{4\}/ /g; s/\\\\./ /g; s/\".*//; q" | cut -c1-500);; esac; fi;
fail "${words:-The answer was not a verdict.} This is blocked (HTTP $status)."; fi;
case $type in application/json | "application/json;"*) ;; *) strange;; esac;
field "[Cc][Oo][Nn][Tt][Ee][Nn][Tt]-[Ee][Nn][Cc][Oo][Dd][Ii][Nn][Gg]"; [ -z "$value" ] || strange;
case $body in *[[:cntrl:]]*) strange;; "{"*"}") ;; *) strange;; esac; if [ "$check" = none ]; then
[ "$(printf %s "$body" | wc -c)" -eq "${end% *}" ] || strange;
shape=$(printf "%s\n" "$body" | sed -E "s/\\\\./_/g; s/\"[^\"]*\"/S/g; s/ //g; s/-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?/V/g" |
sed -E -e "s/true|false|null/V/g" -e :a -e "s/\{(S:[SV](,S:[SV])*)?\}/V/g; s/\[([SV](,[SV])*)?\]/V/g" -e ta); [ "$shape" = V ] || strange; fi;
printf '%s\n' "$body"
}
main "$@"
