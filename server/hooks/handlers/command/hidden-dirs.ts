/** The directories that hooks in a sandbox find empty: the server's own, and where people keep what is theirs. */
import { realpathSync } from "node:fs";
import { homedir, userInfo } from "node:os";
import { isAbsolute, sep } from "node:path";

/** A system account may be at home among programs or devices, which hooks need. */
const NEEDED = ["/usr", "/bin", "/sbin", "/lib", "/lib64", "/etc", "/dev", "/proc", "/sys", "/tmp", "/opt", "/nix"];

/** `given`, and the homes of this server's user and of everybody; none of them within another one. */
export function hiddenDirs(given: readonly string[], homes: readonly string[] = homesOfThisMachine()): string[] {
  const kept = homes
    .filter(isAbsolute) // of "", the real path is where this process works
    .map(real)
    .filter((home) => !NEEDED.some((dir) => isWithin(dir, home) || isWithin(home, dir)));
  const all = [...new Set([...given.map(real), ...kept])];
  return all.filter((dir) => !all.some((other) => other !== dir && isWithin(dir, other)));
}

function homesOfThisMachine(): string[] {
  return ["/root", "/home", homedir(), homeOfUser()];
}

/** HOME may say something else. A user without an entry has none. */
function homeOfUser(): string {
  try {
    return userInfo().homedir;
  } catch {
    return "";
  }
}

const isWithin = (path: string, dir: string): boolean =>
  path === dir || path.startsWith(dir.endsWith(sep) ? dir : dir + sep);

/** A sandbox covers directories, and no symbolic links to them. */
function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
