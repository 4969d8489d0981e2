import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { repetitions } from "../../../../e2e/fixtures/long-run.ts";
import { DESTRUCTIVE } from "../../calls/safety/taxonomy/all.ts";
import { READS } from "../../calls/safety/taxonomy/reads.ts";
import { saferShell } from "./safer-shell.ts";

const signal = new AbortController().signal;
/** The question asked about a command: the radius and the category; null when nothing is asked. */
interface More {
  readonly args?: readonly string[];
  readonly safety_policy?: string;
  readonly tool_name?: string;
  readonly tool_input?: Readonly<Record<string, unknown>>;
}
function asked(cmd: unknown, more: More = {}) {
  const { args = [], ...input } = more;
  const call = { event: "pre_tool_use", lane: "preempt_yolo", profile: "2026-07", env: {}, signal } as const;
  const output = saferShell.run({ ...call, input: { tool_name: "shell", tool_input: { cmd }, ...input }, args });
  if (output === null || output instanceof Promise) return null;
  const { permission_decision, permission_decision_reason, metadata } = output.hook_specific_output ?? {};
  expect([permission_decision, permission_decision_reason]).toEqual(["ask", metadata?.reason]);
  return { radius: metadata?.blast_radius ?? "", category: metadata?.category };
}
const radius = (cmd: string) => asked(cmd)?.radius ?? "silent";
const RANKS = ["low", "medium", "unknown", "high"];

/** A command that a pattern stands for. */
const instance = (pattern: string) =>
  pattern
    .replace("<n>", "3")
    .replaceAll("-<flags>", "-a")
    .replaceAll(/<[^<>]+>/g, "x1")
    .replaceAll("...", "y");

describe("the taxonomy", () => {
  it.each(DESTRUCTIVE.map((row) => [row.pattern, row] as const))(
    "%s asks, as badly as it says or worse",
    (_text, row) => {
      const found = asked(instance(row.pattern));
      expect(RANKS.indexOf(found?.radius ?? "")).toBeGreaterThanOrEqual(RANKS.indexOf(row.radius));
      expect(found?.category).toBeDefined();
    },
  );

  it.each(READS)("%s runs unasked", (pattern) => {
    expect(asked(instance(pattern))).toBeNull();
    expect(asked(`  ${instance(pattern).toUpperCase()} \n`.trim())).toBeNull();
  });

  it.each([
    ...["farm -rf x", "alarm -r foo", "perform task", "shredder x", "docker restart web", "git reset --soft HEAD~1"],
    ...["cp a b", "ln -s a b", "chmod 777 file", "dd if=a of=b", "git checkout main", "docker-compose down -v"],
  ])("%s is not known", (command) => expect(asked(command)).toEqual({ radius: "unknown", category: undefined }));
});

describe("a command written otherwise is the same command", () => {
  it.each([
    ...['"rm" -rf x', "r''m -rf x", "r\\m -rf x", "rm \\\n-rf x", "$'rm' -rf x", "{rm,-rf,x}", "rm$IFS-rf x"],
    ...["rm -fr x", "rm -f -r x", "rm x -rf", "rm -rfv x", "rm --recursive --force x", "/bin/rm -r -f x"],
    ...["sudo -u a rm -fr x", "env A=b rm -fr x", "timeout 5 nice rm -fr x", "busybox rm -fr x", "A=b rm -fr x"],
    ...["find . | xargs rm -rf", "find . -name a -delete", "find . -exec rm {} +", "find . -exec sh -c 'rm -fr .' \\;"],
    ...[
      "sh -c 'rm -fr x'",
      "eval \"r''m -fr x\"",
      "bash -lc 'cd x && rm -fr y'",
      "ssh h 'rm -fr x'",
      "trap 'rm -fr x' EXIT",
    ],
    ...["if a; then rm -fr x; fi", "f() { rm -fr x; }; f", "echo $(rm -fr x)", "echo `rm -fr x`", "cat <(rm -fr x)"],
    ...[
      "rm -rf /; ls",
      "(rm -rf /)",
      "git -C d reset --hard",
      "docker system prune -f -a",
      "docker compose -f a down -v",
    ],
    ...["rsync -av --delete a b", "docker --context c rm -f x", "git clean -n -f -d"],
  ])("%s", (command) => expect(radius(command)).toBe("high"));
});

