import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { repetitions } from "../../../../e2e/fixtures/long-run.ts";
import { DESTRUCTIVE } from "../../calls/safety/taxonomy/all.ts";
import { READ_ROWS_2026_11 } from "../../calls/safety/taxonomy/reads.ts";
import { runIn } from "./kind.ts";
import { saferShell } from "./safer-shell.ts";

const signal = new AbortController().signal;
const run = runIn(saferShell, "2026-11");
const base = { event: "pre_tool_use", lane: "preempt_yolo", profile: "2026-11", env: {}, args: [], signal } as const;

function output(tool_input: Readonly<Record<string, unknown>>, tool_name = "shell") {
  const came = run({ ...base, input: { tool_name, tool_input, safety_policy: "strict" } });
  return came instanceof Promise ? null : came;
}
function label(cmd: string) {
  const came = output({ cmd });
  const { metadata, ...rest } = came?.hook_specific_output ?? {};
  expect([came?.decision, came?.continue, rest]).toEqual([undefined, undefined, { hook_event_name: "pre_tool_use" }]);
  return metadata ?? {};
}
const kind = (cmd: string) => label(cmd).safety_label;

/** A command that a pattern stands for. */
const instance = (pattern: string) =>
  pattern
    .replaceAll("<n>", "3")
    .replaceAll("<number>", "12")
    .replaceAll("<sed-print>", "4,9p")
    .replaceAll("-<flags>", "-a")
    .replaceAll(/<[^<>]+>/g, "x1")
    .replaceAll("...", "y");

describe("the taxonomy", () => {
  it.each(DESTRUCTIVE.map((row) => [row.pattern, row] as const))("%s is destructive", (pattern, { radius }) => {
    const found = label(instance(pattern));
    expect(found.safety_label).toBe("destructive");
    const ranks = ["low", "medium", "high"];
    expect(ranks.indexOf(found.blast_radius ?? "")).toBeGreaterThanOrEqual(ranks.indexOf(radius));
    expect(found.reason).toMatch(/^Command matches destructive operation: \S/);
    expect(found.category).toBeTruthy();
  });

  it.each(READ_ROWS_2026_11.map((row) => [row.pattern, row] as const))("%s is safe", (pattern, { category }) => {
    expect(label(instance(pattern))).toMatchObject({ safety_label: "safe", blast_radius: "safe", category });
    for (const flag of READ_ROWS_2026_11.find((row) => row.pattern === pattern)?.refuses ?? []) {
      expect(kind(`${instance(pattern)} ${flag}`)).toBe("unknown");
      expect(kind(`${instance(pattern)} "${flag}=1"`)).toBe("unknown");
    }
  });

  it("names the pattern of a read, and says nothing more about an unknown command", () => {
    expect(label("uname -r").reason).toBe("Command matches safe read-only pattern: uname -<flags>");
    for (const cmd of ["", "make", "curl x"]) {
      expect(label(cmd)).toEqual({ safety_label: "unknown", blast_radius: "unknown" });
    }
  });
});

it.each([
  ...[`sed -n "7,9p" "my notes/a.txt"`, "sed -n '3,$p' src/a.rs", "sed -n 8p", "head -40", "tail -c +9 log.txt"],
  ...["cat -n a.c b.c", "ls -l a/ b/", "wc -wl a b", "git ls-files -o", "git merge-base main HEAD"],
  ...["gh run list -w build.yml", "gh issue list --search 'bug*'", "go env -json GOOS", "go version -m bin/x"],
  ...[`rg "\\(a\\)" src`, "rg '[0-9]{3}' .", `rg "end\\$" .`, "git log --grep='done$'", "ls 'a(1).txt'", "ls a\\(1\\)"],
])("%s is safe", (command) => expect(kind(command)).toBe("safe"));

