/**
 * The options of programs: options with a value, flags with the same meaning, and the access to files among the operands. One
 * table for every reader. Source: the programs' manuals.
 */
import { GIT } from "./programs/git.ts";
import { NETWORK_PROGRAMS } from "./programs/network.ts";
import { PLATFORM_PROGRAMS } from "./programs/platforms.ts";
import { FORCE, type Program, RECURSIVE, WRITE } from "./programs/program.ts";
import { WINDOWS_PROGRAMS } from "./programs/windows.ts";
import { LAUNCHERS, SHELLS } from "./shell/launchers.ts";

export type { Program };

export const PROGRAMS: Readonly<Record<string, Program>> = {
  git: GIT,
  ...NETWORK_PROGRAMS,
  ...PLATFORM_PROGRAMS,
  ...WINDOWS_PROGRAMS,
  rm: {
    operands: "delete",
    flags: {
      recursive: RECURSIVE,
      force: FORCE,
      interactive: "-i -I --interactive",
      no_preserve_root: "--no-preserve-root",
      verbose: "-v --verbose",
      dir: "-d --dir",
    },
  },
  rmdir: { operands: "delete", flags: { recursive: "/s" } },
  unlink: { operands: "delete" },
  shred: {
    short: "ns",
    long: "iterations size random-source",
    operands: "delete",
    flags: { force: FORCE, remove: "-u --remove" },
  },
  srm: { operands: "delete", flags: { recursive: RECURSIVE, force: FORCE } },
  trash: { operands: "delete" },
  mv: {
    short: "tS",
    long: "target-directory suffix",
    operands: "move",
    flags: { force: FORCE },
    files: { "-t": "write", "--target-directory": "write" },
  },
  cp: {
    short: "tS",
    long: "target-directory suffix",
    operands: "copy",
    flags: { recursive: `${RECURSIVE} -a --archive`, force: FORCE },
    files: { "-t": "write", "--target-directory": "write" },
  },
  install: {
    short: "gmotS",
    long: "group mode owner target-directory suffix",
    operands: "copy",
    files: { "-t": "write", "--target-directory": "write" },
  },
  ln: { short: "tS", operands: "link", flags: { force: FORCE, symbolic: "-s --symbolic" } },
  dd: { operands: "assignments" },
  tee: { operands: "write", flags: { append: "-a --append" } },
  sponge: WRITE,
  truncate: { short: "srx", long: "size reference", operands: "write" },
  touch: { short: "drt", operands: "write" },
  mkdir: { short: "m", long: "mode", operands: "write", flags: { parents: "-p --parents" } },
  mkfifo: WRITE,
  mknod: WRITE,
  mktemp: { operands: "none" },
  chmod: { operands: "write", flags: { recursive: RECURSIVE } },
  chown: { operands: "write", flags: { recursive: RECURSIVE } },
  chgrp: { operands: "write", flags: { recursive: RECURSIVE } },
  chattr: { operands: "write", flags: { recursive: "-R" } },
  setfacl: { short: "mxMX", operands: "write", flags: { recursive: "-R --recursive" } },
  sed: {
    short: "ef",
    long: "expression file",
    operands: "pattern",
    writesWith: "-i --in-place -i.bak",
    flags: { in_place: "-i --in-place" },
  },
  perl: { short: "eEIMm", operands: "read", writesWith: "-i", flags: { in_place: "-i" } },
  awk: { short: "vfF", operands: "pattern" },
  gawk: { short: "vfFi", operands: "pattern" },
  grep: {
    short: "efmABCD",
    long: "regexp file max-count after-context before-context context include exclude exclude-dir exclude-from color",
    operands: "pattern",
    flags: { recursive: "-r -R --recursive" },
    files: { "-f": "read" },
  },
  egrep: { short: "efmABC", operands: "pattern" },
  fgrep: { short: "efmABC", operands: "pattern" },
  zgrep: { short: "efmABC", operands: "pattern" },
  rg: {
    short: "efgmtTABCMjr",
    long: "regexp file glob max-count type type-not after-context before-context context max-columns threads replace sort",
    operands: "pattern",
  },
  ag: { operands: "pattern" },
  jq: { short: "fL", long: "arg argjson slurpfile rawfile from-file indent", operands: "pattern" },
  yq: { operands: "pattern", writesWith: "-i --inplace" },
  find: { operands: "none" },
  eval: { operands: "none" },
  trap: { operands: "none" },
  alias: { operands: "none" },
  python: { short: "cmWX" },
  node: { short: "epr", long: "eval print require import" },
  ruby: { short: "eIr" },
  php: { short: "rdfBRE" },
  lua: { short: "el" },
  osascript: { short: "el" },
  script: { short: "cEIoOBmTt", operands: "write" },
  tar: {
    short: "fCTXIbgVHL",
    long: "file directory files-from exclude-from exclude use-compress-program transform",
    operands: "read",
    files: { "-f": "write", "--file": "write", "-C": "write", "--directory": "write", "-T": "read" },
    flags: { extract: "-x --extract --get", create: "-c --create" },
    // Members are named, and written.
    writesWith: "-x --extract --get",
    hasBareOptions: true,
  },
  zip: { operands: "copy" },
  unzip: { short: "dxP", operands: "write", files: { "-d": "write" } },
  "7z": { operands: "none" },
  gzip: WRITE,
  systemctl: {
    short: "HMnost",
    long: "host machine lines output state type",
    operands: "none",
    flags: { force: FORCE, now: "--now" },
  },
  shutdown: { operands: "none", flags: { cancel: "-c", halt: "-h -H", reboot: "-r" } },
  kill: { short: "sn", operands: "none" },
  mkfs: WRITE,
  wipefs: { operands: "write", flags: { all: "-a --all", force: FORCE } },
  fdisk: { operands: "write", flags: { list: "-l --list" } },
  sfdisk: WRITE,
  parted: { operands: "write", flags: { list: "-l --list" } },
  sgdisk: WRITE,
  blkdiscard: { operands: "write", flags: { force: FORCE } },
  hdparm: WRITE,
  mount: { short: "oLUt", operands: "none" },
  echo: { operands: "none" },
  printf: { operands: "none" },
  test: { operands: "none" },
  "[": { operands: "none" },
  cd: { operands: "none" },
  export: { operands: "none" },
  set: { operands: "none" },
  ls: { operands: "none" },
  pwd: { operands: "none" },
  stat: { operands: "none" },
  du: { operands: "none" },
  tree: { operands: "none" },
  which: { operands: "none" },
  sleep: { operands: "none" },
  seq: { operands: "none" },
  xargs: { operands: "none" },
  source: { operands: "execute" },
  ".": { operands: "execute" },
  make: { short: "CfIjo", long: "directory file jobs", operands: "none" },
  vim: WRITE,
  vi: WRITE,
  nvim: WRITE,
  nano: WRITE,
  emacs: WRITE,
  ed: WRITE,
  ex: WRITE,
  code: WRITE,
  patch: { short: "ipdDFoBr", operands: "write", files: { "-i": "read", "-o": "write" } },
  split: { operands: "none" },
  openssl: {
    operands: "none",
    long: "in out key inkey",
    files: { "-in": "read", "-out": "write", "-key": "read", "-inkey": "read" },
  },
  gpg: {
    short: "oru",
    operands: "read",
    files: { "-o": "write" },
    long: "output recipient local-user",
    flags: { export_secret: "--export-secret-keys --export-secret-subkeys" },
  },
};

