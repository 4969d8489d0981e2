// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell text, not templates
/** The commands of a script, read without running it. */
import { expect, it, test } from "vitest";
import { readScript } from "./read-script.ts";

/** The programs of a script with their arguments; one that is not known is `?`. */
const commandsOf = (script: string): string[] =>
  readScript(script).commands.map(({ program, args }) =>
    [program === "" ? "?" : program, ...args.map(({ values, isKnown }) => (isKnown ? values.join("|") : "?"))].join(
      " ",
    ),
  );
const kindsOf = (script: string): string[] => readScript(script).opaque.map(({ kind }) => kind);

const DELETES = "rm -rf /";

test.each([
  ["a folder before the program", "/bin/rm -rf /"],
  ["capitals and an extension", "RM.EXE -rf /"],
  ["escapes and quotes", "r\\m -r'f' \"/\""],
  ["hexadecimal escapes", "$'\\x72\\x6d' -rf /"],
  ["word splitting", "rm${IFS}-rf${IFS}/"],
  ["braces", "{rm,-rf,/}"],
  ["variables", "X=/ Y=-rf; Z=rm; X=/; Y=-rf; $Z $Y $X"],
  ["a default value", "${none:-rm} -rf /"],
  ["a slice", "${PATH:0:1}bin${PATH:0:1}rm -rf /"],
  ["a substituted name", "$(echo rm) -rf /"],
  ["the path of a program", "$(which rm) -rf /"],
  ["empty parameters in a name", "r$@m -rf /"],
])("%s", (_, script) => {
  expect(commandsOf(script)).toContain(DELETES);
});

test.each([
  ["sh by its folder", "/bin/sh -c 'rm -rf /'"],
  ["clustered options", 'bash -lic "rm -rf /"'],
  ["sudo with options", "sudo -u root -E rm -rf /"],
  ["timeout with options", "timeout -k 5 --signal=KILL 10 rm -rf /"],
  ["env with assignments", "env -i -u A B=1 rm -rf /"],
  ["env -S", "env -S 'rm -rf /'"],
  ["several launchers", "nohup nice -n 5 ionice -c3 setsid stdbuf -oL rm -rf /"],
  ["su", "su - root -c 'rm -rf /'"],
  ["ssh", "ssh -p 22 -o A=b root@host rm -rf /"],
  ["docker exec", "docker exec -it -u root box rm -rf /"],
  ["docker compose run", "docker compose -f a.yml run --rm box rm -rf /"],
  ["kubectl exec", "kubectl exec -n a pod -- rm -rf /"],
  ["busybox", "busybox rm -rf /"],
  ["find -exec", "find / -type f -exec rm -rf {} +"],
  ["xargs with constant input", "echo / | xargs -0 rm -rf"],
  ["xargs -I", "echo / | xargs -I{} rm -rf {}"],
  ["parallel", "parallel rm -rf ::: /"],
  ["watch", "watch -n 1 rm -rf /"],
  ["flock", "flock /tmp/l -c 'rm -rf /'"],
  ["an alias of git", "git -c alias.x='!rm -rf /' x"],
  ["git bisect", "git bisect run rm -rf /"],
  ["tar", "tar xf a.tar --to-command='rm -rf /'"],
  ["a trap", "trap 'rm -rf /' EXIT"],
  ["an alias", "alias ls='rm -rf /'"],
  ["eval", 'eval "rm" -rf /'],
  ["a function", "f() { rm -rf /; }; f"],
  ["a loop", "until rm -rf /; do :; done"],
  ["a branch", "if false; then :; elif rm -rf /; then :; fi"],
  ["a case", "case $x in *) rm -rf / ;; esac"],
  ["a coprocess", "coproc rm -rf /"],
  ["a substitution", 'echo "$(rm -rf /)"'],
  ["a process substitution", "cat <(rm -rf /)"],
  ["arithmetic", "echo $(( $(rm -rf /) + 1 ))"],
  ["a pipe into a shell", "echo 'rm -rf /' | sudo sh"],
  ["a here-document", "sh <<E\nrm -rf /\nE"],
  ["a here-string", "bash <<< 'rm -rf /'"],
  ["decoded text", "echo cm0gLXJmIC8= | base64 -d | sh"],
  ["a script that is written first", "echo 'rm -rf /' > a.sh; chmod +x a.sh; ./a.sh"],
  ["a sourced file", "printf 'rm -rf %s' / > a; . ./a"],
  ["Python", "python3 -c 'import os; os.system(\"rm -rf /\")'"],
  ["Node with a list", `node -e 'require("child_process").execFileSync("env", ["rm", "-rf", "/"])'`],
  ["PHP", "php -r 'shell_exec(\"rm -rf /\");'"],
  ["awk", "awk 'BEGIN { system(\"rm -rf /\") }'"],
])("through %s", (_, script) => {
  expect(commandsOf(script)).toContain(DELETES);
});

test.each([
  ["unknown", "$COMMAND -rf /"],
  ["unknown", 'eval "$(cat script)"'],
  ["unknown", "cat script | sh"],
  ["download", "curl -fsSL https://example.org/i.sh | sudo bash -s -- --yes"],
  ["download", "bash <(curl -s https://example.org/i.sh)"],
  ["download", "curl -o i.sh https://example.org/i.sh && sh ./i.sh"],
  ["download", "wget https://example.org/i.sh; bash i.sh"],
  ["encoded", "gunzip < script.gz | sh"],
  ["language", "python -c 'print(1)'"],
  ["unreadable", "echo 'unbalanced"],
  ["unreadable", "rm\0 -rf /"],
  ["misleading", "r\u043c -rf /"],
  ["misleading", "rm\u200b -rf /"],
  ["too_long", "a".repeat(300_000)],
])("is opaque: %s in %j", (kind, script) => {
  expect(kindsOf(script)).toContain(kind);
});

it("calls nothing opaque that can be read", () => {
  for (const script of [
    "git commit -m 'rm -rf /' && npm test | tee log",
    'for f in *.ts; do echo "$f"; done',
    "curl https://example.org/a.json | jq .",
    'if [ -n "$CI" ]; then make; fi',
    "cat > a.sh <<'E'\n#!/bin/sh\nexec \"$@\"\nE",
  ])
    expect(kindsOf(script)).toEqual([]);
});

test("the working directory follows cd, and not out of a subshell", () => {
  const { commands } = readScript("cd /etc && rm a; (cd sub && rm b); rm c; cd $X; rm d");
  const removals = commands.filter(({ program }) => program === "rm").map(({ directory }) => directory);
  expect(removals).toEqual(["/etc", "/etc/sub", "/etc", null]);
});

test("a command says which one launches it", () => {
  const { commands } = readScript("sudo env A=1 bash -c 'rm x'");
  expect(commands.map(({ program, parent }) => [program, parent])).toEqual([
    ["sudo", null],
    ["env", 0],
    ["bash", 1],
    ["rm", 2],
  ]);
});

test("a loop's values are all there", () => {
  expect(commandsOf("for f in / /home; do rm -rf $f; done")).toContain("rm -rf /|/home");
});

test("deep nests end with a word", () => {
  for (const script of [
    `${"$(".repeat(2_000)}x${")".repeat(2_000)}`,
    `${"(".repeat(5_000)}x${")".repeat(5_000)}`,
    `${'eval "'.repeat(100)}x`,
    `${"sudo ".repeat(100)}rm -rf /`,
  ]) {
    const { opaque } = readScript(script);
    expect(opaque.length).toBeGreaterThan(0);
  }
});
