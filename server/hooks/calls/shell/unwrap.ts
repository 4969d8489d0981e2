/** The commands that a command launches, found from its words. Pure. */
import { GIT_COMMANDS, LAUNCHERS, type Launcher, TEXT_OPTIONS } from "./launchers.ts";
import { type ReadOption, readLeading, readWords, wordsOf } from "./options.ts";
import { constantWord, type ShellWord } from "./word.ts";

/** Another command: as words, or as a text that a shell reads. */
export type Launched =
  | {
      readonly words: readonly ShellWord[];
      /** The position of arguments from the standard input: after the others, or instead of a text. */
      readonly input?: "behind" | { readonly inPlaceOf: string };
    }
  | { readonly script: string };

export function launchedBy(program: string, args: readonly ShellWord[]): Launched[] {
  const optional = [...textsOf(program, args), ...moduleOf(program, args)];
  if (program === "find") return foundBy(args);
  if (program === "git") return [...optional, ...gitTexts(args)];
  const launcher = Object.hasOwn(LAUNCHERS, program) ? LAUNCHERS[program] : undefined;
  return launcher ? [...optional, ...launch(launcher, args)] : optional;
}

function launch(launcher: Launcher, args: readonly ShellWord[]): Launched[] {
  const { after, subcommands } = launcher;
  const texts = launcher.textOptions?.split(" ") ?? [];
  const { options } = texts.length > 0 ? readWords(args, launcher) : { options: [] };
  const scripts = options.flatMap(({ name, value }) =>
    value && texts.includes(name.replace(/^-+/, "")) ? [value] : [],
  );
  const { end } = readLeading(args, launcher);
  if (scripts.length > 0) {
    // The rest of the words follows the text of `env -S`.
    const rest = launcher.hasAssignments ? args.slice(end).map(({ script }) => script) : [];
    return scripts.map(({ script }) => ({ script: [script, ...rest].join(" ") }));
  }
  if (after) return behind(after, args, launcher);
  if (subcommands) {
    const [name, ...rest] = args.slice(end);
    const chosen = subcommands[name?.values[0] ?? ""];
    return chosen ? launch(chosen, rest) : [];
  }
  const start = launcher.hasAssignments ? pastAssignments(args, end, launcher) : end;
  const words = onThisMachine(launcher, args, args.slice(start + (launcher.operands ?? 0)));
  const inPlaceOf = launcher.addsArguments && placeholderIn(readLeading(args, launcher).options);
  if (inPlaceOf && words.length > 0) return [{ words, input: { inPlaceOf } }];
  return words.length === 0 || launcher.operands === Number.POSITIVE_INFINITY
    ? []
    : [asLaunched(words, launcher)].flat();
}

