// biome-ignore-all lint/suspicious/noTemplateCurlyInString: shell text, not templates
/** Calls that are made to be misread: too long, too deep, hidden, or written for another shell. A hook of rules stops each. */
import { describe, expect, it, test } from "vitest";
import { systemClock } from "../../clock.ts";
import type { HookInput } from "../../contract/input.ts";
import { type Rule, rule } from "../../contract/rules/schema.ts";
import { createExecutor } from "../../engine/executor.ts";
import type { Asker } from "../../engine/ports.ts";
import { rulesKind } from "./kind.ts";

const NO_DELETES = rule.parse({
  deny: "No folder is deleted.",
  command: {
    program: ["rm", "remove-item", "del", "rmdir"],
    flags: ["recursive"],
    target: { class: "everything", access: "delete" },
  },
});
const NOT_READ = rule.parse({ ask: "This cannot be read.", opaque: true });

async function verdictOf(rules: readonly Rule[], tool: string, input: unknown, asker?: Asker): Promise<string> {
  const config = { pre_tool_use: [{ hooks: [{ type: "rules" as const, rules: [...rules] }] }] };
  const executor = createExecutor({
    ...{ config, profile: "2026-08" as const, kinds: [rulesKind()], clock: systemClock, env: {}, workingDir: "/" },
  });
  // Holds: a client may send any arguments.
  const sent = { tool_name: tool, tool_input: input, cwd: "/srv/app" } as HookInput;
  const { result } = await executor.dispatch({
    ...{ event: "pre_tool_use" as const, lane: "default" as const, input: sent },
    ...(asker && { asker }),
  });
  return result.allowed ? (result.decision === "ask" ? "ask" : "pass") : "deny";
}
const shell = (command: string, rules = [NO_DELETES]) => verdictOf(rules, "Bash", { command });

describe("a call beyond a bound is denied, also by rules that have nothing against it", () => {
  test.each([
    ["4 MiB of one command", `echo ${"a".repeat(4 * 1024 * 1024)}`],
    ["4 MiB of many commands", "true\n".repeat(800_000)],
    ["substitutions 10,000 deep", `${"echo $(".repeat(10_000)}true${")".repeat(10_000)}`],
    ["subshells 10,000 deep", `${"(".repeat(10_000)}true${")".repeat(10_000)}`],
    ["shells in shells", `${"eval ".repeat(40)}true`],
    ["5,000 commands", "true;".repeat(5_000)],
    ["5,000 arguments through xargs", `echo ${"a ".repeat(5_000)} / | xargs rm -rf`],
    ["5,000 words from a variable", `X="${"a ".repeat(5_000)} /"; rm -rf $X`],
    ["5,000 words from braces", `rm -rf {${"a,".repeat(5_000)}/}`],
    ["5,000 turns of a loop", `for i in ${"a ".repeat(5_000)} /; do rm -rf $i; done`],
    [
      "5,000 texts in other code",
      `python3 -c 'x = [${Array.from({ length: 5_000 }, (_, i) => `"ls ${i}"`).join(",")}]'`,
    ],
  ])("%s", async (_, command) => {
    expect(await shell(command)).toBe("deny");
  });

  it("arguments nested too deep", async () => {
    let input: unknown = { path: "/etc/passwd" };
    for (let depth = 0; depth < 40; depth += 1) input = { input };
    expect(await verdictOf([NO_DELETES], "mcp__files__read", input)).toBe("deny");
  });
});

test.each([
  ["statements", "query", { sql: `${"update a set b = 1 where c = 2; ".repeat(3_000)} drop table a` }],
  ["files of a patch", "apply_patch", { input: `${"*** Add File: a\n".repeat(6_000)}*** Delete File: b` }],
  ["values in a list", "mcp__files__read", { paths: Array.from({ length: 60_000 }, () => "a") }],
])("too many %s are denied", async (_, tool, input) => {
  expect(await verdictOf([NO_DELETES], tool, input)).toBe("deny");
});

