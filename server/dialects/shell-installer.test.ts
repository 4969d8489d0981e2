/** quarterdeck-enrol.sh as a machine without Node runs it: in a home of its own, with the system's shell. */
import { chown, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { execa } from "execa";
import { afterEach, beforeEach, expect, it } from "vitest";
import { CLIENT_ENROLMENTS } from "./client-enrolments.ts";
import { ENROLLED_CLIENT_NAMES } from "./schema.ts";
import { shellInstaller } from "./shell-installer.ts";

const BEARER = "qd_SecretOfThisTest000000000000000000000000000";
const ANSWER_KEY = "abcdef0123456789".repeat(4);
const KEY = `${BEARER}_${ANSWER_KEY}`;
const ADDRESS = "https://quarterdeck.example.com";

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "shell-installer-"));
});
afterEach(() => rm(home, { recursive: true, force: true }));

const run = (args: readonly string[], key = KEY, cwd = home) =>
  execa("sh", ["-s", "--", ...args, "--url", ADDRESS], {
    ...{ input: shellInstaller(), cwd, extendEnv: false, reject: false },
    env: { HOME: home, PATH: process.env.PATH ?? "", QUARTERDECK_KEY: key },
  });

const filesIn = async () =>
  (await readdir(home, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);

it.each(ENROLLED_CLIENT_NAMES)(
  "writes the files of %s as they are on the page, once, and takes them back",
  async (client) => {
    expect(await run([client])).toMatchObject({ exitCode: 0 });
    for (const { path, mode, content } of CLIENT_ENROLMENTS[client]({ url: ADDRESS, scope: "user", key: KEY })) {
      const file = join(home, path.replace(/^~\//, ""));
      expect(await readFile(file, "utf8")).toBe(content);
      expect((await stat(file)).mode & 0o777).toBe(mode);
    }
    const again = await run([client], "");
    expect(again).toMatchObject({ exitCode: 0, stderr: "quarterdeck-enrol: The signature of each answer is checked." });
    expect(await run([client, "--remove"])).toMatchObject({ exitCode: 0 });
    const shared = client === "opencode" ? ["answer-key", "header"] : ["answer-key", "header", "relay"];
    expect((await filesIn()).toSorted()).toEqual(shared);
  },
);

it("writes nothing where somebody's settings are, and leaves what was changed since", async () => {
  const path = join(home, ".gemini/settings.json");
  await mkdir(dirname(path));
  await writeFile(path, "{}");
  expect(await run(["gemini"])).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("is there already") });
  expect(await filesIn()).toEqual(["settings.json"]);
  await rm(path);
  await run(["gemini", "--no-telemetry"]);
  expect(await readFile(path, "utf8")).not.toMatch(/otlp/i);
  await writeFile(path, "{}");
  expect((await run(["gemini", "--no-telemetry", "--remove"])).stderr).toContain("was changed");
  expect(await readFile(path, "utf8")).toBe("{}");
});

it("writes the proxy that was named into the commands", async () => {
  expect(await run(["claude-code", "--proxy", "http://proxy.example.com:3128/"])).toMatchObject({ exitCode: 0 });
  const text = await readFile(join(home, ".claude/settings.json"), "utf8");
  expect(text).toContain(" exit 110 105 http://proxy.example.com:3128) && ");
});

/** By what a hostile project planted: the link, and its target. */
const PLANTED = [
  ["the folder of the settings", ".claude", "private"],
  ["the settings themselves", ".claude/settings.json", "private/bashrc"],
  ["the settings' draft of old", ".claude/settings.json.new", "private/bashrc"],
  ["a link to nothing", ".claude/settings.json", "private/nothing"],
  ["a link to a link", ".claude", "private/link"],
] as const;

it.each(PLANTED)("writes nothing through %s", async (_, link, to) => {
  const [project, files] = [join(home, "project"), join(home, "private")];
  await mkdir(join(project, dirname(link)), { recursive: true });
  await mkdir(join(files, "folder"), { recursive: true });
  await writeFile(join(files, "bashrc"), "mine\n");
  await symlink(join(files, "folder"), join(files, "link"));
  await symlink(join(home, to), join(project, link));
  const before = await readdir(files, { recursive: true });
  const { exitCode, stderr } = await run(["claude-code", "--project"], KEY, project);
  expect(await readdir(files, { recursive: true })).toEqual(before);
  expect(await readFile(join(files, "bashrc"), "utf8")).toBe("mine\n");
  const isDraft = link.endsWith(".new");
  expect({ exitCode, isRefused: stderr.includes("is a link") }).toEqual({
    exitCode: isDraft ? 0 : 1,
    isRefused: !isDraft,
  });
  if (!isDraft) expect(await readdir(home)).not.toContain(".config");
  await run(["claude-code", "--project", "--remove"], KEY, project);
  expect(await readdir(files, { recursive: true })).toEqual(before);
});

it("makes folders that everybody may enter, and one for the key that nobody else may", async () => {
  const modeOf = async (folder: string) => (await stat(join(home, folder))).mode & 0o777;
  expect(await run(["claude-code", "--project"])).toMatchObject({ exitCode: 0 });
  expect(await modeOf(".claude")).toBe(0o755);
  expect(await modeOf(".config/quarterdeck")).toBe(0o700);
});

it("writes no hook where the key cannot be written", async () => {
  await writeFile(join(home, ".config"), "no folder");
  expect((await run(["claude-code"])).exitCode).not.toBe(0);
  expect(await filesIn()).toEqual([".config"]);
});

it("keeps the group of the file with the key when it holds another key", async () => {
  expect(await run(["claude-code", "--no-telemetry"])).toMatchObject({ exitCode: 0 });
  const header = join(home, ".config/quarterdeck/header");
  const { uid } = await stat(header);
  // Any group as root; otherwise one that this process is in.
  const gid = uid === 0 ? 12_345 : (process.getgroups?.().at(-1) ?? 0);
  await chown(header, uid, gid);
  expect(await run(["claude-code", "--no-telemetry"], `qd_another_key_${ANSWER_KEY}`)).toMatchObject({ exitCode: 0 });
  expect(await readFile(header, "utf8")).toContain("qd_another_key");
  expect((await stat(header)).gid).toBe(gid);
});

it("shows no key, and writes nothing, in a dry run", async () => {
  const { exitCode, stdout } = await run(["codex", "--dry-run"]);
  expect(exitCode).toBe(0);
  expect(stdout).toContain(`# ${join(home, ".codex/hooks.json")}`);
  expect(stdout).not.toMatch(/qd_Secret|abcdef0123456789abcdef/);
  expect(await filesIn()).toEqual([]);
});

it.each([
  [["emacs"], KEY, 2],
  [["cline", "--managed"], KEY, 2],
  [["codex", "--frobnicate"], KEY, 2],
  [["codex"], "qd_x|e touch pwned", 2],
  [["codex"], "", 1],
  [["codex"], BEARER, 1],
  [["codex", "--proxy", "http://me:secret@proxy.example.com"], KEY, 2],
  [["codex", "--proxy", "socks5://proxy.example.com"], KEY, 2],
])("ends %j with key %j in %i", async (args, key, code) => {
  expect((await run(args, key)).exitCode).toBe(code);
  expect(await readdir(home)).not.toContain("pwned");
});
