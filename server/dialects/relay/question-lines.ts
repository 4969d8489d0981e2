// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell text, not templates
/**
 * The lines of POSIX sh that ask the console about one hook event and check the answer before a byte of it is used. Every relay made of shell has
 * them: the one of an enrolment, quarterdeck-hook.sh, and the block of docker-agent.
 *
 * They hold no single quote, and each can be followed by a space as well as by a line end, so that they fit into `sh -c '...'` on one line.
 *
 * Before them: `url`, `seconds`, `wait`, `bearer`, `answer_key`, `check` (openssl, or none), `fail`, which ends the process, and curl's options about
 * proxies as the arguments.
 * After them: `body`, the answer.
 */

/** 4 MiB, the console's own limit. */
const INPUT_BYTES_MAX = 4 * 1024 * 1024;
const BODY_BYTES_MAX = 8 * 1024 * 1024;
/** Adds the headers and curl's transfer report. */
const ANSWER_BYTES_MAX = BODY_BYTES_MAX + 300_000;
/** The console's headers need a tenth of it; proxies add their own. */
const HEAD_BYTES_MAX = 8 * 1024;

/**
 * The first lines of a relay. Where sh is bash, a variable of the environment can define a function in place of a program or of `printf`. Programs
 * of the system come before those that an agent could write into its home.
 */
export const OWN_PROGRAMS: readonly string[] = [
  "unset -f printf read command true false echo curl openssl sha256sum head od sed tr cut wc field strange octal;",
  "PATH=/usr/bin:/bin:/usr/sbin:/sbin:/usr/local/bin:$PATH;",
];

export const questionLines = (): string[] => [...PREPARED, ...ASKED, ...PARSED, ...AUTHENTICATED, ...JUDGED];

/** curl's proxy options, from a variable of ours. An agent could set the variables that other programs share. */
export const ROUTE_LINE =
  'if [ "${QUARTERDECK_PROXY:-}" ]; then set -- --proxy "$QUARTERDECK_PROXY" --noproxy "" --suppress-connect-headers; else set -- --noproxy "*"; fi;';

/** Sets `bearer` and `answer_key` from the variable QUARTERDECK_KEY. An older key has no second part. */
export const KEY_LINES: readonly string[] = [
  "bearer=${QUARTERDECK_KEY%_*}; answer_key=${QUARTERDECK_KEY##*_};",
  'case $answer_key in *[!0-9a-f]*) answer_key=;; esac; [ "${#answer_key}" = 64 ] || { bearer=$QUARTERDECK_KEY; answer_key=; };',
  "check=none; command -v openssl >/dev/null 2>&1 && check=openssl;",
];

/**
 * Bytes, not letters, whatever the locale; the variable would make openssl load what it names. A relay that is slower than its client's time-out lets
 * the call run, and each process costs a millisecond: the shell does what it can by itself.
 */
const PREPARED = [
  "LC_ALL=C; export LC_ALL; unset OPENSSL_CONF;",
  'cr=$(printf "\\n\\rx"); cr=${cr%x}; nl=${cr%?}; cr=${cr#?}; target=/api/v1/${url#*/api/v1/};',
  'case $bearer in "" | *[!A-Za-z0-9._~+/=-]*) fail "The agent key is missing or is no key, so this is blocked.";; esac;',
  'case $answer_key in *[!0-9a-f]*) answer_key=;; esac; [ "$check" = none ] || [ "${#answer_key}" = 64 ] ||',
  'fail "This key is of an older form, with which answers cannot be checked. Create a new key for this agent. This is blocked.";',
  `input=$(head -c ${INPUT_BYTES_MAX + 1}; printf x); input=\${input%x};`,
  `[ "\${#input}" -le ${INPUT_BYTES_MAX} ] || fail "The input has more than 4 MiB, so this is blocked.";`,
  "nonce=v2; for part in $(od -An -N16 -tx1 /dev/urandom); do nonce=$nonce$part; done;",
  '[ "${#nonce}" = 34 ] || fail "This machine gives no random numbers, so this is blocked.";',
];

/**
 * The key goes to curl through a pipe: every process sees the arguments of others. The last line is curl's size and exit code; an answer that is
 * longer than any of the console may have lost it.
 */
const ASKED = [
  'config="header = \\"Authorization: Bearer $bearer\\"${nl}header = \\"Quarterdeck-Nonce: $nonce\\"$nl";',
  'config="${config}header = \\"Content-Type: application/json\\"${nl}header = \\"Expect:\\"$nl";',
  'lines=; [ "$wait" = 0 ] || { config="${config}header = \\"Quarterdeck-Wait-Seconds: $wait\\"$nl"; lines="quarterdeck-wait-seconds: $wait$nl"; };',
  'set -- -q -sS -g -i -K /dev/fd/4 "$@" --proto =http,https --max-redirs 0 --connect-timeout 5 --max-time "$seconds";',
  `set -- "$@" --max-filesize ${BODY_BYTES_MAX} -w "\\n%{size_download} " --data-binary @- "$url";`,
  'answer=$(printf %s "$input" | { printf %s "$config" | curl "$@" 4<&0 0<&3; printf %s "$?"; } 3<&0 |',
  `head -c ${ANSWER_BYTES_MAX + 1}; printf x); answer=\${answer%x};`,
  `[ "\${#answer}" -le ${ANSWER_BYTES_MAX} ] || fail "The answer is too long, so this is blocked.";`,
  'end=${answer##*"$nl"}; answer=${answer%"$nl"*};',
  'case $end in *" 0") ;; *) fail "There is no answer from ${url%%/api/v1/*}, so this is blocked.";; esac;',
];

