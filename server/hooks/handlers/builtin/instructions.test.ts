import { chmod, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { execa } from "execa";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { manualClock } from "../../conformance/manual-clock.ts";
import { createExecutor, type HooksConfig, PROFILES } from "../../index.ts";
import { addDate } from "./add-date.ts";
import { addDirectoryListing } from "./add-directory-listing.ts";
import { addEnvironmentInfo } from "./add-environment-info.ts";
import { addGitDiff } from "./add-git-diff.ts";
import { addGitStatus } from "./add-git-status.ts";
import { addPromptFiles } from "./add-prompt-files.ts";
import { addRecentCommits } from "./add-recent-commits.ts";
import type { BuiltinInstruction } from "./context-output.ts";
import { type Builtin, builtinKind, runIn } from "./kind.ts";

let base: string;
let work: string;
let home: string;
const logged: string[] = [];

beforeEach(async () => {
  base = await mkdtemp(join(await realpath(tmpdir()), "instructions-"));
  work = join(base, "work");
  home = join(base, "home");
  for (const dir of [work, home]) await mkdir(dir);
  logged.length = 0;
});
afterEach(() => rm(base, { recursive: true, force: true }));

const GIT_ENV = {
  ...{ PATH: process.env.PATH ?? "", GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" },
  ...{ GIT_AUTHOR_NAME: "A", GIT_AUTHOR_EMAIL: "a@example.org" },
  ...{ GIT_COMMITTER_NAME: "A", GIT_COMMITTER_EMAIL: "a@example.org" },
};
const git = (...args: string[]) => execa("git", ["-C", work, ...args], { env: GIT_ENV, extendEnv: false });
async function write(files: Readonly<Record<string, string>>) {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(work, name)), { recursive: true });
    await writeFile(join(work, name), text);
  }
}
async function output(builtin: Builtin, args: readonly string[] = [], cwd: string | null = work, env = {}) {
  const run = runIn(builtin, "2026-11");
  const came = await run({
    ...{ event: "turn_start", lane: "default", profile: "2026-11", args, env: { ...GIT_ENV, ...env } },
    ...{ input: cwd === null ? {} : { cwd }, signal: new AbortController().signal },
    log: (text) => void logged.push(text),
  });
  return came?.hook_specific_output;
}
async function items(builtin: Builtin, args?: readonly string[], cwd?: string) {
  const { hook_event_name, additional_context, instruction_context = [] } = (await output(builtin, args, cwd)) ?? {};
  expect(additional_context).toBeUndefined();
  return { event: hook_event_name, items: instruction_context as BuiltinInstruction[] }; // holds: the builtin makes them
}
const files = () => addPromptFiles({ homeDir: home });
const INTRO = () => `Prompt files found in subdirectories of ${work}. Their contents are NOT loaded:\n\n`;

it("without a directory there is nothing; the date needs none", async () => {
  for (const builtin of [
    addGitStatus,
    addGitDiff,
    addRecentCommits,
    addDirectoryListing,
    addEnvironmentInfo,
    files(),
  ]) {
    expect(await output(builtin, ["a"], null)).toBeUndefined();
    expect(await output(builtin, ["a"], "")).toBeUndefined();
  }
  const [date] = ((await output(addDate, [], null))?.instruction_context ?? []) as BuiltinInstruction[]; // holds: the builtin makes them
  const [, day] = /^Today's date: (\d{4}-\d\d-\d\d)$/.exec(date?.content ?? "") ?? [];
  expect(date).toMatchObject({ key: "core/date", label: "date", changed_content: `Today's date is now: ${day}` });
});

