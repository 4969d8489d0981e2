// @ts-check
/**
 * The proof that a sandbox holds: a hook that tries to leave it, and one that only does its work. What must not be reachable is
 * laid out beforehand with a random word in it; the sandbox is judged by whether the word came out, never by what the hook says.
 */
import { randomBytes } from "node:crypto";
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdtempSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { GATEWAY } from "./network.mjs";

/** @import { HandlerReply } from "../../../engine/ports.ts" */
/** @import { SpawnerSettings } from "../protocol.ts" */
/** @import { Sandbox } from "./sandbox.mjs" */

/**
 * Runs a text in the sandbox that is tried.
 * @typedef {(text: string, network: "none" | "host" | "own", env: Readonly<Record<string, string>>) => Promise<HandlerReply>} Try
 */

/** A script of everything that a hook needs to be able to do. */
const WORK = `
[ "$(cat)" = in ] || exit 11
echo a > "$TMPDIR/a" && : > /tmp/b && [ "$(cat "$HOME/a")" = a ] || exit 12
for tool in grep awk sed jq; do
  command -v "$tool" > /dev/null 2>&1 || continue
  case $tool in
    grep) echo abc | grep -q b ;;
    awk) [ "$(echo 1 2 | awk '{ print $2 }')" = 2 ] ;;
    sed) [ "$(echo ab | sed s/a/b/)" = bb ] ;;
    jq) [ "$(echo '{"a":1}' | jq .a)" = 1 ] ;;
  esac || exit 13
done
[ "$EXAMPLE" = "two
lines" ] || exit 14
exit 7
`;

/** Each line may fail; what it prints is searched for the word. */
const LEAVE = `
exec 2>/dev/null
say() { printf '\\n%s\\n' "$1"; }
look() { cat "$KEPT/word" /proc/1/environ /proc/*/environ; [ ! -e "$KEPT/word" ] || say "visible:$KEPT"; }
look
i=0
while eval "dir=\\\${HIDDEN_$i-}" && [ -n "$dir" ]; do
  [ -z "$(ls -A "$dir")" ] || say "visible:$dir"
  i=$((i + 1))
done
umount -l "$KEPT" || umount "$KEPT" || umount -l "\${KEPT%/*}"
umount -l /proc || umount -l /tmp || umount -l /run || umount -l /dev
mount -o remount,rw /
look
for pid in 1 "$SPAWNER"; do
  nsenter -t "$pid" -m -- cat "$KEPT/word"
  nsenter -t "$pid" -a -- cat "$KEPT/word"
  cat "/proc/$pid/root$KEPT/word"
done
unshare --user --map-root-user --mount --pid --fork sh -c '
  umount -l "$KEPT"; umount -l "\${KEPT%/*}"; umount -l /proc; mount -t proc proc /proc
  cat "$KEPT/word" /proc/1/environ /proc/*/environ'
[ -z "$OUTSIDE" ] || echo x > "$OUTSIDE/written"
while read -r name value; do
  case $name in
    CapPrm: | CapEff: | CapAmb:) [ "$value" = 0000000000000000 ] || say "visible:capabilities" ;;
    Seccomp:) [ -z "$FILTERED" ] || [ "$value" = 2 ] || say "visible:system calls" ;;
  esac
done < /proc/self/status
if [ -n "$PORT" ]; then
  if [ -x /bin/bash ]; then
    for host in 127.0.0.1 ${GATEWAY}; do
      HOST=$host /bin/bash -c 'exec 3<> "/dev/tcp/$HOST/$PORT" && printf "\\nreached %s\\n" "$PORT"'
    done
    say tried
  elif [ -x "$NODE" ]; then
    "$NODE" -e '
      for (const host of ["127.0.0.1", "${GATEWAY}"]) require("net").connect(+process.env.PORT, host)
        .on("error", () => {}).on("connect", () => console.log("\\nreached", process.env.PORT));
      setTimeout(() => process.exit(), 1000)' && say tried
  else
    here=$(readlink /proc/self/ns/net)
    [ -z "$here" ] || { say tried; [ "$here" != "$NETWORK" ] || say "reached $PORT"; }
  fi
fi
exit 7
`;

/**
 * The reason why a sandbox does not hold, or does not let hooks work; nothing when it is proven.
 * @param {Sandbox} sandbox
 * @param {SpawnerSettings} settings
 * @param {Try} attempt
 * @returns {Promise<string | undefined>}
 */
export async function weaknessOf(sandbox, settings, attempt) {
  const trap = await setTrap(settings);
  try {
    const filtered = sandbox.features.includes("seccomp") ? "1" : "";
    const env = { ...trap.env, FILTERED: filtered, ...hiddenVariables(emptyDirs(sandbox, settings)) };
    const [work, within, connected] = await Promise.all([
      attempt(WORK, "none", { EXAMPLE: "two\nlines" }),
      attempt(LEAVE, "none", { ...env, PORT: String(trap.port) }),
      attempt(LEAVE, "host", env),
    ]);
    return didNotWork(work) ?? trap.escaped(within) ?? networkLeft(within) ?? trap.escaped(connected);
  } finally {
    trap.remove();
  }
}

