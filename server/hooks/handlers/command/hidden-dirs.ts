/** The directories that are empty for hooks in a sandbox: the server's own, and users' home directories. */
import { realpathSync } from "node:fs";
import { homedir, userInfo } from "node:os";
import { isAbsolute, sep } from "node:path";

/** A system account's home may contain programs or devices that hooks need. */
const NEEDED = ["/usr", "/bin", "/sbin", "/lib", "/lib64", "/etc", "/dev", "/proc", "/sys", "/tmp", "/opt", "/nix"];

/** `given`, and the home directories of this machine. No entry is within another. */
export function hiddenDirs(given: readonly string[], homes: readonly string[] = homesOfThisMachine()): string[] {
  const kept = homes
    .filter(isAbsolute) // the real path of "" is the working directory of this process
    .map(real)
    .filter((home) => !NEEDED.some((dir) => isWithin(dir, home) || isWithin(home, dir)));
  const all = [...new Set([...given.map(real), ...kept])];
  return all.filter((dir) => !all.some((other) => other !== dir && isWithin(dir, other)));
}

function homesOfThisMachine(): string[] {
  return ["/root", "/home", homedir(), homeOfUser()];
}

/** The home from the user database, which may differ from HOME; empty for a user without an entry. */
function homeOfUser(): string {
  try {
    return userInfo().homedir;
  } catch {
    return "";
  }
}

const isWithin = (path: string, dir: string): boolean =>
  path === dir || path.startsWith(dir.endsWith(sep) ? dir : dir + sep);

/** A sandbox hides directories, but not symbolic links to them. */
function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