describe("what is hidden from a reader is opaque, or read", () => {
  test.each([
    ["NUL", "ls\0; rm -rf /"],
    ["a Cyrillic letter", "\u0440m -rf /tmp/a"],
    ["a character that cannot be seen", "r\u200bm -rf /tmp/a"],
    ["full-width letters", "\uff52\uff4d -rf /tmp/a"],
    ["a direction that is turned round", "rm\u202e -rf /tmp/a"],
    ["a quote without an end", "rm -rf '/tmp/a"],
    ["a double quote without an end", 'echo "$(rm -rf /tmp/a'],
    ["a name that is not known", "$UNKNOWN -rf /tmp/a"],
    ["a name that a pattern decides", "/bin/r? -rf /tmp/a"],
    ["code in another language", "ruby -e 'FileUtils.rm_r x'"],
    ["a method of .NET", 'pwsh -Command [IO.Directory]::Delete("a")'],
    ["a text that cannot be decoded", "powershell -EncodedCommand !!!!"],
    ["items through a pipe", "Get-Process | Remove-Item -Recurse"],
  ])("%s", async (_, command) => {
    expect(await shell(command, [NOT_READ])).not.toBe("pass");
  });

  test.each([
    ["an alias that shadows a program", "alias ls='rm -rf /'; ls"],
    ["an alias with arguments", "alias ls='rm -rf'; ls /"],
    ["a function that shadows a program", "ls() { rm -rf /; }; ls"],
    ["a function with arguments", 'clean() { rm -rf "$1"; }; clean /'],
    ["a function with all arguments", 'run() { "$@"; }; run rm -rf /'],
    ["a function that calls another", 'a() { rm -rf "$2"; }; b() { a x "$1"; }; b /'],
    ["arguments of a script", "sh -c 'rm -rf \"$1\"' _ /"],
    ["arguments of the shell", 'set -- -rf /; rm "$@"'],
    ["a pattern that matches everything", "rm -rf /*"],
    ["the hundredth turn of a loop", `for i in ${"a ".repeat(99)} / b; do rm -rf $i; done`],
    ["the hundredth argument through xargs", `echo ${"a ".repeat(99)} / b | xargs rm -rf`],
  ])("%s", async (_, command) => {
    expect(await shell(command)).toBe("deny");
  });

  it("a function that calls itself is read once", async () => {
    expect(await shell('again() { echo "$1"; again "$1"; }; again x')).toBe("pass");
  });
});

describe("commands of Windows", () => {
  const ENCODED = Buffer.from("Remove-Item -Recurse -Force C:\\", "utf16le").toString("base64");

  test.each([
    ["PowerShell", "Remove-Item -Recurse -Force C:\\"],
    ["PowerShell", "Remove-Item C:\\Users\\ada -Recurse"],
    ["PowerShell", "Remove-Item -LiteralPath 'C:\\Users' -Rec -Fo"],
    ["PowerShell", "ri -r -fo $env:USERPROFILE"],
    ["PowerShell", "del -Recurse $HOME"],
    ["PowerShell", "rm -Recurse -Force $env:SystemRoot"],
    ["PowerShell", "Remove-Item `\n  -Recurse C:\\"],
    ["PowerShell", "Re`move-Item -Recurse C:\\"],
    ["PowerShell", "Get-ChildItem C:\\Users | Remove-Item -Recurse -Force"],
    ["PowerShell", "gci C:\\ | % { Remove-Item $_.FullName -Recurse }"],
    ["PowerShell", "Invoke-Expression 'Remove-Item -Recurse C:\\'"],
    ["PowerShell", "iex 'ri -r C:\\'"],
    ["PowerShell", "Start-Process cmd -ArgumentList '/c','rd /s /q C:\\'"],
    ["PowerShell", "cmd /c 'rd /s /q C:\\Users'"],
    ["Bash", 'powershell.exe -NoProfile -ExecutionPolicy Bypass -Command "Remove-Item -Recurse -Force C:\\Users\\ada"'],
    ["Bash", "pwsh -c 'ri -r C:\\'"],
    ["Bash", `powershell -enc ${ENCODED}`],
    ["Bash", "powershell Remove-Item -Recurse C:\\Windows"],
    ["Bash", "cmd.exe /c rd /s /q C:\\"],
    ["Bash", 'cmd /c "cd \\ && rd /s /q C:\\Users"'],
    ["Bash", "cmd /c r^d /s /q C:\\"],
    ["Bash", "rd /s /q C:\\Users\\ada"],
    ["Bash", "rmdir /S /Q C:\\"],
    ["Bash", "del /s /q C:\\*.*"],
    ["Bash", "erase /f /s /q %USERPROFILE%"],
    ["Bash", "del /s /q C:\\Users\\ada\\*"],
  ])("%s: %s", async (tool, command) => {
    expect(await verdictOf([NO_DELETES], tool, { command })).toBe("deny");
  });

  test.each([
    ["PowerShell", "Get-ChildItem C:\\Users\\ada\\app -Recurse"],
    ["PowerShell", "Remove-Item .\\dist -Recurse -Force"],
    ["PowerShell", "npm test; if ($?) { npm run build }"],
    ["Bash", "cmd /c dir C:\\"],
    ["Bash", "rd /s /q build"],
    ["Bash", "del notes.txt"],
  ])("%s: %s is left alone", async (tool, command) => {
    expect(await verdictOf([NO_DELETES], tool, { command })).toBe("pass");
  });

  it("the program and its arguments in a list", async () => {
    const command = ["powershell.exe", "-Command", "Remove-Item -Recurse -Force C:\\Users\\ada"];
    expect(await verdictOf([NO_DELETES], "shell", { command })).toBe("deny");
  });
});

