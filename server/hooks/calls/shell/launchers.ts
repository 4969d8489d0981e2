/**
 * Programs that run another program, and the position of that program's words. One table for every reader of commands. Options
 * with a value are listed, so that a value is not read as the program. Source: the manuals of GNU coreutils, util-linux,
 * findutils, sudo, OpenSSH, docker, kubectl, BusyBox.
 */

export interface Launcher {
  /** Short options whose value may be the next word. */
  readonly short?: string;
  /** Long options whose value may be the next word, without hyphens. */
  readonly long?: string;
  /** Words between the options and the program. */
  readonly operands?: number;
  /** `NAME=VALUE` words before the program. */
  readonly hasAssignments?: true;
  /** Options with `FOLDER:PLACE`: the folder of this machine is mounted there for the launched program. */
  readonly mounts?: string;
  /** The words are joined, and a shell reads the result. */
  readonly isText?: true;
  /** Options whose value a shell reads, such as `-c`. */
  readonly textOptions?: string;
  /** Each operand is a separate text that a shell reads. */
  readonly isTexts?: true;
  /** Arguments from another source are added to the written ones. */
  readonly addsArguments?: true;
  /** The program follows one of these words. Without such a word, nothing is launched. */
  readonly after?: readonly string[];
  /** The first operand selects the action. Only these actions launch a program. */
  readonly subcommands?: Readonly<Record<string, Launcher>>;
}

const PLAIN: Launcher = {};
/** `NAME run PROGRAM`, `NAME exec PROGRAM` and the like. */
const by = (words: string, launcher: Launcher = PLAIN): Launcher => ({
  subcommands: Object.fromEntries(words.split(" ").map((word) => [word, launcher])),
});
const AFTER_HYPHENS: Launcher = { after: ["--"] };
const inContainer = (operands: number, short: string, long: string): Launcher => ({ short, long, operands });

const DOCKER_RUN_LONG =
  "add-host annotation attach blkio-weight cap-add cap-drop cgroup-parent cidfile cpu-period cpu-quota cpu-shares cpus cpuset-cpus device dns entrypoint env env-file expose gpus group-add health-cmd hostname ip ipc isolation label link log-driver log-opt mac-address memory mount name network network-alias pid platform publish pull restart runtime security-opt shm-size stop-signal stop-timeout storage-opt sysctl tmpfs ulimit user userns uts volume volume-driver volumes-from workdir";
const RUN: Launcher = { ...inContainer(1, "acehlmpuvw", DOCKER_RUN_LONG), mounts: "-v --volume --mount" };
const EXEC = inContainer(1, "ewu", "detach-keys env env-file user workdir");
const DOCKER: Launcher = {
  short: "HcDl",
  long: "config context host log-level tlscacert tlscert tlskey",
  subcommands: {
    run: RUN,
    create: RUN,
    exec: EXEC,
    container: { subcommands: { run: RUN, create: RUN, exec: EXEC } },
    compose: {
      short: "fp",
      long: "file profile project-name project-directory env-file ansi progress",
      subcommands: {
        exec: inContainer(1, "euw", "env index user workdir"),
        run: inContainer(1, "elpuvw", "env entrypoint label name publish user volume workdir"),
      },
    },
  },
};

