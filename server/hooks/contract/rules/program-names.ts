/** The program names that rules use, and the flags of programs by meaning. */
import { canonicalProgram, PROGRAMS, type Program, programFacts } from "../../calls/programs.ts";
import { INTERPRETERS, LAUNCHERS, SHELLS } from "../../calls/shell/launchers.ts";
import { FORK_BOMB } from "../../calls/shell/shell-reading.ts";
import { nearestWord } from "../did-you-mean.ts";

/** Known programs without a table entry. They are used as written and are not typing errors. */
const OTHERS =
  `adb aircrack-ng alias ansible ansible-playbook apk ar arp as at atq base32 base64 basename bash bat bc bison bundle
  bunzip2 bzip2 c++ cal cargo cat cc cfssl chsh clang clang++ clear cmake cmp colordiff column comm composer conda cpio crontab csplit
  ctags curlie cut date dart delta deno df diff diff3 diskpart diskutil dmesg dnf docker dot dpkg dropdb createdb esbuild eslint eval exa
  eza fastlane ffmpeg ffprobe file fish flutter fmt fold format fping free fuser fzf g++ gcc gdb getent getfacl ghc git-lfs glab glow gofmt
  gradle groups gunzip gsutil halt hatch head heroku hexdump hg hostname hostnamectl htop httpd id ifconfig init initdb insmod iostat ip iptables
  ipconfig jar java javac jest jj join journalctl jobs just k9s keytool killall kind kubectx kubens last launchctl ld ldd less lldb locate
  logger login logout look lsblk lsof lspci lua lz4 make mailx man md5sum meson minikube mix mkcert mocha modprobe more mosh mvn mypy
  mysqldump nano net netlify netsh netstat nft nginx ninja nix nl nm nmap nohup npm nproc ntpdate nvm objdump od open openssl osascript
  pacman pandoc passwd paste pax pdm pg_dump pg_restore pgrep php phpunit pkill playwright pmset poetry poweroff pre-commit prettier printenv prisma
  protoc ps psql pstree pwsh py pyenv pytest python python3 qemu rails rake ranger readelf readlink realpath reboot reg rename restart-computer
  rev ripgrep robocopy route rpm ruby ruff runas rustc rustup rvm sc scala schtasks scoop sdkmanager select sentry-cli serverless setx sha1sum
  sha256sum shasum shutdown size snap sort sqlcmd ss start-process stop-computer stop-process strings strip stty stylua sum svn swift sw_vers
  sync sysctl tac tail takeown taskkill tasklist telinit tensorboard time top tr trap tree trivy truss tsc tsx tty turbo tusd type ufw ulimit
  umask umount unalias uname uniq unset unzstd update-alternatives uptime uvicorn vagrant vault vercel vite vitest volta wall wc webpack wget2 whereis
  whoami winget wrangler write xcodebuild xcopy xcrun xdg-open xxd xz yarn yum zcat zig zip zoxide zstd zypper
  add-content copy-item get-childitem get-content invoke-command move-item new-item out-file rename-item set-content set-executionpolicy`
    .split(/\s+/)
    .filter((word) => word !== "");

const KNOWN: ReadonlySet<string> = new Set([
  ...Object.keys(PROGRAMS),
  ...Object.keys(LAUNCHERS),
  ...Object.keys(INTERPRETERS),
  ...SHELLS,
  ...OTHERS,
  FORK_BOMB,
]);

/** Programs with flags by meaning or with files among their operands, for an editor's suggestions. */
export const PROGRAM_NAMES: readonly string[] = Object.keys(PROGRAMS)
  .filter((one) => /^[a-z]/.test(one))
  .sort();

/** Every meaning that a flag of a known program may have. */
export const FLAG_MEANINGS: readonly string[] = [
  ...new Set(
    Object.values(PROGRAMS)
      .flatMap((one) => [one, ...Object.values(one.subcommands ?? {})])
      .flatMap(({ flags = {} }) => Object.keys(flags)),
  ),
].sort();

const isPattern = (name: string): boolean => /[*?[\]{}]/.test(name);

/** The reason why no command has this program; null for a known name, for a pattern, and for a name unlike any known one. */
export function programProblem(written: string): string | null {
  if (isPattern(written)) return null;
  const lower = written.toLowerCase();
  const base = lower.replace(/^.*[\\/]/, "").replace(/\.exe$/, "");
  if (base !== "" && base !== lower && lower !== "." && !/^[./\\]+$/.test(lower))
    return `rules know a program by its name, wherever it is: write "${canonicalProgram(base)}"`;
  const canonical = canonicalProgram(lower);
  if (canonical !== lower) return `rules know this program as "${canonical}": write that name`;
  if (KNOWN.has(lower)) return null;
  const near = nearName(lower, KNOWN);
  return near === null
    ? null
    : `no known program is called "${written}" (did you mean "${near}"?). For a program of your own write a pattern: "${written}*"`;
}

/** A known name with the same first letter that differs by a typing error. A name of three letters may differ only by swapped letters. */
function nearName(written: string, known: Iterable<string>): string | null {
  const words = [...known];
  const swapped = words.find((word) => word.length === written.length && word.length > 2 && isSwapped(word, written));
  if (swapped !== undefined || written.length < 4) return swapped ?? null;
  // `nearestWord` compares with underscores.
  const alike = words.filter((word) => word[0] === written[0]);
  const byWord = new Map(alike.map((word) => [word.replaceAll("-", "_"), word]));
  return byWord.get(nearestWord(written, [...byWord.keys()]) ?? "") ?? null;
}