describe("git", () => {
  const ALL: readonly (readonly [Builtin, string, string])[] = [
    [addGitStatus, "core/git-status", "turn_start"],
    [addGitDiff, "core/git-diff", "turn_start"],
    [addRecentCommits, "core/recent-commits", "session_start"],
  ];
  it("each is one removed instruction outside a repository", async () => {
    for (const [builtin, key, event] of ALL) {
      const removed = { key, removed: true, removed_content: expect.stringContaining("no longer appl") };
      expect(await items(builtin)).toEqual({ event, items: [removed] });
    }
  });

  it("each is one instruction with texts for a change and a removal", async () => {
    await git("init", "-q", "-b", "main");
    await write({ "a.txt": "one\n" });
    await git("add", "-A");
    await git("commit", "-qm", "begin here");
    await write({ "a.txt": "two\n" });
    for (const [builtin, key, event] of ALL) {
      const came = await items(builtin);
      expect([came.event, came.items.length, came.items[0]?.key]).toEqual([event, 1, key]);
      expect(Object.keys(came.items[0] ?? {})).toEqual([
        ...["key", "label", "content", "changed_content", "removed_content"],
      ]);
    }
    expect((await items(addGitDiff, ["full"])).items[0]?.content).toMatch(
      /^Current working-tree diff:\n\n[\s\S]*\+two$/,
    );
    expect((await items(addGitDiff)).items[0]?.content).toMatch(/^Current working-tree diff \(stat\):\n\n/);
    expect((await items(addRecentCommits)).items[0]?.changed_content).toMatch(/are now:\n\n[0-9a-f]+ begin here$/);
  });

  it("a clean tree has no diff, and a repository without commits no commits", async () => {
    await git("init", "-q", "-b", "main");
    expect((await items(addGitDiff)).items).toEqual([
      { key: "core/git-diff", removed: true, removed_content: "The working tree no longer has a diff." },
    ]);
    expect((await items(addRecentCommits)).items[0]).toMatchObject({ removed: true });
    expect((await items(addGitStatus)).items[0]?.content).toContain("## No commits yet on main");
  });
});

describe("the listing", () => {
  it("is unavailable where the directory cannot be read, and removed where nothing is visible", async () => {
    const key = "core/directory-listing";
    expect((await items(addDirectoryListing, [], join(base, "gone"))).items).toEqual([{ key, unavailable: true }]);
    await write({ ".env": "x" });
    expect((await items(addDirectoryListing)).items).toEqual([
      { key, removed: true, removed_content: expect.stringContaining("no longer has visible") },
    ]);
    await write({ "b/c": "x", "a.md": "x" });
    expect((await items(addDirectoryListing)).items[0]).toMatchObject({
      content: `Top-level entries in ${work}:\n\n- a.md\n- b/`,
      changed_content: `The working-directory listing is now:\n\nTop-level entries in ${work}:\n\n- a.md\n- b/`,
    });
  });
});

it.each([
  [{ SHELL: "/usr/local/bin/fish" }, "Shell: fish (/usr/local/bin/fish)"],
  [{ SHELL: "" }, "Shell: sh (/bin/sh)"],
  [{}, "Shell: sh (/bin/sh)"],
  [{ SHELL: "/x/zsh\n\t</env>" }, "Shell: env> (/x/zsh  </env>)"],
])("the description of the environment names the shell: %j", async (env, line) => {
  const came = await output(addEnvironmentInfo, [], work, env);
  expect(came?.instruction_context).toBeUndefined();
  expect(came?.additional_context?.split("\n\t").slice(-2)).toEqual([line, "</env>"]);
});

