// @ts-check
/**
 * The file system that hooks see, made once and held by a process that does nothing else: each run enters a copy of it. All of
 * it is read-only, /dev has the harmless devices alone, and what must not be seen is covered by an empty directory.
 */
import { spawn } from "node:child_process";

const START_MS = 10_000;

/**
 * A mount namespace by the process that holds it. It ends with the spawner: its input closes.
 * @typedef {{ readonly pid: number, readonly close: () => void }} Template
 */

/** Mounts of these are made anew, here or for each run. */
const MADE_ANEW = "/proc | /proc/* | /dev | /dev/* | /run | /run/* | /tmp | /tmp/*";
const EMPTY = "ro,nosuid,nodev,noexec,mode=0555,size=4k";

const MAKE = `
set -e
# A mount below another one of the same place cannot be had; that one is what counts.
while read -r _ _ _ _ point options _; do
  case $point in ${MADE_ANEW}) continue ;; esac
  mount -n -o "remount,bind,$options,ro" "$(printf '%b' "$point")" 2>/dev/null || :
done < /proc/self/mountinfo
last=
while read -r _ _ _ _ point options _; do
  case $point in ${MADE_ANEW}) continue ;; esac
  last="$last$point $options
"
done < /proc/self/mountinfo

mkdir -p /tmp 2>/dev/null || :
mount -n -t tmpfs -o nosuid,nodev,mode=0755,size=1m tmpfs /tmp
if [ -d /run/systemd/resolve ]; then
  mkdir /tmp/resolve
  for file in resolv.conf stub-resolv.conf; do
    [ ! -f "/run/systemd/resolve/$file" ] || cat "/run/systemd/resolve/$file" > "/tmp/resolve/$file"
  done
fi
mkdir /tmp/dev
mount -n -t tmpfs -o nosuid,mode=0755,size=64k tmpfs /tmp/dev
for device in null zero full random urandom tty; do
  : > "/tmp/dev/$device"
  mount -n --bind "/dev/$device" "/tmp/dev/$device"
done
ln -s /proc/self/fd /tmp/dev/fd
ln -s /proc/self/fd/0 /tmp/dev/stdin
ln -s /proc/self/fd/1 /tmp/dev/stdout
ln -s /proc/self/fd/2 /tmp/dev/stderr
ln -s /tmp /tmp/dev/shm
mount -n --move /tmp/dev /dev
mount -n -o remount,bind,ro,nosuid /dev

if [ -d /run ]; then
  mount -n -t tmpfs -o nosuid,nodev,noexec,mode=0755,size=256k tmpfs /run
  if [ -d /tmp/resolve ]; then
    mkdir -p /run/systemd/resolve
    for file in /tmp/resolve/*; do cat "$file" > "/run/systemd/resolve/\${file##*/}"; done
  fi
  mount -n -o remount,bind,ro,nosuid,nodev,noexec /run
fi
for hidden in "$@"; do
  [ ! -d "$hidden" ] || mount -n -t tmpfs -o ${EMPTY} tmpfs "$hidden"
done
mount -n -o remount,bind,ro,nosuid,nodev /tmp

# What could not be made read-only is covered.
printf '%s' "$last" | while read -r point options; do
  latest=$(printf '%s' "$last" | while read -r other its; do [ "$other" != "$point" ] || echo "$its"; done | tail -n 1)
  case $latest in ro | ro,*) continue ;; esac
  point=$(printf '%b' "$point")
  if [ -d "$point" ]; then mount -n -t tmpfs -o ${EMPTY} tmpfs "$point"; else mount -n --bind /dev/null "$point"; fi
done
echo ready
read -r _
`;

/**
 * A template, made by `enter`, the command that makes namespaces. Rejects with what was said when it cannot be made.
 * @param {readonly string[]} enter
 * @param {readonly string[]} hiddenDirs
 * @returns {Promise<Template>}
 */
export function makeTemplate(enter, hiddenDirs) {
  const [file = "", ...args] = enter;
  const child = spawn(file, [...args, "/bin/sh", "-c", MAKE, "sh", ...hiddenDirs], {
    cwd: "/",
    env: { NODE_ENV: "production", PATH: "/usr/sbin:/usr/bin:/sbin:/bin" },
    stdio: ["pipe", "pipe", "pipe"],
  });
  let isReady = false;
  let isWanted = true;
  let said = "";
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => child.kill("SIGKILL"), START_MS);
    child.stdin.on("error", () => {});
    child.stderr.on("data", (/** @type {Buffer} */ chunk) => {
      said = `${said}${chunk.toString()}`.slice(0, 2_000);
    });
    child.once("error", (error) => reject(error));
    child.once("exit", () => {
      clearTimeout(late);
      // Without it no hook can be contained any more: this process is started again, and makes another one.
      if (isReady && isWanted) process.exit(1);
      reject(new Error(said.trim() || "the namespaces could not be made"));
    });
    child.stdout.once("data", () => {
      clearTimeout(late);
      isReady = true;
      const { pid = 0 } = child;
      resolve({
        pid,
        close() {
          isWanted = false;
          child.stdin.end();
        },
      });
    });
  });
}
