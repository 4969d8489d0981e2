/** Enrolment in a real home with the files of other people in it; the last tests run it as a person does, as a process. */
import { lstat, mkdir, readdir, readFile, rm, stat, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  ANSWER_KEY,
  BEARER,
  createEnrolmentHome,
  type EnrolmentHome,
  URL,
} from "../../../e2e/fixtures/enrolment-home.ts";

let at: EnrolmentHome;
let base: string;
let home: string;
beforeEach(async () => {
  at = await createEnrolmentHome();
  ({ base, home } = at);
});
afterEach(() => at.remove());

const enrol: EnrolmentHome["enrol"] = (...args) => at.enrol(...args);
const enrolAsProcess: EnrolmentHome["enrolAsProcess"] = (...args) => at.enrolAsProcess(...args);
const write: EnrolmentHome["write"] = (...args) => at.write(...args);
const snapshot: EnrolmentHome["snapshot"] = (...args) => at.snapshot(...args);
const json: EnrolmentHome["readJson"] = (...args) => at.readJson(...args);

const OTHER_HOOK = { hooks: [{ type: "command", command: "./check.sh" }] };
const IMAGE = ["--managed", "--root", "../image"];

/** By client: how it is enrolled, the file of its settings, and somebody else's text in it. */
const CLIENTS = [
  ["claude-code", ["--user"], "home/.claude/settings.json", { hooks: { PreToolUse: [OTHER_HOOK] }, model: "opus" }],
  ["claude-code", ["--project"], "project/.claude/settings.json", { hooks: { Stop: [OTHER_HOOK] } }],
  ["claude-code", IMAGE, "image/etc/claude-code/managed-settings.json", { allowManagedHooksOnly: false }],
  ["codex", ["--user"], "home/.codex/hooks.json", { hooks: { PreToolUse: [OTHER_HOOK] } }],
  ["copilot", ["--user"], "home/.copilot/hooks/quarterdeck.json", { version: 1, hooks: {} }],
  ["copilot", ["--project"], "project/.github/hooks/quarterdeck.json", { version: 1 }],
  ["cursor", ["--user"], "home/.cursor/hooks.json", { version: 1, hooks: { stop: [{ command: "./note.sh" }] } }],
  ["gemini", ["--user"], "home/.gemini/settings.json", { hooksConfig: { enabled: false }, ui: { theme: "x" } }],
  ["qwen", ["--project"], "project/.qwen/settings.json", { hooks: { PreToolUse: [OTHER_HOOK] } }],
  ["opencode", IMAGE, "image/etc/opencode/opencode.json", { plugin: ["other"], model: "m" }],
] as const;