function isSwapped(a: string, b: string): boolean {
  const at = [...a].findIndex((letter, index) => letter !== b[index]);
  return at >= 0 && a[at] === b[at + 1] && a[at + 1] === b[at] && a.slice(at + 2) === b.slice(at + 2);
}

/** git subcommands that are not in the table of programs. */
const GIT_SUBCOMMANDS =
  `am archive bisect blame bundle cat-file check-ignore cherry cherry-pick count-objects describe diff-tree
  difftool fast-export fast-import for-each-ref format-patch fsck gui hash-object help init instaweb lfs ls-files ls-remote ls-tree
  maintenance merge-base mergetool mktree name-rev notes prune pull range-diff read-tree rerere rev-list rev-parse revert
  request-pull send-email shortlog show-branch show-ref sparse-checkout stage status submodule subtree svn symbolic-ref
  unpack-objects update-index verify-commit version whatchanged write-tree`
    .split(/\s+/)
    .filter((word) => word !== "");

/** The reason why a program has no such subcommand; null if it may have one. */
export function subcommandProblem(program: string, written: string): string | null {
  const { subcommands, aliases = {} } = programFacts(program.toLowerCase());
  const [first = ""] = written.split(" ");
  if (!subcommands || isPattern(first)) return null;
  const known = [...Object.keys(subcommands), ...Object.keys(aliases), ...(program === "git" ? GIT_SUBCOMMANDS : [])];
  if (known.includes(first)) return null;
  const near = nearName(first, known);
  return near === null ? null : `${program} has no subcommand "${first}" (did you mean "${near}"?)`;
}

/** Facts about the flags of some programs. */
interface KnownFlags {
  /** "rm", "git push", "rm or del". */
  readonly subject: string;
  readonly meanings: readonly string[];
  /** Every way to write a flag, with its hyphens, and its meanings. */
  readonly spellings: ReadonlyMap<string, readonly string[]>;
}

/** The flags of programs, and of their named subcommands; null if a program is not in the table. */
export function knownFlags(programs: readonly string[], subcommands: readonly string[]): KnownFlags | null {
  const facts = programs.flatMap(
    (program): readonly (Program | null)[] => factsOf(program.toLowerCase(), subcommands) ?? [null],
  );
  if (facts.length === 0 || facts.some((one) => one === null)) return null;
  const all = facts.flatMap((one) => (one ? [one] : []));
  const spellings = new Map<string, readonly string[]>();
  for (const { long = "", short = "", flags = {} } of all) {
    for (const word of long.split(" ")) spellings.set(`--${word}`, []).set(`-${word}`, []);
    for (const letter of short) spellings.set(`-${letter}`, []);
    for (const [meaning, names] of Object.entries(flags))
      for (const one of names.split(" ")) spellings.set(one, [...(spellings.get(one) ?? []), meaning]);
  }
  const isOne = programs.length === 1 && subcommands.length === 1;
  const subject = isOne ? `${programs[0]} ${subcommands[0]}` : orList(programs);
  const meanings = [...new Set(all.flatMap((one) => Object.keys(one.flags ?? {})))];
  return { subject, meanings, spellings };
}

function factsOf(program: string, subcommands: readonly string[]): readonly Program[] | null {
  const facts = Object.hasOwn(PROGRAMS, program) ? PROGRAMS[program] : undefined;
  if (!facts) return null;
  if (!facts.subcommands) return [facts];
  const firsts = subcommands.map((one) => one.split(" ")[0] ?? "");
  if (firsts.some(isPattern)) return null;
  const named = firsts.flatMap((one) => facts.subcommands?.[one] ?? []);
  return [facts, ...(firsts.length === 0 ? Object.values(facts.subcommands) : named)];
}

function orList(names: readonly string[]): string {
  if (names.length > 3) return "these programs";
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;
}

/** The reason why no command has such a flag; null if one may have it. */
export function flagProblem(written: string, known: KnownFlags | null): string | null {
  const { subject = "this program", meanings = [], spellings = new Map<string, readonly string[]>() } = known ?? {};
  const word = written.replace(/^-+/, "");
  if (word === "") return "must name a flag";
  const isKnown = [written, `--${word}`, `-${word}`].some((one) => spellings.has(one));
  if (isKnown || meanings.includes(word)) return null;
  if (word.includes("=")) return `is written without its value: "${word.split("=")[0]}"`;
  const isCluster = /^-[A-Za-z]{2,}$/.test(written) || (/^[A-Za-z]{2,3}$/.test(written) && isSpelled(word, spellings));
  if (isCluster)
    return `flags of one letter are read one by one: write [${[...new Set(word)].join(", ")}]${meaningsOf(word, spellings)}`;
  if (written.startsWith("-") || !known || meanings.length === 0) return null;
  const near = word.length < 4 ? undefined : nearestWord(word, meanings);
  if (near === undefined && !word.includes("_")) return null;
  const meant = near === undefined ? "" : ` (did you mean "${near}"?)`;
  return `${subject} has no flag with the meaning "${word}"${meant}. Known: ${meanings.join(", ")}. With its hyphens a flag is taken as it is written`;
}

type Spellings = KnownFlags["spellings"];

const isSpelled = (letters: string, spellings: Spellings): boolean =>
  [...letters].every((letter) => spellings.has(`-${letter}`));

function meaningsOf(letters: string, spellings: Spellings): string {
  const meanings = [...new Set([...letters].flatMap((letter) => spellings.get(`-${letter}`) ?? []))];
  return meanings.length === 0 ? "" : `, or by meaning [${meanings.join(", ")}]`;
}
