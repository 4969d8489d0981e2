/** The ways in which a gating hook can fail, as data: each is part of a real policy on a real server. */
import type { HookDefinition } from "@quarterdeck/hooks";

export interface HookFault {
  /** The fault in words, for the document. */
  readonly title: string;
  readonly hook: HookDefinition;
  /** The words that the agent gets, somewhere in the reason. */
  readonly says: string | RegExp;
}

const shell = (title: string, command: string, says: HookFault["says"], more: HookDefinition = {}): HookFault => ({
  title,
  hook: { name: title, type: "command", command, ...more },
  says,
});
const prints = (title: string, output: string, says: HookFault["says"], more: HookDefinition = {}): HookFault =>
  shell(title, `printf '%s' '${output}'`, says, more);
const SHORT: HookDefinition = { timeout: 1 };
const STRICT: HookDefinition = { strict_output: true };
const LIMIT = "the hook was ended by its limits";
const ALLOWS = '{"hook_specific_output":{"permission_decision":"allow"}}';

const EATS = "node -e 'const kept = []; for (;;) kept.push(Buffer.alloc(1 << 20, 1))'";

/** Failures in both profiles: the hook could not be run, did not end, or took more than it may. */
export const RUN_FAULTS: readonly HookFault[] = [
  shell("sleeps past its time", "sleep 30", "timed out after 1s", SHORT),
  shell("says allow and then never ends", `printf '%s' '${ALLOWS}'; sleep 30`, "timed out after 1s", SHORT),
  shell("spins past its time", "while :; do :; done", "timed out after 1s", SHORT),
  shell("ignores the request to end", `trap "" TERM; while :; do sleep 0.1; done`, "timed out after 1s", SHORT),
  shell("closes its output and stays", "exec >&- 2>&-; sleep 30", "timed out after 1s", SHORT),
  shell("stops itself", "kill -STOP $$", "timed out after 1s", SHORT),
  shell("waits for a child that left its group", "setsid sleep 30 & wait", "timed out after 1s", SHORT),
  shell(
    "asks a terminal that is not there",
    "while ! read answer < /dev/tty; do sleep 0.1; done 2>/dev/null",
    "timed out after 1s",
    SHORT,
  ),
  shell("is to run in a directory that is not there", "true", "no such directory", { working_dir: "/nowhere/at/all" }),
  shell("is to run in what is no directory", "true", "no such directory", { working_dir: "/etc/passwd" }),
  shell("prints without end", "yes", "exceeded capture limit"),
  shell("prints errors without end", "yes >&2", "exceeded capture limit"),
  shell("prints one byte too many", "head -c 1048577 /dev/zero | tr '\\0' ' '", "exceeded capture limit"),
  shell("starts too many processes", "i=0; while [ $i -lt 120 ]; do sleep 30 & i=$((i+1)); done; wait", LIMIT),
  shell("uses more memory than it may", EATS, `${LIMIT}: it used more than 512 MiB`),
  shell("asks for more memory than there may be", "dd if=/dev/zero of=/dev/null bs=2000000000 count=1; exit 1", LIMIT),
  shell("uses more processor than it may", "ulimit -St 1; while :; do :; done", LIMIT),
  shell("writes a larger file than it may", "ulimit -f 1; head -c 100000 /dev/zero > big; exit $?", LIMIT),
  shell("is killed from outside", "kill -KILL $$", LIMIT),
];

/** Failures in profile 2026-08 only: an output or exit status that the protocol does not define. */
export const OUTPUT_FAULTS: readonly HookFault[] = [
  shell("exits with 1", "exit 1", "exited with status 1"),
  shell("exits with 3 after saying allow", `printf '%s' '${ALLOWS}'; exit 3`, "exited with status 3"),
  shell("names a command that is not there", "no-such-command-anywhere", "exited with status 127"),
  shell("names a file that cannot be run", "/etc/passwd", "exited with status 126"),
  shell("crashes", "kill -SEGV $$", "exited with status"),
  shell("aborts", "kill -ABRT $$", "exited with status"),
  shell("is told to end by somebody", "kill -TERM $$", "exited with status"),
  shell("writes where it may not", "echo x > /proc/version || exit 1", "exited with status 1"),
  prints("prints half an object", '{"decision": "bl', "invalid hook output"),
  prints("prints an object and more", "{} done", "single JSON object"),
  prints("prints two objects", `${ALLOWS}${ALLOWS}`, "single JSON object"),
  prints("prints JSON with a comment", '{"decision": "block" /* sure */}', "invalid hook output"),
  prints("prints a text where a flag belongs", '{"continue": "false"}', "invalid hook output"),
  prints("prints a list", '[{"decision":"block"}]', "must be a JSON object, not a list"),
  prints("prints a list where an object belongs", '{"hook_specific_output": []}', "invalid hook output"),
  prints("prints a number as metadata", '{"hook_specific_output":{"metadata":{"a":1}}}', "invalid hook output"),
  prints("decides something unheard of", '{"decision": "allow"}', "expected block"),
  prints(
    "shouts its verdict",
    '{"hook_specific_output":{"permission_decision":"ALLOW"}}',
    "expected allow, ask, or deny",
  ),
  shell("prints bytes that are no text", `printf '{"decision":"\\377"}'`, "expected block"),
  shell("prints a NUL", `printf '{\\000}'`, "invalid hook output"),
  prints("promised an object and prints text", "all fine", "strict_output requires a JSON object", STRICT),
  prints("promised known fields and prints another", '{"verdict":"allow"}', 'unknown field "verdict"', STRICT),
  prints(
    "promised its own event and answers another",
    '{"hook_specific_output":{"hook_event_name":"stop"}}',
    "does not match pre_tool_use",
    STRICT,
  ),
  prints(
    "promised usable fields and gives a summary",
    '{"hook_specific_output":{"summary":"x"}}',
    "does not support summary",
    STRICT,
  ),
  prints("promised usable fields and suppresses output", '{"suppress_output":true}', "suppress_output", STRICT),
];

/** A fault of a hook's model; `stub:` controls the test provider. */
const judge = (title: string, word: string, says: HookFault["says"], more: HookDefinition = {}): HookFault => ({
  title: `the judge ${title}`,
  hook: {
    name: `the judge ${title}`,
    type: "model",
    model: "local/tiny",
    schema: "pre_tool_use_decision",
    prompt: `May it? stub:${word}`,
    timeout: 2,
    ...more,
  },
  says,
});

export const JUDGE_FAULTS: readonly HookFault[] = [
  judge("never answers", "hang", "timed out after 2s"),
  judge("answers without end", "slow", "timed out after 2s"),
  judge("answers with nothing", "empty", /empty/),
  judge("refuses to judge", "refusal", /./),
  judge("answers twice", "two", /decision json/),
  judge("answers with a page", "html", /./),
  judge("answers with more than may be read", "huge", /./),
  judge("sends the question elsewhere", "redirect", /./),
  judge("fails", "failing", /./),
  judge("does not know its key", "unauthorised", /./),
  judge("is not connected", "allow", /./, { model: "nobody/tiny" }),
  judge("has no key", "allow", /./, { model: "anthropic/some" }),
  judge("is asked about a field that is not there", "allow", /render prompt/, {
    prompt: "{{ .NoSuchField }} stub:allow",
  }),
  judge("is asked by a template that never ends", "allow", /render prompt/, {
    prompt: '{{ define "again" }}{{ template "again" }}{{ end }}{{ template "again" }} stub:allow',
  }),
];