describe("the agent of a rule", () => {
  const ASKER: Asker = { agent: "1", name: "builder", tags: ["prod", "eu/west"], request: null };
  const input = { command: "ls" };
  const claims = (agent_name: string) => ({ agent_name });

  test.each([
    [{ agent: "builder" }, "deny"],
    [{ agent: "build*" }, "deny"],
    [{ agent: "reviewer" }, "pass"],
    [{ tag: "prod" }, "deny"],
    [{ tag: "eu*" }, "deny"],
    [{ tag: "stage" }, "pass"],
    [{ not: { tag: "prod" } }, "pass"],
  ])("%j is asked of the credential: %s", async (condition, expected) => {
    const one = rule.parse({ deny: "no", ...condition });
    expect(await verdictOf([one], "Bash", input, ASKER)).toBe(expected);
  });

  it("is not the name that the call claims", async () => {
    const one = rule.parse({ deny: "no", agent: "reviewer" });
    const config = { pre_tool_use: [{ hooks: [{ type: "rules" as const, rules: [one] }] }] };
    const world = {
      config,
      profile: "2026-08" as const,
      kinds: [rulesKind()],
      clock: systemClock,
      env: {},
      workingDir: "/",
    };
    const sent = { tool_name: "Bash", tool_input: input, ...claims("reviewer") };
    const call = { event: "pre_tool_use" as const, lane: "default" as const, input: sent, asker: ASKER };
    expect((await createExecutor(world).dispatch(call)).result.allowed).toBe(true);
  });
});

test.each([
  ["mcp__git__*", "mcp__git__repos/create"],
  ["github/*", "github/repos/create"],
  ["*", "server/tool"],
])("the tool pattern %s takes %s", async (tool, name) => {
  expect(await verdictOf([rule.parse({ deny: "no", tool })], name, { a: 1 })).toBe("deny");
});

test.each([
  [{ argument: "*" }, "git push origin feature/a", "deny"],
  [{ argument: "feature/*" }, "git push origin feature/a/b", "deny"],
  [{ argument: "*:main" }, "git push origin a/b:main", "deny"],
  [{ without_argument: "*" }, "git push origin feature/a", "pass"],
])("%j in %s: %s", async (condition, command, expected) => {
  const one = rule.parse({ deny: "no", command: { program: "git", ...condition } });
  expect(await shell(command, [one])).toBe(expected);
});

test.each(["sh -c 'cat ~/.ssh/config'", "bash -lc 'cat ~/.ssh/config'", "timeout 5 cat ~/.ssh/config"])(
  "the script of %s is no path",
  async (command) => {
    const reads = rule.parse({ deny: "no", path: { access: "read", path: "**/*cat*" } });
    const key = rule.parse({ deny: "no", path: { access: "read", class: "credentials" } });
    expect(await shell(command, [reads])).toBe("pass");
    expect(await shell(command, [key])).toBe("deny");
  },
);
