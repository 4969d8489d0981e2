/** Paths relative to a call's working directory. Pure. */
import type { ShellWord } from "./word.ts";

/** Resolves `path` against `directory`, without `.` and `..`; null if the path is relative and the directory is unknown. */
export function resolvePath(directory: string | null, path: string): string | null {
  if (/^(?:[/~]|[A-Za-z]:[\\/])/.test(path)) return normalised(path);
  if (directory === null) return null;
  return normalised(directory === "." ? path : `${directory}/${path}`);
}

/** Matches a backslash, or a path part that is empty, `.` or `..`. */
const UNTIDY = /\\|(?:^\.{1,2}|\/\.{0,2})(?:\/|$)/;

/** Resolves `.` and `..`. A path above the working directory begins with `..`. */
export function normalised(path: string): string {
  if (path !== "" && !UNTIDY.test(path)) return path;
  const isAbsolute = path.startsWith("/");
  const parts: string[] = [];
  for (const part of path.replaceAll("\\", "/").split("/")) {
    if (part === "" || part === ".") continue;
    const last = parts.at(-1);
    if (part !== "..") parts.push(part);
    else if (last !== undefined && last !== "..") {
      if (last === "~") parts.splice(-1, 1, "~", "..");
      else parts.pop();
    } else if (!isAbsolute) parts.push("..");
  }
  if (isAbsolute) return `/${parts.join("/")}`;
  return parts.length === 0 ? "." : parts.join("/");
}

/** The working directory after a command. */
export function changedDirectory(program: string, args: readonly ShellWord[], directory: string | null): string | null {
  if (program !== "cd" && program !== "pushd" && program !== "chdir" && program !== "set-location") return directory;
  const target = args.find(({ values: [value] }) => !/^-./.test(value));
  if (!target) return "~";
  const [path] = target.values;
  if (!target.isKnown || target.isPattern || path === "-") return null;
  return resolvePath(directory, path);
}
