/**
 * The programs that an exception may name by the first words of a command. Any words may follow, so each program here
 * runs no file of the project for any plain words: no build tool, package runner, remote shell, database client or
 * subcommand that can. Some run a program named in the configuration of the person or of the repository
 * (`.git/config`), such as a pager; no checkout changes that file.
 */

interface PrefixProgram {
  /** The subcommands; absent for a program without any. Two words are a nested subcommand. */
  readonly subcommands?: readonly string[];
  /** The options that a prefix may hold. Options that come after it never match (match.ts). */
  readonly options?: readonly string[];
}

const FILE_OPTIONS = ["-a", "-l", "-h", "-la", "-al", "-lh", "-lah", "-1", "-R"] as const;

/** Reads and shows; writes at most the files that it is given. */
const PROGRAMS: Readonly<Record<string, PrefixProgram>> = {
  ls: { options: FILE_OPTIONS },
  cat: { options: ["-n"] },
  head: { options: ["-n", "-c"] },
  tail: { options: ["-n", "-c"] },
  wc: { options: ["-l", "-c", "-w"] },
  grep: { options: ["-r", "-n", "-i", "-l", "-c", "-w", "-E", "-F", "-rn", "-ri", "-rni"] },
  ...{ stat: {}, file: {}, du: { options: ["-s", "-h", "-sh"] }, df: { options: ["-h"] } },
  ...{ basename: {}, dirname: {}, realpath: {}, readlink: {}, cmp: {}, diff: { options: ["-u", "-r", "-q"] } },
  ...{ md5sum: {}, sha1sum: {}, sha256sum: {}, echo: {}, mkdir: { options: ["-p"] }, touch: {} },
  // Excludes push, commit, merge, checkout, rebase and pull, which run the project's hooks, and fetch, clone and
  // submodule, which run a transport.
  git: {
    subcommands: ["status", "log", "show", "diff", "blame", "ls-files", "rev-parse", "describe", "shortlog"],
    options: ["--oneline", "--stat", "--cached", "--name-only", "--short"],
  },
  // Neither `api`, `alias` and `extension`, nor what opens an editor or changes the checkout.
  gh: {
    subcommands: [
      ...["pr view", "pr list", "pr diff", "pr checks", "pr status", "issue view", "issue list", "issue status"],
      ...["run view", "run list", "release view", "release list", "repo view", "repo list", "workflow list"],
    ],
  },
  // Neither `exec`, `run`, `debug` and `cp`, nor a plugin.
  kubectl: {
    subcommands: ["get", "describe", "logs", "top", "explain", "api-resources"],
    options: ["-n", "-A", "-w"],
  },
  docker: { subcommands: ["ps", "images", "logs", "inspect", "stats", "port"], options: ["-a", "-f"] },
  // No `view`: for `user/repository` it runs the `git` that the project's .npmrc names.
  npm: { subcommands: ["ls", "outdated"] },
  pip: { subcommands: ["list", "show", "freeze"] },
};

const OPTION = /^-/;
const ASSIGNMENT = /=/;

/** True if an exception may cover all commands that begin with these words. */
export function isOpenPrefix(words: readonly string[]): boolean {
  const [name = "", ...rest] = words;
  const program = Object.hasOwn(PROGRAMS, name) ? PROGRAMS[name] : undefined;
  if (program === undefined || rest.length === 0 || rest.some((word) => ASSIGNMENT.test(word))) return false;
  const { subcommands, options = [] } = program;
  if (rest.some((word) => OPTION.test(word) && !options.includes(word))) return false;
  if (subcommands === undefined) return true;
  return subcommands.includes(rest[0] ?? "") || subcommands.includes(`${rest[0]} ${rest[1]}`);
}

/** The minimum number of words of this command for an exception; null when only the whole command is possible. */
export function minPrefixWords(words: readonly string[], min: number): number | null {
  for (let count = min; count <= words.length; count += 1) if (isOpenPrefix(words.slice(0, count))) return count;
  return null;
}
