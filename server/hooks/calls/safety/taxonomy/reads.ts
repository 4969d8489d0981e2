/**
 * Commands known to only read. They may disclose data: this list is about damage. In a pattern, `<anything>` is one word that is
 * not a flag, `-<flags>` one flag, and a final `...` any words. Three words are more specific: `<number>` is digits, `<read-path>`
 * a literal path, `<sed-print>` the lines that sed prints.
 */
export interface ReadRow {
  readonly category: string;
  readonly pattern: string;
  /** Flags that write or run something. With one of them, the command is not a known read. */
  readonly refuses?: readonly string[];
}

function createReadRows(category: string, ...patterns: readonly string[]): readonly ReadRow[] {
  return patterns.map((pattern) => ({ category, pattern }));
}

/** The taxonomy 0.2. */
export const READ_ROWS: readonly ReadRow[] = [
  ...createReadRows("fs-read", "ls", "ls <path>", "ls -<flags>", "ls -<flags> <path>", "cat <file>"),
  ...createReadRows("fs-read", "head <file>", "head -n <n> <file>", "tail <file>", "tail -n <n> <file>", "pwd"),
  ...createReadRows("fs-read", "stat <file>", "file <file>", "wc <file>", "wc -l <file>"),
  ...createReadRows("fs-read", "df", "df -h", "du -sh <path>", "tree", "tree <path>"),
  ...createReadRows("text-read", "grep ...", "rg ...", "sort <file>", "uniq <file>"),
  ...createReadRows("proc-read", "ps", "ps -<flags>", "ps aux", "top -n 1", "whoami", "hostname"),
  ...createReadRows("proc-read", "uname", "uname -<flags>", "date", "env"),
  ...createReadRows("proc-read", "printenv", "printenv <var>", "which <cmd>", "type <cmd>"),
  ...createReadRows("git-read", "git status", "git status ...", "git diff", "git diff ...", "git log", "git log ..."),
  ...createReadRows("git-read", "git show", "git show ...", "git branch", "git remote", "git remote -v"),
  ...createReadRows("git-read", "git rev-parse ...", "git config --list", "git config --get <key>", "git blame <file>"),
  ...createReadRows("dk-read", "docker ps", "docker ps ...", "docker images", "docker images ..."),
  ...createReadRows("dk-read", "docker inspect <target>", "docker inspect ...", "docker logs <ctr>", "docker logs ..."),
  ...createReadRows("dk-read", "docker stats --no-stream", "docker top <ctr>"),
  ...createReadRows("dk-read", "docker version", "docker info", "docker system df"),
  ...createReadRows("k8s-read", "kubectl get ...", "kubectl describe ...", "kubectl logs ...", "kubectl top ..."),
  ...createReadRows("k8s-read", "kubectl version", "kubectl version ...", "kubectl config view"),
  ...createReadRows("io", "echo", "echo ...", "printf ...", "basename <path>", "dirname <path>"),
];

export const READS: readonly string[] = READ_ROWS.map(({ pattern }) => pattern);

const OPENS_BROWSER = ["--web", "-w", "--watch"];

/** The GitHub client with and without arguments. */
const GITHUB = [
  "pr view",
  "pr list",
  "pr diff",
  "pr checks",
  "pr status",
  "issue view",
  "issue list",
  "run view",
].flatMap((what): ReadRow[] => [
  { category: "gh-read", pattern: `gh ${what}` },
  { category: "gh-read", pattern: `gh ${what} ...`, refuses: OPENS_BROWSER },
]);

/** The rows that the taxonomy 0.4 adds. */
const NEWER_READ_ROWS: readonly ReadRow[] = [
  ...createReadRows("fs-read", "ls ...", "cat ...", "wc ..."),
  ...["head", "tail"].flatMap((name) => [
    ...createReadRows("fs-read", `${name} -<number>`, `${name} -<number> <read-path>`, `${name} -c <number>`),
    ...createReadRows("fs-read", `${name} -c <number> <read-path>`, `${name} -n <number>`),
  ]),
  ...createReadRows("fs-read", "tail -n +<number> <read-path>", "tail -c +<number> <read-path>"),
  ...createReadRows("text-read", "sed -n <sed-print> <read-path>", "sed -n <sed-print>"),
  ...createReadRows("git-read", "git branch --show-current", "git branch -a", "git branch -r", "git branch --all"),
  ...createReadRows("git-read", "git branch --remotes", "git branch --list", "git branch -v", "git branch -vv"),
  ...createReadRows("git-read", "git branch -avv", "git ls-files", "git ls-files ...", "git worktree list"),
  ...createReadRows("git-read", "git worktree list ...", "git stash list", "git stash list ..."),
  ...createReadRows("git-read", "git merge-base ...", "git rev-list ..."),
  ...GITHUB,
  { category: "gh-read", pattern: "gh run list" },
  // Here -w names a workflow.
  { category: "gh-read", pattern: "gh run list ...", refuses: ["--web", "--watch"] },
  ...createReadRows("go-read", "go version", "go version ...", "go env"),
  { category: "go-read", pattern: "go env ...", refuses: ["-w", "--w", "-u", "--u"] },
];

/** The taxonomy 0.4. */
export const READ_ROWS_2026_11: readonly ReadRow[] = [...READ_ROWS, ...NEWER_READ_ROWS];