/**
 * The reason why a network of a hook's own does not keep it from this machine's loopback; nothing when it is proven.
 * @param {Sandbox} sandbox
 * @param {SpawnerSettings} settings
 * @param {Try} attempt
 * @returns {Promise<string | undefined>}
 */
export async function networkWeaknessOf(sandbox, settings, attempt) {
  const trap = await setTrap(settings);
  try {
    const env = { ...trap.env, ...hiddenVariables(emptyDirs(sandbox, settings)), PORT: String(trap.port) };
    const [work, connected] = await Promise.all([
      attempt(WORK, "own", { EXAMPLE: "two\nlines" }),
      attempt(LEAVE, "own", env),
    ]);
    return didNotWork(work) ?? trap.escaped(connected) ?? networkLeft(connected);
  } finally {
    trap.remove();
  }
}

/**
 * The trap that a hook must not reach: a file that only the server reads, a port that listens, a directory anybody may
 * write to.
 * @param {SpawnerSettings} settings
 */
async function setTrap(settings) {
  const { scratchDir, hiddenDirs, environmentWord } = settings;
  const word = randomBytes(16).toString("hex");
  const kept = mkdtempSync(join(scratchDir ?? hiddenDirs.find(isWritable) ?? tmpdir(), "run-probe-"));
  chmodSync(kept, 0o755);
  writeFileSync(join(kept, "word"), word, { mode: 0o644 });
  const outside = openDirectory();
  const server = createServer((socket) => socket.destroy());
  await new Promise((resolve, reject) => {
    server.once("error", reject).listen(0, "127.0.0.1", () => resolve(undefined));
  });
  const address = server.address();
  return {
    port: typeof address === "object" ? (address?.port ?? 0) : 0,
    env: {
      KEPT: kept,
      OUTSIDE: outside ?? "",
      SPAWNER: String(process.pid),
      NODE: process.execPath,
      NETWORK: networkNamespace(),
    },
    /** @param {HandlerReply} reply */
    escaped(reply) {
      if (reply.kind !== "exited") return `the hook that tries to leave it did not end (${textOf(reply)})`;
      const { stdout } = reply;
      if (stdout.includes(word)) return "a hook reads the data directory";
      if (stdout.includes(environmentWord)) return "a hook reads the environment of other processes";
      const visible = /^visible:(.*)$/m.exec(stdout)?.[1];
      if (visible === "capabilities") return "a hook holds capabilities";
      if (visible === "system calls") return "a hook's system calls are not filtered";
      if (visible !== undefined) return `a hook sees ${visible}`;
      if (outside !== undefined && existsSync(join(outside, "written")))
        return "a hook writes outside of its directory";
      return undefined;
    },
    remove() {
      server.close();
      for (const dir of [kept, outside]) if (dir !== undefined) rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** @param {HandlerReply} reply */
function didNotWork(reply) {
  if (reply.kind === "exited" && reply.exitCode === 7) return undefined;
  return `a harmless hook fails in it (${textOf(reply)})`;
}

/** @param {HandlerReply} reply */
function networkLeft(reply) {
  const said = reply.kind === "exited" ? reply.stdout : "";
  if (/^reached \d+$/m.test(said)) return "a hook reaches the network";
  return /^tried$/m.test(said) ? undefined : "nothing here can prove that a hook is cut off the network";
}

/** @param {HandlerReply} reply */
function textOf(reply) {
  if (reply.kind === "exited") return `exit code ${reply.exitCode}: ${reply.stderr.trim().slice(0, 300)}`;
  return "message" in reply ? reply.message : "it answered";
}

/** A directory that anybody may write to, on a disk that the sandbox shows. */
function openDirectory() {
  try {
    const dir = mkdtempSync("/var/tmp/quarterdeck-probe-");
    chmodSync(dir, 0o777);
    return dir;
  } catch {
    return undefined;
  }
}

/** @param {string} dir */
function isWritable(dir) {
  try {
    accessSync(dir, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function networkNamespace() {
  try {
    return readlinkSync("/proc/self/ns/net");
  } catch {
    return "";
  }
}

/**
 * The directories that a hook must find empty. A directory of its own on disk, where it gets one, lies in one of the hidden ones.
 * @param {Sandbox} sandbox
 * @param {SpawnerSettings} settings
 */
function emptyDirs(sandbox, { hiddenDirs, scratchDir }) {
  if (sandbox.home !== undefined || scratchDir === undefined) return hiddenDirs;
  return hiddenDirs.filter((dir) => !scratchDir.startsWith(`${dir}/`));
}

/** @param {readonly string[]} dirs @returns {Readonly<Record<string, string>>} */
function hiddenVariables(dirs) {
  return Object.fromEntries(dirs.map((dir, at) => [`HIDDEN_${at}`, dir]));
}