it.each([
  ...[
    "sed -n 1wout file",
    "sed -n '1p;e id' f",
    "sed -n '2p' '-i'",
    'sed -n "2,$p" f',
    "sed -n 2,$p f",
    "sed -n 1p $F",
  ],
  ...["sed -n 1p *", "sed -n 1p ./f$X", "head -f f", "tail -f log", "head -c --help f", "tail -9 --follow"],
  ...[
    "git branch new",
    "git branch -m a",
    "git rev-list --outp=f HEAD",
    "git stash list --ext-diff",
    "git rev-list * x",
  ],
  ...["gh pr view -cw", "gh pr view --w''eb", "gh pr view --w\\eb", "gh pr view $F", 'gh pr view "--w$E"'],
  ...[
    "gh pr view {--web,9}",
    "gh pr view ?",
    "gh pr checkout 9",
    "gh run view 9 -w''",
    "go env -u GOOS",
    'go env -"w" A=b',
  ],
  ...["rg --pre=x y", "rg --p\\re=x y", "rg a {--pre=x,.}", "git -c core.pager=x stash list", "go test ./..."],
  ...[
    "ls =(id)",
    "cat (id)",
    `ls "'" =(id)`,
    `ls "a\\"b" =(id)`,
    "ls\rid",
    "ls\n",
    "ls\n\n",
    "pwd && id",
    "rg 'a|b' .",
  ],
  ...["FOO=1 ls", "ls\u200b x", "ls 'unclosed", "sort -o f", "find . -name x"],
])("%j is not safe", (command) => expect(kind(command)).not.toBe("safe"));

it.each([
  ["gofmt -l -w a.go", "medium", "fs-modify"],
  ["perl -pi.orig -e 's/a/b/' f", "medium", "fs-modify"],
  ["echo x | tee -a f", "medium", "fs-overwrite"],
  ["git push up main --force-with-lease=main:1f", "medium", "git-history"],
  ["cat a > b", "medium", "fs-overwrite"],
  ["killall node", "medium", "proc-signal"],
])("%s is %s, %s", (command, blast_radius, category) => {
  expect(label(command)).toMatchObject({ safety_label: "destructive", blast_radius, category });
});

it("an arrow that is no redirection is none", () => {
  for (const command of ['git commit -m "from <a@b> on"', "echo 1>x", "make 2>/dev/null", "make 2> /dev/null"]) {
    expect(kind(command)).toBe("unknown");
  }
});

it("labels only commands, on its event, and the worst of several texts", () => {
  expect(output({ path: "a" }, "read_file")).toBeNull();
  expect(run({ ...base, event: "tool_guard", input: { tool_name: "shell", tool_input: { cmd: "ls" } } })).toBeNull();
  const of = (input: Readonly<Record<string, unknown>>, tool?: string) =>
    output(input, tool)?.hook_specific_output?.metadata?.blast_radius;
  expect([of({}), of({ cmd: 4 }), of({ cmd: "ls", command: "make" }), of({ cmd: "ls", command: "rm x" })]).toEqual([
    ...["unknown", "unknown", "unknown", "low"],
  ]);
  expect([
    of({ cmd: "make", command: "rm -rf x" }),
    of({ command: ["ls", "-l"] }),
    of({ command: "ls" }, "Bash"),
  ]).toEqual([...["high", "safe", "safe"]]);
});

it("labels whatever text there is, in time", () => {
  for (const part of ["sed -n '", "gh pr view -", "head -c 1", "ls '(", "git log ...", "> ", '"', "rg (", "\\"]) {
    const text = part.repeat(Math.ceil(150_000 / part.length));
    expect(kind(text)).not.toBe("safe");
  }
  const piece = fc.constantFrom(
    "ls",
    "gh pr view",
    "sed -n",
    "1p",
    "'",
    '"',
    "\\",
    "(",
    ")",
    "$",
    "*",
    " ",
    "-w",
    ";",
    "\n",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), fc.constantFrom(..."&;|<>`\n\r"), (pieces, meta) => {
      expect(kind(`${pieces.join(" ")}${meta}`)).not.toBe("safe");
    }),
    { numRuns: repetitions(300, 5_000) },
  );
});