/** Maps paths below a mount to this machine: `docker run -v /:/host image rm -rf /host` removes the root. */
function onThisMachine({ mounts, ...launcher }: Launcher, args: readonly ShellWord[], words: readonly ShellWord[]) {
  if (mounts === undefined) return words;
  const places = readLeading(args, launcher).options.flatMap(({ name, value }) =>
    value && wordsOf(mounts).has(name) ? mountOf(value.values[0]) : [],
  );
  if (places.length === 0) return words;
  return words.map((word) => {
    const [text] = word.values;
    const mount = places.find(({ place }) => text === place || text.startsWith(`${place}/`));
    if (!mount || !word.isKnown) return word;
    return constantWord(`${mount.folder}${text.slice(mount.place.length)}`.replace(/^\/\//, "/") || "/", word.source);
  });
}

/** `FOLDER:PLACE[:ro]`, or `type=bind,source=FOLDER,target=PLACE`. A named volume is not a folder of this machine. */
function mountOf(text: string): { readonly folder: string; readonly place: string }[] {
  const [, source = ""] = /(?:^|,)(?:source|src)=([^,]*)/.exec(text) ?? [];
  const [, target = ""] = /(?:^|,)(?:target|destination|dst)=([^,]*)/.exec(text) ?? [];
  const [folder = "", place = ""] = source && target ? [source, target] : text.split(":");
  return /^[/~.]/.test(folder) && place.startsWith("/") ? [{ folder, place: place.replace(/\/+$/, "") || "/" }] : [];
}

/** The text that `xargs -I TEXT` replaces. */
function placeholderIn(options: readonly ReadOption[]): string | null {
  const option = options.find(({ name }) => name === "-I" || name === "-i" || name === "--replace");
  return option ? option.value?.values[0] || "{}" : null;
}

/** `env A=1 -u B program`: assignments and options in any order. */
function pastAssignments(args: readonly ShellWord[], from: number, launcher: Launcher): number {
  let at = from;
  while (at < args.length) {
    if (/^[A-Za-z_]\w*=/.test(args[at]?.values[0] ?? "")) at += 1;
    else {
      const { end } = readLeading(args.slice(at), launcher);
      if (end === 0) return at;
      at += end;
    }
  }
  return at;
}

function asLaunched(words: readonly ShellWord[], { isText, isTexts, addsArguments }: Launcher): Launched | Launched[] {
  if (isTexts) return words.map(({ script }) => ({ script }));
  const cut = words.findIndex(({ values: [value] }) => /^:::+$/.test(value));
  const used = cut === -1 ? words : [...words.slice(0, cut), ...words.slice(cut + 1)];
  if (isText) return { script: used.map(({ script }) => script).join(" ") };
  return { words: used, ...(addsArguments && { input: "behind" }) };
}

function behind(marks: readonly string[], args: readonly ShellWord[], launcher: Launcher): Launched[] {
  const at = args.findIndex(({ values: [value] }) => marks.includes(value));
  const words = at === -1 ? [] : args.slice(at + 1);
  return words.length === 0 ? [] : [asLaunched(words, launcher)].flat();
}

const EXECS: ReadonlySet<string> = new Set(["-exec", "-execdir", "-ok", "-okdir"]);
const NAME_TESTS: ReadonlySet<string> = new Set([
  "-name",
  "-iname",
  "-path",
  "-ipath",
  "-wholename",
  "-regex",
  "-iregex",
  "-lname",
]);
const OTHER_TESTS = /^-(?:[acm](?:min|time)|newer\w*|size|empty|user|group|perm|uid|gid|inum|links|maxdepth)$/;

/** The files that `find` finds: its roots, or a pattern below them if it tests names. */
export function foundPaths(args: readonly ShellWord[]): ShellWord[] {
  const first = args.findIndex(({ values: [value] }) => /^[-(!]/.test(value) && !/^-[HLPDO]/.test(value));
  const tests = first === -1 ? [] : args.slice(first);
  const given = (first === -1 ? args : args.slice(0, first)).filter(({ values: [value] }) => !value.startsWith("-"));
  const roots = given.length > 0 ? given : [constantWord(".")];
  const filter = filterOf(tests.map(({ values: [value] }) => value));
  if (filter === null) return roots;
  return roots.map((root) => {
    const below = `${root.values[0].replace(/\/+$/, "")}/${filter}`;
    return { ...root, values: [below], prefix: root.isKnown ? below : root.prefix, script: below };
  });
}

/** A pattern for the matching files; null if every file matches. Tests other than names count only below the roots. */
function filterOf(tests: readonly string[]): string | null {
  let isTested = false;
  for (const [index, test] of tests.entries()) {
    if (EXECS.has(test)) break;
    const isNegated = tests[index - 1] === "!" || tests[index - 1] === "-not";
    if (isNegated) continue;
    const name = tests[index + 1] ?? "";
    if (NAME_TESTS.has(test) && /[^*?./]/.test(name)) return `**/${name.slice(name.lastIndexOf("/") + 1)}`;
    isTested ||= OTHER_TESTS.test(test);
  }
  return isTested ? "**/(some)" : null;
}

function foundBy(args: readonly ShellWord[]): Launched[] {
  const launched: Launched[] = [];
  const found = foundPaths(args);
  for (const [
    at,
    {
      values: [value],
    },
  ] of args.entries()) {
    if (value === "-delete") launched.push({ words: [constantWord("rm"), constantWord("-r"), ...found] });
    if (!EXECS.has(value)) continue;
    const rest = args.slice(at + 1);
    const end = rest.findIndex((word) => word.values[0] === ";" || word.values[0] === "+");
    const words = (end === -1 ? rest : rest.slice(0, end)).flatMap((word) =>
      word.values[0] === "{}" ? found : [filled(word, found[0]?.values[0] ?? ".")],
    );
    if (words.length > 0) launched.push({ words });
  }
  return launched;
}

const filled = (word: ShellWord, path: string): ShellWord =>
  word.script.includes("{}") ? { ...constantWord(word.values[0].replaceAll("{}", path)), source: word.source } : word;

/** `python -m pip install x` runs `pip install x`. */
function moduleOf(program: string, args: readonly ShellWord[]): Launched[] {
  if (!/^(?:python|pypy)[\d.]*$/.test(program)) return [];
  const at = args.findIndex(({ values: [value] }) => value === "-m");
  const words = at === -1 ? [] : args.slice(at + 1);
  return words.length === 0 ? [] : [{ words }];
}

/** The option values that a shell reads. */
function textsOf(program: string, args: readonly ShellWord[]): Launched[] {
  const known = TEXT_OPTION_VALUES.get(program);
  if (!known || !args.some(({ values: [value] }) => value.startsWith("-"))) return [];
  return readWords(args, known.values).options.flatMap(({ name, value }) =>
    value && known.names.includes(name) ? [{ script: commandIn(value.script) }] : [],
  );
}

const TEXT_OPTION_VALUES = new Map(
  Object.entries(TEXT_OPTIONS).map(([program, names]) => {
    const short = names.flatMap((name) => (/^-\w$/.test(name) ? [name.slice(1)] : [])).join("");
    const long = names.flatMap((name) => (name.startsWith("--") ? [name.slice(2)] : [])).join(" ");
    return [program, { names, values: { short, long } }] as const;
  }),
);

/** Removes `exec=`, `:!` and `!` before a command in another program's language. */
const commandIn = (text: string): string => text.replace(/^(?:exec=|:*!|system:)/, "");

const FOREACH: ReadonlySet<string> = new Set(["foreach", "run"]);

function gitTexts(args: readonly ShellWord[]): Launched[] {
  const { options, end } = readLeading(args, { short: "cC", long: "git-dir work-tree namespace config-env exec-path" });
  const settings = options.flatMap(({ name, value }: ReadOption) => (name === "-c" && value ? [value.script] : []));
  const [subcommand, ...rest] = args.slice(end);
  if (subcommand?.values[0] === "config") {
    const [key, value] = readWords(rest, { short: "ft", long: "file type" }).operands.filter(
      ({ values: [text] }) => text !== "set",
    );
    if (key && value) settings.push(`${key.values[0]}=${value.script}`);
  }
  const launched = settings.flatMap((setting) => {
    const equals = setting.indexOf("=");
    const [key, value] = [setting.slice(0, equals), setting.slice(equals + 1)];
    if (!GIT_COMMANDS.test(key) || value === "") return [];
    const isShell = value.startsWith("!");
    if (/^alias\./i.test(key)) return [{ script: isShell ? value.slice(1) : `git ${value}` }];
    return [{ script: isShell ? value.slice(1) : value }];
  });
  const [act, ...words] = rest;
  const isRun =
    (subcommand?.values[0] === "submodule" || subcommand?.values[0] === "bisect") && FOREACH.has(act?.values[0] ?? "");
  if (isRun && words.length > 0) launched.push({ script: words.map(({ script }) => script).join(" ") });
  return launched;
}