/** A pattern for any spelling of a header's name. */
const header = (name: string): string =>
  `"${name.replace(/[a-z]/g, (letter) => `[${letter.toUpperCase()}${letter}]`)}"`;

/** Shells look for text in time that grows with the square of the length: without bounds, a long answer would outlast the client's time-out. */
const PARSED = [
  `count=; while :; do start=$answer; [ "\${#answer}" -le ${HEAD_BYTES_MAX} ] || start=$(printf "%.${HEAD_BYTES_MAX}sx" "$answer");`,
  '[ "${#count}" -lt 4 ] || start=HTTP/;',
  'case $start in HTTP/*"$cr$nl$cr$nl"*) ;; HTTP/*) fail "The answer has too many headers, so this is blocked.";;',
  '*) fail "The answer is not HTTP, so this is blocked.";; esac;',
  'head=${start%%"$cr$nl$cr$nl"*}; count=x$count;',
  'body=${answer#*"$cr$nl$cr$nl"}; status=${head%%"$cr$nl"*}; status=${status#* }; status=${status%% *};',
  "case $status in 1??) answer=$body;; [2-9][0-9][0-9]) break;; *) status=000; break;; esac; done;",
  'field() { value=${head#*"$nl"$1:}; case $value in "$head") value=;; *"$nl"$1:*) value="(twice)";;',
  '*) value=${value%%"$cr"*}; value=${value# };; esac; };',
  `field ${header("content-type")}; type=$value; what=$type;`,
  '[ "${#type}" -le 60 ] || what=; case $what in *[!A-Za-z0-9+./=\\;\\ -]*) what=;; esac;',
  'what=${what:-no content type}; [ "$body" ] || what="no body";',
  'strange() { fail "The answer did not come from the console (HTTP $status, $what). This is blocked."; };',
];

/**
 * HMAC-SHA256 of two digests. The shell makes the blocks of the key, one letter at a time in octal, so that the key is in no argument. sha256sum starts
 * faster than openssl; they print a digest after "= " or before a space. Without openssl only the nonce says that the console was asked.
 */
const AUTHENTICATED = [
  `field ${header("quarterdeck-nonce")}; [ "$value" = "$nonce" ] || strange;`,
  `field ${header("quarterdeck-answer-mac")}; sent=$value; if [ "$check" != none ]; then`,
  'digest="openssl dgst -sha256"; command -v sha256sum >/dev/null 2>&1 && digest=sha256sum;',
  'octal() { text="\\\\$(($1 / 64))$(($1 / 8 % 8))$(($1 % 8))"; }; inner=; outer=; rest=$answer_key;',
  'while [ "$rest" ]; do code=$((0x${rest%"${rest#?}"})); rest=${rest#?}; code=$((code + (code > 9 ? 87 : 48)));',
  "octal $((code ^ 54)); inner=$inner$text; octal $((code ^ 92)); outer=$outer$text; done;",
  'sum=$(printf %s "$input" | $digest); sum=${sum#*= }; sum=${sum%% *}; mac=$({ printf "$inner";',
  'printf "quarterdeck answer v1\\n%s\\n%s\\n%s\\n%s%s\\n%s" "$nonce" "$target" "$sum" "$lines" "$status" "$body"; } | $digest);',
  'mac=${mac#*= }; mac=${mac%% *}; case $mac in *[!0-9a-f]*) mac=;; esac; [ "${#mac}" = 64 ] ||',
  'fail "openssl is missing, so the answer cannot be checked and this is blocked."; rest=$mac;',
  'while [ "$rest" ]; do octal $((0x${rest%"${rest#??}"})); rest=${rest#??}; outer=$outer$text; done;',
  'mac=$(printf "$outer" | $digest); mac=${mac#*= }; mac=${mac%% *};',
  '[ "${#mac}" = 64 ] && [ "$mac" = "$sent" ] || strange; fi;',
];

/**
 * The console's own words are shown only when the answer is signed, as printable ASCII on one line. Without a signature the body is checked to be
 * one whole object: strings become S, other values V, then brackets without brackets in them V, until one V is left.
 */
const JUDGED = [
  'if [ "$status" != 200 ] || case $body in "{\\"error\\":"*) ;; *) false;; esac; then words=;',
  'if [ "$check" != none ]; then case $body in *"\\"message\\":\\""*) words=$(printf "%s\\n" "${body#*\\"message\\":\\"}" |',
  'tr -cd "\\012\\040-\\176" | sed "s/\\\\\\\\u[0-9A-Fa-f]\\{4\\}/ /g; s/\\\\\\\\./ /g; s/\\".*//; q" | cut -c1-500);; esac; fi;',
  'fail "${words:-The answer was not a verdict.} This is blocked (HTTP $status)."; fi;',
  'case $type in application/json | "application/json;"*) ;; *) strange;; esac;',
  `field ${header("content-encoding")}; [ -z "$value" ] || strange;`,
  'case $body in *[[:cntrl:]]*) strange;; "{"*"}") ;; *) strange;; esac; if [ "$check" = none ]; then',
  '[ "$(printf %s "$body" | wc -c)" -eq "${end% *}" ] || strange;',
  'shape=$(printf "%s\\n" "$body" | sed -E "s/\\\\\\\\./_/g; s/\\"[^\\"]*\\"/S/g; s/ //g; s/-?[0-9]+(\\.[0-9]+)?([eE][+-]?[0-9]+)?/V/g" |',
  'sed -E -e "s/true|false|null/V/g" -e :a -e "s/\\{(S:[SV](,S:[SV])*)?\\}/V/g; s/\\[([SV](,[SV])*)?\\]/V/g" -e ta); [ "$shape" = V ] || strange; fi;',
];