export const LAUNCHERS: Readonly<Record<string, Launcher>> = {
  sudo: {
    short: "CDghpRrTtUu",
    long: "chdir chroot close-from command-timeout group host other-user prompt role type user",
    hasAssignments: true,
  },
  doas: { short: "Cu" },
  pkexec: { long: "user" },
  gosu: { operands: 1 },
  "su-exec": { operands: 1 },
  su: {
    short: "cgGsw",
    long: "command group supp-group shell whitelist-environment",
    textOptions: "c command session-command",
    operands: Number.POSITIVE_INFINITY,
  },
  runuser: { short: "cgGsuw", long: "command group supp-group shell user", textOptions: "c command session-command" },
  env: { short: "CSu", long: "chdir split-string unset argv0", hasAssignments: true, textOptions: "S split-string" },
  command: PLAIN,
  builtin: PLAIN,
  exec: { short: "a" },
  noglob: PLAIN,
  nocorrect: PLAIN,
  "-": PLAIN,
  nohup: PLAIN,
  time: { short: "fo", long: "format output" },
  timeout: { short: "ks", long: "kill-after signal", operands: 1 },
  gtimeout: { short: "ks", long: "kill-after signal", operands: 1 },
  nice: { short: "n", long: "adjustment" },
  ionice: { short: "cnpPu", long: "class classdata pid pgid uid" },
  chrt: { short: "TPD", long: "sched-runtime sched-deadline sched-period", operands: 1 },
  taskset: { operands: 1 },
  numactl: { short: "mNCi", long: "membind cpunodebind physcpubind interleave preferred" },
  setsid: PLAIN,
  stdbuf: { short: "ioe", long: "input output error" },
  unbuffer: PLAIN,
  chroot: { long: "groups userspec", operands: 1 },
  flock: { short: "cEw", long: "command conflict-exit-code timeout wait", operands: 1, textOptions: "c command" },
  "systemd-run": {
    short: "EGHMpu",
    long: "unit property setenv machine host description slice uid gid nice working-directory on-active on-boot on-calendar service-type",
  },
  "systemd-inhibit": { long: "what who why mode" },
  caffeinate: { short: "tw" },
  unshare: { short: "GRSw", long: "root wd setuid setgid propagation map-user map-group" },
  nsenter: { short: "GrStw", long: "target wd wdns setuid setgid root" },
  setarch: { operands: 1 },
  linux32: PLAIN,
  linux64: PLAIN,
  fakeroot: { short: "ilsub", long: "lib faked" },
  proot: { short: "bmrwq", long: "bind rootfs cwd" },
  firejail: PLAIN,
  npx: { short: "pc", long: "package call" },
  pnpx: PLAIN,
  bunx: PLAIN,
  uvx: { short: "p", long: "from with python" },
  pipx: { subcommands: { run: { long: "spec python" } } },
  strace: { short: "abeEIoOpPsSuUX", long: "attach trace output string-limit user" },
  ltrace: { short: "aeFlnopsSuwx" },
  script: { short: "cEIoOBmTt", textOptions: "c command" },
  xargs: {
    short: "adEIiLlnPRsS",
    long: "arg-file delimiter max-args max-chars max-lines max-procs process-slot-var replace eof",
    addsArguments: true,
  },
  parallel: {
    short: "jPaNnLISC",
    long: "jobs arg-file max-args delay retries timeout joblog results sshlogin tagstring workdir colsep",
    isText: true,
    addsArguments: true,
  },
  watch: { short: "nqd", long: "interval", isText: true },
  hyperfine: {
    short: "wmMrpcsSNuL",
    long: "warmup min-runs max-runs runs prepare setup cleanup shell parameter-list export-json export-markdown command-name",
    isTexts: true,
  },
  entr: PLAIN,
  rlwrap: { short: "abCDfgHlmMPqstvwz" },
  torify: PLAIN,
  torsocks: PLAIN,
  proxychains: { short: "f" },
  proxychains4: { short: "f" },
  "dbus-run-session": { long: "config-file dbus-daemon" },
  "xvfb-run": { short: "efnpsw", long: "error-file auth-file server-num server-args xauth-protocol wait" },
  valgrind: PLAIN,
  dotenv: { short: "efvcp", after: ["--"] },
  direnv: { subcommands: { exec: { operands: 1 } } },
  busybox: PLAIN,
  toybox: PLAIN,
  ssh: { short: "BbcDEeFIiJLlmOopQRSWw", operands: 1, isText: true },
  docker: DOCKER,
  podman: DOCKER,
  nerdctl: DOCKER,
  "docker-compose": DOCKER.subcommands?.compose ?? PLAIN,
  kubectl: {
    short: "ns",
    long: "namespace context kubeconfig cluster user server token as",
    subcommands: { exec: { short: "ncf", long: "namespace container filename", after: ["--"] } },
  },
  lxc: { subcommands: { exec: { operands: 1, long: "cwd env group user mode" } } },
  fd: { after: ["-x", "--exec", "-X", "--exec-batch"] },
  fdfind: { after: ["-x", "--exec", "-X", "--exec-batch"] },
  wsl: { short: "du", long: "distribution user cd exec" },
  at: PLAIN,
  tmux: {
    short: "Lfs",
    subcommands: {
      "new-session": { short: "csntxy", isText: true },
      new: { short: "csntxy", isText: true },
      "new-window": { short: "cnt", isText: true },
      "split-window": { short: "clt", isText: true },
      "send-keys": { short: "t", isTexts: true },
    },
  },
  screen: { short: "cehprsStT" },
  uv: by("run", {
    short: "p",
    long: "with with-editable with-requirements python package group extra env-file directory project index-url",
  }),
  poetry: by("run"),
  pdm: by("run"),
  pipenv: by("run"),
  hatch: by("run"),
  rye: by("run"),
  bundle: by("exec"),
  npm: by("exec x", { short: "cw", long: "package call workspace" }),
  pnpm: by("exec dlx", { long: "package" }),
  yarn: by("exec dlx", { short: "p", long: "package" }),
  bun: by("x"),
  conda: by("run", { short: "np", long: "name prefix cwd" }),
  mamba: by("run", { short: "np", long: "name prefix cwd" }),
  micromamba: by("run", { short: "np", long: "name prefix cwd" }),
  devbox: by("run"),
  mise: by("exec x", AFTER_HYPHENS),
  asdf: by("exec"),
  rbenv: by("exec"),
  pyenv: by("exec"),
  nix: { after: ["-c", "--command", "--"] },
  op: by("run", AFTER_HYPHENS),
  doppler: by("run", AFTER_HYPHENS),
  infisical: by("run", AFTER_HYPHENS),
  "aws-vault": by("exec", AFTER_HYPHENS),
  chamber: by("exec", AFTER_HYPHENS),
  sops: by("exec-env exec-file", { operands: 1, isText: true }),
  heroku: by("run", { short: "ar", long: "app remote size type" }),
  railway: by("run"),
  limactl: by("shell", { operands: 1, long: "workdir shell" }),
  multipass: by("exec", AFTER_HYPHENS),
  distrobox: by("enter", AFTER_HYPHENS),
  toolbox: by("run", { short: "cdr", long: "container distro release" }),
  machinectl: by("shell", { operands: 1 }),
  adb: { short: "stHP", subcommands: { shell: { isText: true } } },
  perf: by("stat record trace", { short: "eopFCr", long: "event output pid freq repeat" }),
  gdb: { after: ["--args"] },
  lldb: AFTER_HYPHENS,
  arch: PLAIN,
  chpst: { short: "uUbe/nlmdocrtP" },
  setuidgid: { operands: 1 },
  "s6-setuidgid": { operands: 1 },
  setpriv: { long: "reuid regid groups" },
  runcon: { short: "utrl", long: "user type role range" },
  "sandbox-exec": { short: "fnpD" },
  "flatpak-spawn": { long: "directory env forward-fd" },
  faketime: { short: "fp", operands: 1 },
  cpulimit: { short: "lpe", long: "limit pid exe" },
  tini: { short: "pe" },
  "dumb-init": PLAIN,
  mpirun: { short: "n", long: "np host hostfile map-by bind-to" },
  srun: { short: "nNptcJAw", long: "ntasks nodes partition time cpus-per-task job-name account mem gres" },
};

