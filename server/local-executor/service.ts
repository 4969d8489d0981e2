/**
 * `quarterdeck hook EVENT`: decides one hook event on the agent's machine. Never throws for an external reason: a
 * failure on an event that can be denied denies it, and gives the reason.
 */
import {
  type ConsoleFlags,
  readArguments,
  type SnapshotsArguments,
  speaksDialect,
  type UndoArguments,
  USAGE,
} from "./arguments.ts";
import { AWAY, Call, type World } from "./call.ts";
import { type ConsoleClient, openConsole } from "./console-client.ts";
import { currentPolicy, FRESH_MS } from "./current-policy.ts";
import { ConsoleAway, causeOf, isTrouble } from "./errors.ts";
import { type Ended, refused } from "./exit.ts";
import { flush } from "./flush.ts";
import { readableHooks } from "./policy.ts";
import { readSettings, type Variables } from "./settings.ts";
import { listSpool } from "./spool.ts";

/** Runs as this very process: stdin to its exit code. `self` is the command that runs the same program again. */
export async function program(argv: readonly string[], env: Variables, self: readonly string[]): Promise<void> {
  const inDialect = speaksDialect(argv) ? await import("./dialect-hook.ts") : undefined;
  // Node would end with 1, which some agents take for no opinion.
  process.on("uncaughtException", (error) => {
    const sentence = `It failed: ${causeOf(error)}.`;
    const broken = inDialect?.brokenDialectHook(argv, sentence);
    const { code, stdout, stderr } = broken ?? { code: 2, stdout: "", stderr: `Quarterdeck: ${sentence}\n` };
    process.stderr.write(stderr);
    process.stdout.write(stdout, () => process.exit(code));
  });
  const ending = new AbortController();
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(name, () => ending.abort());
  const world: World = {
    env,
    workingDir: process.cwd(),
    stdin: process.stdin,
    now: Date.now,
    signal: ending.signal,
    runningMs: () => performance.now(),
    flushCommand: [...self, "--flush"],
  };
  const { code, stdout, stderr } = await (inDialect ? inDialect.dialectHook(argv, world) : hook(argv, world));
  process.exitCode = code;
  process.stderr.write(stderr);
  // A client may keep our standard input open, and a late request may still be in progress.
  process.stdout.write(stdout, inDialect ? () => process.exit(code) : undefined);
}

/** The answer to docker-agent. */
async function hook(argv: readonly string[], world: World): Promise<Ended> {
  let asked: ReturnType<typeof readArguments>;
  try {
    asked = readArguments(argv);
  } catch (error) {
    // Nobody knows which event this is: it may be a gate.
    return { code: 2, stdout: "", stderr: `Quarterdeck: ${causeOf(error)}\n` };
  }
  if (asked.kind === "help") return { code: 0, stdout: USAGE, stderr: "" };
  if (asked.kind === "flush") return flushNow(asked, world);
  if (asked.kind === "check") return checkNow(asked, world);
  if (asked.kind === "snapshots" || asked.kind === "undo") return goBack(asked, world);
  try {
    if (asked.kind === "rules") return await (await import("./rules-hook.ts")).rulesHook(asked, world);
    return await new Call(asked, world).run();
  } catch (error) {
    const sentence = isTrouble(error) ? error.message : `It failed: ${causeOf(error)}.`;
    return refused(asked.event, asked.lane, sentence);
  }
}

/** Ends with 1 when there is nothing to list or to take back. */
async function goBack(asked: SnapshotsArguments | UndoArguments, world: World): Promise<Ended> {
  try {
    const { printSnapshots, undo } = await import("./snapshots.ts");
    return await (asked.kind === "undo" ? undo(asked, world) : printSnapshots(asked, world));
  } catch (error) {
    return { code: 1, stdout: "", stderr: `Quarterdeck: ${causeOf(error)}\n` };
  }
}

/**
 * Checks that the programs of the current policy are installed. Exits with 1 if one is missing, or if no policy could
 * be read.
 */
async function checkNow(files: ConsoleFlags, world: World): Promise<Ended> {
  let console: Promise<ConsoleClient> | undefined;
  try {
    const settings = readSettings(world.env, files);
    settings.state.adopt();
    const open = () => {
      console ??= openConsole(settings.url, settings.bearer);
      return console;
    };
    const { policy } = await currentPolicy({ settings, now: world.now, console: open });
    return await (await import("./check-programs.ts")).checkPrograms(readableHooks(policy), world);
  } catch (error) {
    return { code: 1, stdout: "", stderr: `Quarterdeck: ${causeOf(error)}\n` };
  } finally {
    void console?.then((client) => client.close());
  }
}

async function flushNow(files: ConsoleFlags, { env, now }: World): Promise<Ended> {
  let console: Promise<ConsoleClient> | undefined;
  try {
    const settings = readSettings(env, files);
    const { url, bearer, state } = settings;
    state.adopt();
    if (listSpool(state.dir).length === 0) return { code: 0, stdout: "0 events reported\n", stderr: "" };
    console = openConsole(url, bearer);
    const client = await console;
    // A server that cannot sign our policy must not receive our agent's events.
    const { isAway } = await currentPolicy({ settings, now, console: async () => client }, FRESH_MS);
    if (isAway) throw new ConsoleAway(AWAY);
    return { code: 0, stdout: `${await flush(state.dir, client, now)} events reported\n`, stderr: "" };
  } catch (error) {
    return { code: 1, stdout: "", stderr: `Quarterdeck: ${causeOf(error)}\n` };
  } finally {
    void console?.then((client) => client.close());
  }
}