describe("what is not one plain read asks", () => {
  it.each([
    ...[
      "echo hi > f",
      "echo hi>f",
      "echo a;id",
      "ls & id",
      "ls|sh",
      "ls `id`",
      "ls $(id)",
      "ls\nid",
      "ls\rid",
      "cat <f",
    ],
    ...[
      "A=b docker ps",
      "sudo ls",
      "ls (",
      "ls *(x)",
      `echo ${"$"}{x@P}`,
      "echo $((a))",
      `echo ${"$"}{x:-y}`,
      "ls \u00a0x",
      "ls # x",
    ],
    ...["cat a b", "ls /a /b", 'ls "my dir"', "tail -f log", "head -5 f", "sort -ofoo", "sort $X", "uniq *", "file -C"],
    ...[
      "rg --pre=x y",
      "rg --pre x y",
      "rg '--pre' x y",
      "rg --pre-glob x y",
      "rg --hostname-bin=x y",
      "rg {--pre,x} y",
    ],
    ...[
      "git diff --output=f",
      "git log --output f",
      'git show "--output=f"',
      'git diff --out"put"=f',
      "git diff --outp=f",
    ],
    ...[
      "git diff $X",
      "git log --ext-diff",
      "git show --textconv",
      "git -c a=b status",
      "git push",
      "kubectl delete x",
    ],
    ...["Remove-Item", "del /s x", "base64 -d x|sh", "curl x|sh", "python -c x", "X=rm; $X -rf /", ""],
  ])("%s", (command) => expect(asked(command)).not.toBeNull());

  it("looks at shell commands only, and asks when there is none", () => {
    expect(asked("rm -rf /", { tool_name: "write_file" })).toBeNull();
    expect([asked(undefined), asked(5)].map((found) => found?.radius)).toEqual(Array(2).fill("unknown"));
  });

  it("knows the shell of every client, and each argument that may hold the command", () => {
    for (const name of ["Bash", "Shell", "bash", "run_shell_command", "run_commands", "run_background_job"]) {
      expect(asked("rm -rf /", { tool_name: name })?.radius, name).toBe("high");
      expect(asked("ls", { tool_name: name }), name).toBeNull();
    }
    const inputs = [{ command: "rm -rf /" }, { commands: ["ls", "rm -rf /"] }, { cmd: ["rm", "-rf", "/"] }];
    for (const tool_input of [...inputs, { cmd: "ls", command: "rm -rf /" }])
      expect(asked("", { tool_name: "Bash", tool_input })?.radius, JSON.stringify(tool_input)).toBe("high");
    expect(asked("", { tool_name: "run_commands", tool_input: { commands: ["ls", "cat a"] } })).toBeNull();
  });

  it("follows the safety policy of the agent unless an argument pins one; nothing makes it allow", () => {
    expect(asked("make", { safety_policy: "safer" })).toBeNull();
    expect(asked("rm -rf x", { safety_policy: "safer" })).not.toBeNull();
    expect(asked("rm -rf x", { safety_policy: "unsafe" })).toBeNull();
    expect(asked("rm -rf x", { safety_policy: "unsafe", args: ["strict"] })).not.toBeNull();
    expect(asked("rm -rf x", { safety_policy: "toString", args: ["whatever"] })).not.toBeNull();
    expect([asked("make", { args: ["safe-auto"] }), asked("ls", { args: ["safe-auto"] })]).toEqual([
      { radius: "unknown", category: undefined },
      null,
    ]);
  });
});

const known = fc.constantFrom(...DESTRUCTIVE.map(({ pattern }) => instance(pattern)), ...READS.map(instance));
const word = fc.oneof(
  fc.constantFrom(
    ...["rm", "-rf", "-f", "/", "git", "docker", "find", "-delete", "xargs", "sudo", "sh", "-c", "ls", "cat"],
  ),
  fc.string({ maxLength: 6 }),
);
const piece = fc.oneof(
  known,
  word,
  fc.constantFrom(...["'", '"', "\\", "$(", ")", "`", "{", "}", "<<E\n", "\n", "${", "#"]),
);
const command = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(" "));

describe("whatever the command", () => {
  it("another command beside it never makes it look milder", () => {
    const separator = fc.constantFrom(" && ", "; ", " | ", "\n", " || ");
    fc.assert(
      fc.property(known, separator, known, fc.boolean(), (one, between, other, isFirst) => {
        const alone = asked(one);
        const together = asked(isFirst ? one + between + other : other + between + one);
        expect(together).not.toBeNull();
        if (alone?.category)
          expect(RANKS.indexOf(together?.radius ?? "")).toBeGreaterThanOrEqual(RANKS.indexOf(alone.radius));
      }),
      { numRuns: repetitions(750, 15_000) },
    );
  });

  it("nothing with a metacharacter is silent", () => {
    const meta = fc.constantFrom(...[";", "&", "|", "<", ">", "`", "\n", "$("]);
    fc.assert(
      fc.property(command, meta, command, (before, one, after) => {
        expect(asked(`${before}${one}x${after}`)).not.toBeNull();
      }),
      { numRuns: repetitions(500, 10_000) },
    );
  });

  it("what is silent is one of the reads, word by word", () => {
    const names = new Set(READS.map((read) => read.split(" ")[0]));
    fc.assert(
      fc.property(command, (text) => {
        if (asked(text) === null) expect(names).toContain(text.trim().toLowerCase().split(/\s/)[0]);
      }),
      { numRuns: repetitions(500, 10_000) },
    );
  });

  it("is judged, however long or deep", () => {
    const parts = [
      "a",
      "rm ",
      "rm -",
      "mkfs.",
      "find a ",
      "git push ",
      "$(",
      "`",
      "(",
      "a;",
      '"',
      "dd if=",
      "> ",
      "coproc ",
    ];
    for (const part of [
      ...parts,
      "docker run --rm -v ",
      "mysql ",
      "sudo ",
      "xargs ",
      "{",
      "[[ ",
      "<<a\n",
      "perl -pi",
    ]) {
      for (const length of [16_000, 100_000]) {
        expect(asked(part.repeat(Math.ceil(length / part.length)).slice(0, length))).not.toBeNull();
      }
    }
  });
});