/** Environment variables whose value another program executes. */
export const COMMAND_VARIABLES: ReadonlySet<string> = new Set(
  "PROMPT_COMMAND GIT_SSH_COMMAND GIT_EDITOR GIT_SEQUENCE_EDITOR GIT_PAGER GIT_EXTERNAL_DIFF GIT_ASKPASS SSH_ASKPASS SUDO_ASKPASS EDITOR VISUAL PAGER MANPAGER BROWSER LESSOPEN RSYNC_RSH".split(
    " ",
  ),
);

/** Other programs with options or settings whose value a shell reads or runs. */
export const TEXT_OPTIONS: Readonly<Record<string, readonly string[]>> = {
  git: [
    "-x",
    "--exec",
    "--tree-filter",
    "--index-filter",
    "--msg-filter",
    "--env-filter",
    "--commit-filter",
    "--upload-pack",
    "--receive-pack",
  ],
  tar: ["-I", "--use-compress-program", "--to-command", "--checkpoint-action", "--rsh-command"],
  rsync: ["-e", "--rsh"],
  "nix-shell": ["--run", "--command"],
  gcloud: ["--command"],
  sbatch: ["--wrap"],
  flyctl: ["-C", "--command"],
  fly: ["-C", "--command"],
  vagrant: ["-c", "--command"],

  scp: ["-S"],
  sftp: ["-S"],
  man: ["-P", "--pager"],
  nc: ["-e", "-c"],
  ncat: ["-e", "-c", "--exec", "--sh-exec"],
  netcat: ["-e", "-c"],
  npm: ["-c", "--call"],
  npx: ["-c", "--call"],
  vim: ["-c", "--cmd"],
  vi: ["-c", "--cmd"],
  nvim: ["-c", "--cmd"],
  ex: ["-c"],
};
/** Settings of git whose value is a command. */
export const GIT_COMMANDS =
  /^(?:alias\..+|core\.(?:pager|editor|sshcommand|fsmonitor|askpass|gitproxy)|sequence\.editor|diff\.external|.*\.(?:helper|cmd|textconv|clean|smudge|process|driver)|gpg\.program|gpg\..+\.program)$/i;

/** Shells: the text after `-c`, a file, or the standard input. */
export const SHELLS: ReadonlySet<string> = new Set(
  "sh bash dash zsh ksh mksh ash fish rbash pdksh yash tcsh csh".split(" "),
);
/** Options of shells whose value is the next word. */
export const SHELL_VALUE_OPTIONS = /^(?:[-+][a-zA-Z]*[oO]|--rcfile|--init-file)$/;

/** Interpreters of other languages, with the options that precede code. */
export const INTERPRETERS: Readonly<Record<string, readonly string[]>> = {
  python: ["-c"],
  pypy: ["-c"],
  perl: ["-e", "-E"],
  ruby: ["-e"],
  node: ["-e", "--eval", "-p", "--print"],
  nodejs: ["-e", "--eval", "-p", "--print"],
  bun: ["-e", "--eval", "-p", "--print"],
  deno: ["eval"],
  php: ["-r", "-R", "-B", "-E"],
  lua: ["-e"],
  tclsh: [],
  expect: ["-c"],
  osascript: ["-e"],
  rscript: ["-e"],
  julia: ["-e"],
  groovy: ["-e"],
  scala: ["-e"],
  swift: ["-e"],
  awk: [],
  gawk: [],
  mawk: [],
  nawk: [],
};
/** `python3.12` is `python`. */
export const interpreterOf = (program: string): string =>
  program.replace(/(?<=^(?:python|pypy|perl|ruby|lua|php|node))[\d.]+$/, "");
