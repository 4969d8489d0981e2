// @ts-check
/**
 * The two shell scripts that surround a hook within a sandbox, and what they report on descriptor 3.
 *
 * The supervisor is the hook's parent: it makes what belongs to this one run (its /proc and /tmp), waits, and reports how the
 * hook ended. The starter is the last thing before the hook, when everything that was taken from it is gone: it puts the
 * hook's own environment in place and reports that the hook begins. Until then no program of ours sees a variable that a
 * hook chose, because what runs here may still be root (LD_DEBUG_OUTPUT, for one, writes files).
 */

import { NAME_SERVER } from "./network.mjs";

/** @import { Environment } from "../../../engine/ports.ts" */

/** The descriptor that the scripts report on. */
export const REPORT_FD = 3;
/** The descriptor that bubblewrap reads the filter of system calls from, and closes. */
export const FILTER_FD = 4;
const SYSTEM_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
const VARIABLE = "QUARTERDECK_VARIABLE_";
/** No shell can hold a variable by another name. */
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
/** A hook that the kernel needs to end for want of memory goes before the server does. */
const FIRST_TO_GO = "echo 1000 > /proc/self/oom_score_adj";

/** Where a hook's own directory is: in memory. */
export const MEMORY_HOME = "/tmp/hook";

/**
 * The end of a hook in a sandbox, as far as it was reported.
 * @typedef {{ readonly isStarted: boolean, readonly isStorageFull: boolean, readonly exitCode: number | undefined }} InsideReport
 */

/** @param {string} text @returns {InsideReport} */
export function readReport(text) {
  const ended = /^exited (\d+)$/m.exec(text)?.[1];
  return {
    isStarted: /^started$/m.test(text),
    isStorageFull: /^full$/m.test(text),
    exitCode: ended === undefined ? undefined : Number(ended),
  };
}

/** The environment that the programs around a hook see: its own variables, under names that mean nothing to them. */
export function carriedEnvironment(/** @type {Environment} */ env) {
  const variables = Object.entries(env).filter(([name]) => NAME.test(name));
  const carried = variables.map(([name, value], at) => [`${VARIABLE}${at}`, `${name}=${value}`]);
  return { PATH: SYSTEM_PATH, ...Object.fromEntries(carried) };
}

const STARTER = `
${FIRST_TO_GO} 2>/dev/null
i=0
while eval "pair=\\\${${VARIABLE}$i-}" && [ -n "$pair" ]; do
  unset "${VARIABLE}$i"
  command export "$pair" 2>/dev/null
  i=$((i + 1))
done
unset i pair
[ -x "$1" ] || { echo "$1 cannot be run" >&2; exit 126; }
echo started >&${REPORT_FD}
exec ${REPORT_FD}>&-
exec "$@"
`;

/** The command, with its own environment put in place when nothing of ours runs any more. @param {readonly string[]} command */
export const started = (command) => ["/bin/sh", "-c", STARTER, "sh", ...command];

/** The kernel's own view of a hook's processes; an empty one where /proc cannot be mounted. */
const OWN_PROC = `
mount -n -t proc -o nosuid,nodev,noexec proc /proc 2>/dev/null ||
  mount -n -t tmpfs -o ro,nosuid,nodev,noexec,size=4k tmpfs /proc || exit 125
`;

/** @param {number} storageBytesMax */
const ownStorage = (storageBytesMax) => `
mount -n -t tmpfs -o nosuid,nodev,mode=1777,size=${storageBytesMax} tmpfs /tmp || exit 125
mkdir -m 0777 ${MEMORY_HOME} && chmod 0777 ${MEMORY_HOME} || exit 125
`;

/** Names are asked of slirp4netns: the machine's own resolver may be on its loopback. */
const OWN_NAMES = `
if target=$(readlink -f /etc/resolv.conf) && [ -f "$target" ]; then
  echo "nameserver ${NAME_SERVER}" > /tmp/.resolver && mount -n --bind /tmp/.resolver "$target" &&
    mount -n -o remount,bind,ro "$target" || exit 125
fi
`;

/**
 * The wait for the hook. A full storage is looked for where the hook's exit code may be silence to somebody: by its figures, since a file
 * of any name could be a link that the hook left.
 */
const WAIT = `
cd "$1" || exit 125
shift
exec 4>&2 2>/dev/null
"$@" 2>&4 4>&-
code=$?
exec 4>&-
is_full() {
  set -- $(stat -f -c '%a %S %d' /tmp)
  [ $# -eq 3 ] && { [ $(($1 * $2)) -lt 8192 ] || [ "$3" -eq 0 ]; }
}
case $code in 0 | 2) ;; *) ! is_full || echo full >&${REPORT_FD} ;; esac
echo "exited $code" >&${REPORT_FD}
exit "$code"
`;

/**
 * The command below a supervisor that makes nothing: where somebody else made /proc and /tmp.
 * @param {string} cwd
 * @param {readonly string[]} command
 */
export const supervised = (cwd, command) => ["/bin/sh", "-c", WAIT, "sh", cwd, ...command];

/**
 * The command below a supervisor that makes its /proc and its /tmp first.
 * @param {{ readonly cwd: string, readonly storageBytesMax: number, readonly hasOwnNetwork: boolean }} run
 * @param {readonly string[]} command
 */
export const housed = ({ cwd, storageBytesMax, hasOwnNetwork }, command) => [
  "/bin/sh",
  "-c",
  `${OWN_PROC}${ownStorage(storageBytesMax)}${hasOwnNetwork ? OWN_NAMES : ""}${WAIT}`,
  "sh",
  cwd,
  ...command,
];
