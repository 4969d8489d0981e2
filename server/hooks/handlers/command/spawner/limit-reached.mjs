// @ts-check
/** The limit that ended a hook, read from how it ended; never from what it printed. */

/** The signals by which a limit or a machine without memory ends a process. */
const BY_SIGNAL = new Map([
  [24, "it used more CPU time than it may"],
  [25, "it wrote a larger file than it may"],
  [9, "something outside ended it; the machine may be out of memory"],
]);
const NAMED = new Map([
  ["SIGXCPU", 24],
  ["SIGXFSZ", 25],
  ["SIGKILL", 9],
]);

/**
 * The limit that ended a run whose exit code is neither 0 nor 2, in words; nothing when none did. To some profiles
 * such an exit code says nothing at all, and what we took from a hook must not pass for its silence.
 * @param {number | null} code
 * @param {string | null} signal
 * @param {boolean} isStorageFull
 * @returns {string | undefined}
 */
export function endedByLimit(code, signal, isStorageFull) {
  if (code === 0 || code === 2) return undefined;
  // A shell, like bubblewrap, reports a child's death by a signal as 128 and the signal.
  const number = signal === null ? (code ?? 0) - 128 : NAMED.get(signal);
  const killed = number === undefined ? undefined : BY_SIGNAL.get(number);
  return killed ?? (isStorageFull ? "it filled the directory it may write to" : undefined);
}