describe.each(CLIENTS)("%s %j", (client, scope, path, settings) => {
  test("is enrolled once, keeps what others wrote, and is taken back to the last byte", async () => {
    await write(path, `${JSON.stringify(settings, null, 4)}\n`, 0o640);
    const before = await snapshot();
    const dry = await enrol([client, ...scope, "--dry-run"]);
    expect(dry).toMatchObject({ code: 0, stderr: expect.stringContaining("nothing was written") });
    expect(dry.stdout).toContain(`+++ ${join(base, path)}`);
    expect(await snapshot()).toEqual(before);

    const first = await enrol([client, ...scope]);
    expect(first).toMatchObject({ code: 0, stdout: dry.stdout });
    expect(first.stdout).not.toContain(BEARER);
    expect(first.stdout).not.toContain(ANSWER_KEY);
    const enrolled = await snapshot();
    const after = await json(path);
    expect(JSON.stringify(after)).toContain(client === "opencode" ? "quarterdeck.js" : `/api/v1/hooks/${client}/`);
    const hooks = "hooks" in settings ? settings.hooks : {};
    for (const [event, groups] of Object.entries(hooks)) expect(after.hooks[event].slice(0, 1)).toEqual(groups);
    expect((await stat(join(base, path))).mode & 0o777).toBe(0o640);

    const second = await enrol([client, ...scope]);
    expect(second).toMatchObject({ code: 0, stdout: "", stderr: expect.stringContaining("Nothing to do") });
    expect(await snapshot()).toEqual(enrolled);

    expect(await enrol([client, ...scope, "--remove"])).toMatchObject({ code: 0 });
    expect(await snapshot()).toEqual(before);
    const again = await enrol([client, ...scope, "--remove"]);
    expect(again).toMatchObject({ code: 0, stdout: "", stderr: expect.stringContaining("Nothing to do") });
  });

  test("a removal leaves what a person added since", async () => {
    await write(path, `${JSON.stringify(settings, null, 2)}\n`);
    await enrol([client, ...scope]);
    const after = await json(path);
    await write(path, JSON.stringify({ ...after, added: { since: [1] } }, null, 2));
    expect(await enrol([client, ...scope, "--remove"])).toMatchObject({ code: 0 });
    expect(await json(path)).toEqual({ ...settings, added: { since: [1] } });
  });

  test("a damaged file stays as it is, and so does everything else", async () => {
    await write(path, '{ "hooks": {');
    const before = await snapshot();
    const { code, stdout, stderr } = await enrol([client, ...scope]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain(`${join(base, path)} cannot be read`);
    expect(stderr).toContain("line 1");
    expect(await snapshot()).toEqual(before);
  });

  test("a link that leaves the folder is not written through", async () => {
    const outside = await write("outside.json", "{}");
    await mkdir(dirname(join(base, path)), { recursive: true });
    await symlink(outside, join(base, path));
    const before = await snapshot();
    const { code, stderr } = await enrol([client, ...scope]);
    expect(code).toBe(1);
    expect(stderr).toContain("is a link to");
    expect(await snapshot()).toEqual(before);
  });
});

describe("a home without any file", () => {
  test.each([["claude-code"], ["codex"], ["copilot"], ["cursor"], ["gemini"], ["qwen"], ["cline"], ["opencode"]])(
    "gets those of %s and is empty again after the removal",
    async (client) => {
      expect(await enrol([client])).toMatchObject({ code: 0 });
      const files = await snapshot(home);
      expect(files[".config/quarterdeck/header"]).toBe(`600 Authorization: Bearer ${BEARER}\n`);
      expect(files[".config/quarterdeck/answer-key"]).toBe(`600 ${ANSWER_KEY}\n`);
      expect(Object.keys(files).includes(".config/quarterdeck/relay")).toBe(client !== "opencode");
      for (const text of Object.values(files))
        if (text.includes(BEARER) || text.includes(ANSWER_KEY)) expect(text).toMatch(/^600 /);
      expect((await enrol([client])).stderr).toContain("Nothing to do");
      expect(await enrol([client, "--remove"])).toMatchObject({ code: 0 });
      expect(await snapshot(home)).toEqual({});
    },
  );

  test("keeps the key until the last client is removed", async () => {
    await enrol(["gemini"]);
    await enrol(["qwen"], { QUARTERDECK_KEY: "" });
    await enrol(["gemini", "--remove"]);
    expect(Object.keys(await snapshot(home))).toContain(".config/quarterdeck/header");
    await enrol(["qwen", "--remove"]);
    expect(await snapshot(home)).toEqual({});
  });
});

describe("the requirements of Codex for every user", () => {
  const PATH = "image/etc/codex/requirements.toml";
  const TEXT =
    '# ours\nallowed = ["a"]\n\n[features]\nhooks = false # for now\nother = true\n\n[[rules]]\nname = "x"\n';
  const codex = ["codex", ...IMAGE];

  test("keep comments and order, and are taken back", async () => {
    await write(PATH, TEXT);
    const before = await snapshot();
    expect(await enrol(codex)).toMatchObject({ code: 0 });
    const text = await readFile(join(base, PATH), "utf8");
    expect(text).toContain("# ours\n");
    expect(text).toContain("# quarterdeck replaced: hooks = false # for now\nhooks = true # quarterdeck\n");
    expect(text).toContain("[[hooks.PreToolUse]] # quarterdeck\n");
    expect((await enrol(codex)).stderr).toContain("Nothing to do");
    expect(await enrol([...codex, "--remove"])).toMatchObject({ code: 0 });
    expect(await snapshot()).toEqual(before);
  });

  test("follow another address, and lose only their own lines when others came later", async () => {
    await write(PATH, TEXT);
    await enrol(codex);
    await enrol([...codex, "--url", "https://new.example.com"]);
    const text = await readFile(join(base, PATH), "utf8");
    expect(text).toContain("https://new.example.com/api/v1/hooks/codex/");
    expect(text).not.toContain(URL);
    await write(PATH, `${text}[later]\nkey = 1\n`);
    expect(await enrol([...codex, "--remove"])).toMatchObject({ code: 0 });
    expect(await readFile(join(base, PATH), "utf8")).toBe(`${TEXT}[later]\nkey = 1\n`);
  });
});

describe("settings with comments", () => {
  const TEXT = '{\n\t// chosen with care\n\t"ui": { "theme": "x" }, /* more */\n}\n';

  test("keep them where the client reads comments", async () => {
    const path = await write("home/.gemini/settings.json", TEXT);
    expect(await enrol(["gemini"])).toMatchObject({ code: 0 });
    const text = await readFile(path, "utf8");
    expect(text).toContain("\t// chosen with care\n");
    expect(text).toContain("/* more */");
    await enrol(["gemini", "--remove"]);
    expect(await readFile(path, "utf8")).toBe(TEXT);
  });

  test("are refused where it does not", async () => {
    await write("home/.claude/settings.json", TEXT);
    expect((await enrol(["claude-code"])).stderr).toContain("InvalidCommentToken at line 2, column 2");
  });
});

describe("refused is", () => {
  test("a file that is too large, and one with a list in the place of an object", async () => {
    await write("home/.claude/settings.json", JSON.stringify({ text: "x".repeat(1024 * 1024) }));
    expect((await enrol(["claude-code"])).stderr).toMatch(/has \d+ bytes, and no more than 1048576 are read/);
    await write("home/.claude/settings.json", '{"hooks":{"PreToolUse":{}}}');
    expect((await enrol(["claude-code"])).stderr).toContain("hooks.PreToolUse is an object and must be a list");
  });

  test("a program of somebody else's in the place of one of ours", async () => {
    const path = await write("home/.cline/hooks/PreToolUse", "#!/bin/sh\nexit 0\n", 0o755);
    const before = await snapshot();
    expect((await enrol(["cline"])).stderr).toContain(`${path} is there already`);
    expect(await snapshot()).toEqual(before);
  });

  test("a folder that cannot be written, with everything as it was", async () => {
    await write("home/.cline/hooks", "a file where the folder should be");
    const before = await snapshot();
    const { code, stderr } = await enrol(["cline"]);
    expect(code).toBe(1);
    expect(stderr).toContain(".cline/hooks");
    expect(await snapshot()).toEqual(before);
  });

  test.each([
    [["emacs"], {}, 'no client "emacs"'],
    [["docker-agent", "--project"], {}, "use --user"],
    [["cline", "--project"], {}, "use --user"],
    [["gemini", "--user", "--managed"], {}, "one of --user and --managed"],
    [["gemini", "--root", "x"], {}, "--root goes with --managed"],
    [["gemini", "--url", "https://x.example/$(id)"], {}, "Give the gateway's address"],
    [["gemini"], { QUARTERDECK_KEY: "qd_x\nX-Other: 1" }, "Give the agent's key"],
  ])("%j", async (args, env, says) => {
    const { code, stdout, stderr } = await enrol(args, env);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(says);
    expect(await snapshot(home)).toEqual({});
  });

  test("an enrolment without any key", async () => {
    const { code, stderr } = await enrol(["gemini"], { QUARTERDECK_KEY: "" });
    expect(code).toBe(1);
    expect(stderr).toContain("There is no key in");
    expect(await snapshot(home)).toEqual({});
  });
});

test("a file that cannot be written takes back those that were", async () => {
  // The file itself has a path that the system can name; the draft beside it has one too many signs.
  const folders = Array.from({ length: 19 }, () => "d".repeat(200));
  const project = join(base, ...folders, "d".repeat(4065 - join(base, ...folders).length - 1));
  await mkdir(project, { recursive: true });
  const before = await snapshot();
  const { code, stderr } = await enrol(["claude-code", "--project", project]);
  expect(code).toBe(1);
  expect(stderr).toContain(".claude/settings.json cannot be written (ENAMETOOLONG), and nothing was changed");
  expect(await snapshot()).toEqual(before);
});

test("a link within the home is followed and stays a link", async () => {
  const real = await write("home/dotfiles/claude.json", "{}\n");
  await mkdir(join(home, ".claude"));
  await symlink(real, join(home, ".claude/settings.json"));
  expect(await enrol(["claude-code"])).toMatchObject({ code: 0 });
  expect((await lstat(join(home, ".claude/settings.json"))).isSymbolicLink()).toBe(true);
  expect(await readFile(real, "utf8")).toContain("/api/v1/hooks/claude-code/PreToolUse");
});

test("a key that the world could read is closed, and one that was there comes back", async () => {
  const header = await write("home/.config/quarterdeck/header", "Authorization: Bearer qd_former\n", 0o644);
  const { stdout } = await enrol(["gemini"]);
  expect(stdout).not.toContain("qd_former");
  expect((await stat(header)).mode & 0o777).toBe(0o600);
  await enrol(["gemini", "--remove"]);
  expect(await readFile(header, "utf8")).toBe("Authorization: Bearer qd_former\n");
});

test("hooks that a colleague committed are found without a record of them", async () => {
  await enrol(["claude-code", "--project"]);
  await rm(join(home, ".config"), { recursive: true });
  expect(await enrol(["claude-code", "--project", "--remove"])).toMatchObject({ code: 0 });
  expect(await readdir(join(base, "project"))).toEqual([".claude"]);
  expect(await readdir(join(base, "project/.claude"))).toEqual([]);
});

describe("the relay", () => {
  const SETTINGS = "home/.claude/settings.json";
  const RELAY = "home/.config/quarterdeck/relay";
  const gate = async () => (await json(SETTINGS)).hooks.PreToolUse;

  test("takes the place of the older form of a command, and a removal knows both", async () => {
    const command = `curl -sS -f -m 8 -H "@$HOME/.config/quarterdeck/header" --data-binary @- ${URL}/api/v1/hooks/claude-code/PreToolUse || exit 2`;
    const older = { hooks: [{ type: "command", timeout: 10, command }] };
    await write(SETTINGS, JSON.stringify({ hooks: { PreToolUse: [OTHER_HOOK, older] } }));
    await enrol(["claude-code"]);
    const [other, own, ...more] = await gate();
    expect({ other, more }).toEqual({ other: OTHER_HOOK, more: [] });
    expect(own.hooks[0].command).toBe(
      `unset -f printf echo 2>/dev/null; [ -f "$HOME/.config/quarterdeck/relay" ] && out=$(/bin/sh "$HOME/.config/quarterdeck/relay" ${URL}/api/v1/hooks/claude-code/PreToolUse exit 110 105) && case $out in "{"*"}") printf %s "$out";; *) ! :;; esac || { echo 'quarterdeck: no verdict, blocked' >&2; exit 2; }`,
    );
    await write(SETTINGS, JSON.stringify({ hooks: { PreToolUse: [OTHER_HOOK, older] } }));
    await enrol(["claude-code", "--remove"]);
    expect(await gate()).toEqual([OTHER_HOOK]);
  });

  test("is written anew when somebody changed it, and no other user may change it", async () => {
    await enrol(["claude-code"]);
    const own = await readFile(join(base, RELAY), "utf8");
    await write(RELAY, "#!/bin/sh\necho '{}'\n", 0o666);
    expect((await enrol(["claude-code"])).stderr).toContain("1 file changed");
    expect(await readFile(join(base, RELAY), "utf8")).toBe(own);
    expect((await stat(join(base, RELAY))).mode & 0o022).toBe(0);
  });

  test("uses the proxy that was named, and no address with a password", async () => {
    await enrol(["claude-code", "--proxy", "http://proxy.example.com:3128/"]);
    expect((await gate())[0].hooks[0].command).toContain(" exit 110 105 http://proxy.example.com:3128) && ");
    const refused = await enrol(["claude-code", "--proxy", "http://me:secret@proxy.example.com"]);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("Give the proxy's address") });
  });

  test("checks signatures where there is openssl, and the enrolment says so", async () => {
    expect((await enrol(["claude-code"])).stderr).toContain("The signature of each answer is checked.");
    expect(await readFile(join(base, RELAY), "utf8")).toContain("\ncheck=openssl\n");
    const image = await enrol(["claude-code", ...IMAGE]);
    expect(image.stderr).toContain("There is no openssl on this machine");
    expect(await readFile(join(base, "image/etc/quarterdeck/relay"), "utf8")).toContain("\ncheck=none\n");
  });

  test("is not written for a key of the older form, whose answers cannot be checked", async () => {
    const { code, stderr } = await enrol(["claude-code"], { QUARTERDECK_KEY: BEARER });
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining("Create a new key for this agent") });
    expect(await snapshot(home)).toEqual({});
    expect(await enrol(["claude-code", ...IMAGE], { QUARTERDECK_KEY: BEARER })).toMatchObject({ code: 0 });
  });
});

describe("as a process", () => {
  test("enrols, has nothing to do, and takes it back", async () => {
    const first = await enrolAsProcess(["gemini"]);
    expect(first).toMatchObject({ code: 0, stderr: expect.stringContaining("is enrolled; 5 files changed") });
    expect(first.stdout).toContain(`+++ ${join(home, ".gemini/settings.json")}`);
    expect((await enrolAsProcess(["gemini"])).stderr).toContain("Nothing to do");
    expect((await enrolAsProcess(["gemini", "--remove"])).code).toBe(0);
    expect(await snapshot(home)).toEqual({});
  });

  test("ends in 2 when it is asked wrongly, and in 1 when it fails", async () => {
    expect(await enrolAsProcess(["emacs"])).toMatchObject({ code: 2, stdout: "" });
    await write("home/.gemini/settings.json", "{");
    expect(await enrolAsProcess(["gemini"])).toMatchObject({ code: 1, stdout: "" });
  });
});
