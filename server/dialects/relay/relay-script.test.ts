/** The relay's own behaviour: the bytes that it sends, the programs that it needs, the words that it shows. */
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  AGENT_KEY,
  ANSWER_KEY,
  BEARER,
  type FakeConsole,
  type HookAnswer,
  startFakeConsole,
} from "../../../e2e/fixtures/fake-console.ts";
import { genuineAllow, STRANGE_ANSWERS, signedError } from "../../../e2e/fixtures/strange-answers.ts";
import { relayScript } from "./relay-script.ts";

const script = fileURLToPath(new URL("../../../scripts/quarterdeck-hook.sh", import.meta.url));
const hostileWords = signedError(`bad \u001b]0;x\u0007 \u202eword\u2066 \n"twice" ${"x".repeat(900)}`);

let base: string;
let fake: FakeConsole;
beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), "relay-script-"));
  fake = await startFakeConsole([...STRANGE_ANSWERS, genuineAllow, hostileWords]);
  await put(join(base, "own/header"), `Authorization: Bearer ${BEARER}\n`);
  await put(join(base, "own/answer-key"), `${ANSWER_KEY}\n`);
});
afterAll(async () => {
  await fake?.stop();
  await rm(base, { recursive: true, force: true });
});

async function put(path: string, content: string, mode = 0o644): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content, { mode });
}

const SYSTEM = "/usr/bin:/bin";

describe("the relay", () => {
  /** Its own text, with other programs, on a payload of its own. */
  async function ask(input: string, programs: string) {
    const path = join(base, "own/relay");
    await put(path, relayScript({ hasOpenssl: true }).replace(/^PATH=.*$/m, `PATH=${programs}`));
    const url = `${fake.urlOf(genuineAllow)}/api/v1/hooks/claude-code/PreToolUse`;
    return execa("/bin/sh", [path, url, "exit", "20", "0"], { input, reject: false, stripFinalNewline: false });
  }

  it("sends what it was given to the last byte, and nothing larger than 4 MiB", async () => {
    const largest = `{"text":"${"é".repeat(2 * 1024 * 1024 - 10)}"}\n\n`;
    for (const input of ["{}", '{"a":1}\n\n\n', '\u00a0{"a": "\\u0000 %s $HOME `id`"}', largest]) {
      expect(await ask(input, SYSTEM)).toMatchObject({ exitCode: 0, stdout: "{}", stderr: "" });
      expect(fake.requests.at(-1)?.body.equals(Buffer.from(input))).toBe(true);
    }
    const before = fake.requests.length;
    const over = await ask(" ".repeat(4 * 1024 * 1024 + 1), SYSTEM);
    expect(over).toMatchObject({ exitCode: 2, stdout: "", stderr: expect.stringContaining("more than 4 MiB") });
    expect(fake.requests.length).toBe(before);
  });

  it("makes another nonce for each question", async () => {
    await ask("{}", SYSTEM);
    await ask("{}", SYSTEM);
    const [one = "", other = ""] = fake.requests.slice(-2).map(({ nonce }) => nonce);
    expect(one).toMatch(/^v2[0-9a-f]{32}$/);
    expect(other).toMatch(/^v2[0-9a-f]{32}$/);
    expect(one).not.toBe(other);
  });

  it.each(["sha256sum", "openssl"])(
    "has no part of the key among the arguments of a program, with %s",
    async (digest) => {
      const folder = join(base, `spies-${digest}`);
      const log = join(folder, "arguments");
      for (const name of ["curl", digest, "head", "od"])
        await put(
          join(folder, name),
          `#!/bin/sh\nprintf '%s\\n' "${name} $*" >>${log}\nexec /usr/bin/${name} "$@"\n`,
          0o755,
        );
      expect(await ask("{}", folder)).toMatchObject({ exitCode: 0, stdout: "{}" });
      const seen = await readFile(log, "utf8");
      expect(seen).toContain("curl -q ");
      expect(seen.match(/^(sha256sum|openssl dgst) /gm)).toHaveLength(3);
      expect(seen).toContain(`\n${digest}`);
      expect(seen).not.toContain(BEARER);
      expect(seen).not.toContain(ANSWER_KEY);
    },
  );

  it.each(["openssl", "curl", "od", "head"])("denies with words where %s is gone", async (missing) => {
    const folder = join(base, `without-${missing}`);
    await mkdir(folder, { recursive: true });
    for (const name of ["sh", "cat", "curl", "openssl", "head", "od", "sed", "wc", "cut"])
      if (name !== missing) await symlink(`/usr/bin/${name}`, join(folder, name));
    const { exitCode, stdout, stderr } = await ask("{}", folder);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
    expect(stderr).toMatch(/^Quarterdeck: .* blocked\.$/m);
  });

  it("shows the words of the console as one line of plain letters, and none of a stranger", async () => {
    const said = async (answer: HookAnswer) => {
      const { stderr } = await execa("/bin/sh", [script, "pre_tool_use"], {
        ...{ input: "{}", reject: false, extendEnv: false },
        env: { PATH: SYSTEM, QUARTERDECK_KEY: AGENT_KEY, QUARTERDECK_URL: fake.urlOf(answer) },
      });
      return stderr;
    };
    const words = `bad  ]0;x  word   twice  ${"x".repeat(900)}`.slice(0, 500);
    expect(await said(hostileWords)).toBe(`Quarterdeck: ${words} This is blocked (HTTP 503).`);
    const stranger = STRANGE_ANSWERS.find(({ name }) => name === "an error of a stranger");
    if (stranger === undefined) throw new Error("There is no such answer.");
    expect(await said(stranger)).toBe(
      "Quarterdeck: The answer did not come from the console (HTTP 200, application/json). This is blocked.",
    );
  });
});
