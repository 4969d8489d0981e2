/**
 * Relays that are not whole: empty, cut, a folder, a link to nothing, a pipe. A gate passes on an answer alone, so no call runs. A shell ends with 0
 * for most of these files. The whole relay passes, so that a command which denies all fails too.
 */
import { execFile, execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { ANSWER_KEY, BEARER, type FakeConsole, startFakeConsole } from "../../../e2e/fixtures/fake-console.ts";
import { inParallel, type RelayTexts, shellRelays } from "../../../e2e/fixtures/relay-table.ts";
import { genuineAllow } from "../../../e2e/fixtures/strange-answers.ts";
import { localExecutorSnippet } from "../../agents/local-executor-snippet.ts";
import { CLIENT_ENROLMENTS } from "../client-enrolments.ts";
import { relayFiles } from "../enrolment.ts";
import { relayScript } from "./relay-script.ts";

const WHOLE = relayScript({ hasOpenssl: true });
const ADDRESS = "http://127.0.0.1:9";
const SHELLS = ["dash", "bash"] as const;
const TABLE_MS_MAX = 240_000;

let base: string;
let fake: FakeConsole;
beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), "whole-relay-"));
  fake = await startFakeConsole([genuineAllow]);
  // bash keeps to POSIX where it is called sh.
  for (const shell of SHELLS) {
    await mkdir(join(base, shell), { recursive: true });
    await symlink(
      execFileSync("/bin/sh", ["-c", `command -v ${shell}`], { encoding: "utf8" }).trim(),
      shellPath(shell),
    );
  }
});
afterAll(async () => {
  await fake?.stop();
  await rm(base, { recursive: true, force: true });
});

const shellPath = (shell: (typeof SHELLS)[number]) => join(base, shell, "sh");

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function run(shell: string, command: string, environment: Readonly<Record<string, string>>): Promise<Ended> {
  return new Promise((resolve) => {
    const env = { NODE_ENV: "test" as const, PATH: "/usr/bin:/bin", ...environment };
    const options = { env, timeout: 10_000 };
    const child = execFile(shell, ["-c", command], options, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === "number" ? error.code : -1;
      resolve({ code, stdout, stderr });
    });
    child.stdin?.on("error", () => undefined); // a file that is cut does not read
    child.stdin?.end('{"tool_name":"Bash"}');
  });
}

/** In the client's own words: exit code 2 with a reason, or a body. */
const isDenial = ({ code, stdout, stderr }: Ended): boolean =>
  code === 2
    ? stdout === "" && stderr.includes("quarterdeck: no verdict, blocked")
    : code === 0 && /"(cancel":true|behavior":"deny"|decision":"block"|continue":false)/.test(stdout);

/** Every gate of every client that has a relay. */
const texts: RelayTexts = {
  filesOf: (client, options) => CLIENT_ENROLMENTS[client](options),
  block: () => 'hooks: [": pre_tool_use \\"pre_tool_use\\" ||"]',
  script: "/dev/null",
};

function gates(shell: (typeof SHELLS)[number], home: string, url = ADDRESS) {
  const way = { shell: shellPath(shell), isManaged: false, root: home, key: `${BEARER}_${ANSWER_KEY}` };
  return shellRelays(texts, way, true)
    .filter(({ client }) => client !== "docker-agent")
    .map(({ name, command }) => ({ name, command: command(url).replaceAll("/bin/sh ", `${shellPath(shell)} `) }));
}

async function newHome(name: string): Promise<{ home: string; relay: string }> {
  const home = join(base, name);
  for (const { path, content } of relayFiles({ url: ADDRESS, scope: "user", key: `${BEARER}_${ANSWER_KEY}` })) {
    await mkdir(join(home, ".config/quarterdeck"), { recursive: true });
    if (!path.endsWith("/relay")) await writeFile(path.replace("~", home), content);
  }
  return { home, relay: join(home, ".config/quarterdeck/relay") };
}