/** `pip3.12` means `pip`, `mkfs.ext4` means `mkfs`. */
const SAME: readonly (readonly [RegExp, string])[] = [
  [/^pip[\d.]*$/, "pip"],
  [/^mkfs\..+$|^mke2fs$|^newfs.*$/, "mkfs"],
  [/^docker-compose$/, "docker"],
  [/^perl[\d.]+$/, "perl"],
  [/^python[\d.]+$/, "python"],
  [/^g(?:rm|cp|mv|chmod|chown|sed|dd|tee|find|shred|tar|grep)$/, ""],
];
/** PowerShell's and cmd's names. */
const ALIASES: Readonly<Record<string, string>> = {
  ri: "remove-item",
  rd: "remove-item",
  erase: "del",
  gc: "get-content",
  clc: "clear-content",
  ac: "add-content",
  mi: "move-item",
  ci: "copy-item",
  iwr: "invoke-webrequest",
  irm: "invoke-restmethod",
  iex: "eval",
  "invoke-expression": "eval",
  sc: "set-content",
};

/** The name of a program in the table and in rules. */
export function canonicalProgram(program: string): string {
  if (Object.hasOwn(PROGRAMS, program)) return program;
  const same = SAME.find(([pattern]) => pattern.test(program));
  if (same) return same[1] === "" ? program.slice(1) : same[1];
  return Object.hasOwn(ALIASES, program) ? (ALIASES[program] ?? program) : program;
}

/** True for Windows programs, where a backslash is not an escape. */
export const isWindowsProgram = (program: string): boolean =>
  program === "rmdir" || program === "format" || Object.hasOwn(WINDOWS_PROGRAMS, program);

/** A launcher itself uses no file; the launched program does. */
const LAUNCHES: Program = { operands: "none" };

export function programFacts(program: string): Program {
  if (Object.hasOwn(PROGRAMS, program)) return PROGRAMS[program] ?? {};
  if (SHELLS.has(program)) return SHELL;
  return Object.hasOwn(LAUNCHERS, program) ? LAUNCHES : {};
}

const SHELL: Program = { short: "coO", long: "rcfile init-file", operands: "execute" };
