/**
 * `quarterdeck snapshots` and `quarterdeck undo`: lists the states that the builtin `snapshot` kept on the agent's
 * machine, and restores one.
 */
import { tmpdir } from "node:os";
import { agentBuiltins } from "@quarterdeck/hooks";
import { truncateText } from "@quarterdeck/hooks/contract/truncate-text";
import type { ConsoleFlags, SnapshotsArguments, UndoArguments } from "./arguments.ts";
import type { World } from "./call.ts";
import { Trouble } from "./errors.ts";
import type { Ended } from "./exit.ts";
import { readSettings } from "./settings.ts";

/** A session's snapshots with their files, or one line for each session. Errors: a `Trouble`. */
export async function printSnapshots({ session, ...files }: SnapshotsArguments, world: World): Promise<Ended> {
  const kept = await snapshotsOf(files, world).sessions();
  if (session !== "") {
    const found = kept.find(({ id }) => id === session);
    if (!found) throw new Trouble(noneOf(session));
    return printed(found.checkpoints.map(({ root, files }, at) => `${at + 1}. ${root}: ${filesText(files, root)}`));
  }
  if (kept.length === 0) return printed(["There are no snapshots. A policy keeps them with the builtin snapshot."]);
  return printed(
    kept.map(({ id, changedMs, checkpoints }) => {
      const roots = [...new Set(checkpoints.map(({ root }) => root))].join(", ");
      return `${id}  ${new Date(changedMs).toISOString()}  ${plural(checkpoints.length, "snapshot")}  ${roots}`;
    }),
  );
}

/** Takes the newest snapshot of a session back, or all but the oldest `keep`. Errors: a `Trouble`; git's, and then the history is as it was. */
export async function undo({ session, keep, ...files }: UndoArguments, world: World): Promise<Ended> {
  const snapshots = snapshotsOf(files, world);
  const { ok, files: count } = await (keep === undefined
    ? snapshots.undo(session, world.signal)
    : snapshots.reset(session, keep, world.signal));
  if (!ok) throw new Trouble(noneOf(session));
  const left = (await snapshots.list(session)).length;
  return printed([
    `${plural(count, "file")} ${count === 1 ? "is" : "are"} as before. ${plural(left, "snapshot")} left.`,
  ]);
}

function snapshotsOf(files: ConsoleFlags, { env }: World) {
  const { state } = readSettings(env, files);
  const given = Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value ? [[name, value]] : [])));
  const machine = { env: given, tempDir: tmpdir(), homeDir: env.HOME ?? "", dataDir: state.dir };
  return agentBuiltins(machine).snapshots;
}

const noneOf = (session: string): string =>
  `There is nothing to take back in session "${truncateText(session, 80)}". See quarterdeck snapshots.`;

const FILES_SHOWN = 5;

function filesText(files: readonly string[], root: string): string {
  const shown = files
    .slice(0, FILES_SHOWN)
    .map((file) => (file.startsWith(`${root}/`) ? file.slice(root.length + 1) : file));
  const more = files.length - shown.length;
  return `${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** Names of files and sessions are strangers' texts: a terminal gets no control characters. */
const printed = (lines: readonly string[]): Ended => ({
  code: 0,
  stdout: `${lines.map((line) => line.replace(/\p{Cc}/gu, "?")).join("\n")}\n`,
  stderr: "",
});