describe.each(SHELLS)("where sh is %s", (shell) => {
  it(
    "every client denies without a whole relay, and takes the answer of a whole one",
    async () => {
      const odd: Record<string, (path: string) => Promise<unknown>> = {
        empty: (path) => writeFile(path, ""),
        spaces: (path) => writeFile(path, "\n \n"),
        zeros: (path) => writeFile(path, Buffer.alloc(4096)),
        "other words": (path) => writeFile(path, "echo ok\n"),
        folder: (path) => mkdir(path),
        missing: async () => undefined,
        "link to nothing": (path) => symlink("/dev/null", path),
        pipe: async (path) => execFileSync("mkfifo", [path]),
      };
      for (const [name, put] of Object.entries(odd)) {
        const { home, relay } = await newHome(`${shell} ${name}`);
        await put(relay);
        for (const gate of gates(shell, home)) {
          const ended = await run(shellPath(shell), gate.command, { HOME: home });
          expect({ name, gate: gate.name, ended, isDenial: isDenial(ended) }).toMatchObject({ isDenial: true });
        }
      }
      const { home, relay } = await newHome(`${shell} whole`);
      await writeFile(relay, WHOLE);
      for (const gate of gates(shell, home, fake.urlOf(genuineAllow))) {
        const ended = await run(shellPath(shell), gate.command, { HOME: home });
        expect({ gate: gate.name, ended }).toEqual({ gate: gate.name, ended: { code: 0, stdout: "{}", stderr: "" } });
      }
    },
    TABLE_MS_MAX,
  );

  it(
    "every client denies with a relay that is cut at any line, and one gate also within lines",
    async () => {
      const lines = [...WHOLE.matchAll(/\n/g)].map(({ index }) => index + 1).filter((at) => at < WHOLE.length);
      const ends = Array.from({ length: 60 }, (_, index) => WHOLE.length - 2 - index);
      const between = Array.from({ length: Math.floor(WHOLE.length / 41) }, (_, index) => index * 41);
      const cuts = [...new Set([...lines, ...ends, ...between])];
      await inParallel(cuts, 6, async (at) => {
        const { home, relay } = await newHome(`${shell} cut at ${at}`);
        await writeFile(relay, WHOLE.slice(0, at));
        const all = gates(shell, home);
        for (const gate of lines.includes(at) ? all : all.slice(0, 1)) {
          const ended = await run(shellPath(shell), gate.command, { HOME: home });
          expect({ at, gate: gate.name, ended, isDenial: isDenial(ended) }).toMatchObject({ isDenial: true });
        }
        await rm(home, { recursive: true });
      });
    },
    TABLE_MS_MAX,
  );

  it("no function of the environment takes the place of a command", async () => {
    const { home, relay } = await newHome(`${shell} functions`);
    await writeFile(relay, WHOLE);
    const programs = ["curl", "head", "od", "openssl", "sha256sum", "sed", "tr", "cut", "wc"];
    const builtins = ["printf", "echo", "read", "command", "true", "false", "set", "exit", "shift", "unset"];
    const names = [...programs, ...builtins, "main", "fail", "field", "octal", "strange"];
    const environment = Object.fromEntries(names.map((name) => [`BASH_FUNC_${name}%%`, "() { echo '{}'; exit 0; }"]));
    for (const gate of gates(shell, home)) {
      const ended = await run(shellPath(shell), gate.command, { HOME: home, ...environment });
      expect({ gate: gate.name, ended, isDenial: isDenial(ended) }).toMatchObject({ isDenial: true });
    }
  });

  it("the local executor's block denies with a program that is empty, cut or a folder", async () => {
    const block = localExecutorSnippet({ url: ADDRESS, profile: "2026-08", trustKey: "none" });
    const { hooks } = parse(block) as { hooks: Record<string, { hooks: { command: string }[] }[]> }; // our own text
    const command = hooks.pre_tool_use?.[0]?.hooks[0]?.command ?? "";
    const home = join(base, `${shell} program`);
    const program = join(home, ".quarterdeck/quarterdeck-hook.mjs");
    await mkdir(join(home, ".quarterdeck"), { recursive: true });
    const environment = { HOME: home, PATH: process.env.PATH ?? "" };
    const asked = () => run(shellPath(shell), command.replaceAll("/bin/sh ", `${shellPath(shell)} `), environment);
    for (const content of ["", "\n", "// Asks.\n", "const a = 1;\n", "console.log('ok');\n"]) {
      await writeFile(program, content);
      expect({ content, ended: await asked() }).toMatchObject({ ended: { code: 2, stdout: "" } });
    }
    await writeFile(program, "console.log('{}');\n");
    expect(await asked()).toEqual({ code: 0, stdout: "{}\n", stderr: "" });
    await rm(program);
    await mkdir(program);
    expect(await asked()).toMatchObject({ code: 2, stdout: "" });
  });
});