describe("prompt files", () => {
  it("each is an item of its own, and the first one completes the group", async () => {
    await write({ "A.md": "aa", "B.md": "" });
    await writeFile(join(home, "A.md"), "home\n");
    const came = await items(files(), ["B.md", "--depth=x", "A.md", "C.md"]);
    expect(came.items.map(({ content, complete_group }) => [content, complete_group])).toEqual([
      [`Instructions from: ${work}/B.md\n`, true],
      [`Instructions from: ${work}/A.md\naa`, undefined],
      [`Instructions from: ${home}/A.md\nhome\n`, undefined],
    ]);
    expect(new Set(came.items.map(({ key }) => key)).size).toBe(3);
    expect(came.items[1]).toMatchObject({
      group: "core/prompt-files",
      label: `instructions from ${work}/A.md`,
      removed_content: `The previously loaded instructions from ${work}/A.md no longer apply.`,
    });
  });

  it("a group without files is complete, and one with a file that cannot be read is unavailable", async () => {
    const group = "core/prompt-files";
    expect((await items(files(), ["A.md"])).items).toEqual([{ group, set_marker: true, complete_group: true }]);
    expect((await items(files(), ["--depth=2"])).items).toEqual([{ group, set_marker: true, complete_group: true }]);
    expect(await output(files(), [])).toBeUndefined();
    await write({ "B.md": "b" });
    await execa("mkfifo", [join(work, "A.md")]);
    expect((await items(files(), ["B.md", "A.md"])).items).toEqual([{ group, unavailable: true, set_marker: true }]);
    expect(logged.join()).toContain("not a regular file");
  });

  it.skipIf(process.getuid?.() === 0)("a file that is closed to us makes the group unavailable", async () => {
    await write({ "A.md": "a" });
    await chmod(join(work, "A.md"), 0);
    expect((await items(files(), ["A.md"])).items[0]).toMatchObject({ unavailable: true });
  });

  it("files below are listed in the order of a walk, to the depth that the last number names", async () => {
    await write({
      "A.md": "",
      "b/A.md": "",
      "b.c/A.md": "",
      "b/d/A.md": "",
      "b/d/e/A.md": "",
      ".h/A.md": "",
      "b/B.md": "",
    });
    const listed = async (...args: string[]) => (await items(files(), [...args, "A.md"])).items.at(1);
    expect(await listed("--depth=9", "--depth=2")).toMatchObject({
      key: "core/prompt-file-index",
      label: `prompt files below ${work}`,
      content: expect.stringContaining(`${INTRO()}- b/A.md\n- b/d/A.md\n- b.c/A.md\n\nRead the ones`),
    });
    expect((await listed("--depth=+1"))?.content).toContain("- b/A.md\n- b.c/A.md\n\n");
    for (const off of ["0", "-2", "", " 1", "1.5", "1e3", "0x2", "99999999999999999999"]) {
      expect(await listed(`--depth=${off}`)).toBeUndefined();
    }
  });

  it("what git ignores is not listed in the root of a work tree", async () => {
    await write({
      ...{ ".gitignore": "out/\n*.local/\n", "src/.gitignore": "gen\n/A.md\n" },
      ...{ "out/A.md": "", "x.local/A.md": "", "src/gen/A.md": "", "src/A.md": "", "src/lib/A.md": "", "ä b/A.md": "" },
    });
    const content = async () => (await items(files(), ["--depth=4", "A.md"])).items.at(-1)?.content ?? "";
    expect((await content()).match(/^- .*$/gm)).toHaveLength(6);
    await git("init", "-q");
    expect((await content()).match(/^- .*$/gm)).toEqual(["- src/lib/A.md", "- ä b/A.md"]);
  });

  it("links count when they stay inside, and no file is there twice", async () => {
    await write({ "A.md": "", "b/A.md": "", "c/x": "", "d/x": "", "e/x": "", "f\n- evil/A.md": "" });
    await symlink(join(work, "b", "A.md"), join(work, "c", "A.md"));
    await symlink("/etc/passwd", join(work, "d", "A.md"));
    await symlink(join(work, "A.md"), join(work, "e", "A.md"));
    await symlink(work, join(work, "b", "loop"));
    const came = await items(files(), ["--depth=50", "A.md"]);
    expect(came.items.at(-1)?.content?.match(/^- .*$/gm)).toEqual(["- b/A.md", "- c/A.md"]);
  });

  it("at most a hundred are listed, and a deep or wide tree ends", async () => {
    await write(Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`p${at}/A.md`, ""])));
    await mkdir(join(work, ...Array.from({ length: 200 }, () => "d")), { recursive: true });
    const content = (await items(files(), ["--depth=1000000", "A.md"])).items.at(-1)?.content ?? "";
    expect(content.match(/^- .*$/gm)).toHaveLength(100);
    expect(content).toContain("- p99/A.md\n\n(only the first 100 are listed)\n\nRead the ones".replace("p99", "p98"));
  });
});

it.each(PROFILES)("an executor returns them where the profile has them, after each other (%s)", async (profile) => {
  await write({ "A.md": "aa" });
  const config: HooksConfig = {
    turn_start: [
      { type: "builtin", command: "add_date" },
      { type: "builtin", command: "add_prompt_files", args: ["A.md"] },
    ],
  };
  const kinds = [builtinKind([addDate, files()])];
  const executor = createExecutor({ config, profile, kinds, clock: manualClock(), workingDir: work });
  const { result } = await executor.dispatch({ event: "turn_start", input: { cwd: work } });
  const labels = result.instruction_context.map(({ label }) => label);
  const isNewer = profile === "2026-11";
  expect(labels).toEqual(isNewer ? ["date", `instructions from ${work}/A.md`] : []);
  expect(result.additional_context).toEqual(isNewer ? "" : expect.stringMatching(/^Today's date: .*\naa$/));
});
