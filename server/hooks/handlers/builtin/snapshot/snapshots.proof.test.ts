import { createHash } from "node:crypto";
import {
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { execa } from "execa";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { repetitions } from "../../../../../e2e/fixtures/long-run.ts";
import type { EventName } from "../../../contract/events.ts";
import { createSnapshots } from "./snapshots.ts";

let base: string;
let repo: string;
let dataDir: string;
let env: Record<string, string>;
const logged: string[] = [];

beforeEach(async () => {
  base = await mkdtemp(join(await realpath(tmpdir()), "snapshot-test-"));
  repo = join(base, "repo");
  dataDir = join(base, "data");
  await mkdir(repo);
  logged.length = 0;
  const person = { GIT_AUTHOR_NAME: "A", GIT_AUTHOR_EMAIL: "a@b", GIT_COMMITTER_NAME: "A", GIT_COMMITTER_EMAIL: "a@b" };
  env = { PATH: process.env.PATH ?? "", HOME: base, LC_ALL: "C", GIT_CONFIG_GLOBAL: "/dev/null", ...person };
  await git("init", "-q", "-b", "main");
  await write("base.txt", "base");
  await git("add", "-A");
  await git("commit", "-q", "-m", "first");
});
afterEach(() => rm(base, { recursive: true, force: true }));

const git = async (...args: string[]) => (await execa("git", ["-C", repo, ...args], { env, extendEnv: false })).stdout;
const write = async (name: string, content: string | Buffer) => {
  await mkdir(dirname(join(repo, name)), { recursive: true });
  await writeFile(join(repo, name), content);
};
const read = (name: string) => readFile(join(repo, name), "utf8").catch(() => null);

/** Every call has an instance of its own, as when every hook is a process. */
async function fire(event: EventName, more: object = {}) {
  const { builtin } = createSnapshots({ dataDir, env });
  const input = { session_id: "s", cwd: repo, hook_event_name: event, ...more };
  const place = { lane: "default", profile: "2026-07", args: [], env } as const;
  const signal = new AbortController().signal;
  expect(await builtin.run({ ...place, event, input, signal, log: (text) => logged.push(text) })).toBeNull();
}
const controller = () => createSnapshots({ dataDir, env });
const turn = async (work: () => Promise<unknown>, more: object = {}) => {
  await fire("turn_start", more);
  await work();
  await fire("turn_end", more);
};

/** Every entry below a folder with its kind, mode and content. */
async function everything(dir: string, within = ""): Promise<string[]> {
  const found: string[] = [];
  for (const name of (await readdir(join(dir, within))).sort()) {
    const path = join(within, name);
    const at = await lstat(join(dir, path));
    if (at.isDirectory()) found.push(`${path}/`, ...(await everything(dir, path)));
    else if (at.isSymbolicLink()) found.push(`${path} -> ${await readlink(join(dir, path))}`);
    else
      found.push(
        `${path} ${at.mode} ${createHash("sha256")
          .update(await readFile(join(dir, path)))
          .digest("hex")}`,
      );
  }
  return found;
}

describe("the repository", () => {
  it("is never changed: not its index, refs, objects, configuration or files", async () => {
    await write("edited.txt", "1");
    await write(".gitignore", "ignored\n");
    await write("ignored", "x");
    const before = await everything(repo);
    const index = await stat(join(repo, ".git", "index"));
    await fire("session_start");
    await fire("turn_start");
    await fire("pre_tool_use", { tool_use_id: "t" });
    await fire("post_tool_use", { tool_use_id: "t" });
    await fire("turn_end");
    await fire("session_end");
    expect(await everything(repo)).toEqual(before);
    expect((await stat(join(repo, ".git", "index"))).mtimeMs).toBe(index.mtimeMs);
    expect(logged).toEqual([]);
  });

  it("has nothing of its own started: no filter, hook or monitor", async () => {
    const trap = join(base, "trap.sh");
    await writeFile(trap, `#!/bin/sh\ntouch ${base}/ran\nexec cat\n`, { mode: 0o755 });
    await mkdir(join(base, "hooks"));
    for (const hook of ["post-checkout", "post-index-change"])
      await writeFile(join(base, "hooks", hook), `#!/bin/sh\ntouch ${base}/ran\n`, { mode: 0o755 });
    await write(".gitattributes", "* filter=evil diff=evil text=auto eol=crlf ident working-tree-encoding=UTF-16\n");
    for (const key of ["filter.evil.clean", "filter.evil.smudge", "core.fsmonitor", "diff.external"])
      await git("config", key, trap);
    await git("config", "core.hooksPath", join(base, "hooks"));
    await turn(async () => {
      await write("base.txt", "a\r\nb $Id$\n");
      await write("new.txt", "new");
    });
    expect(await controller().undo("s")).toEqual({ files: 2, ok: true });
    expect(await readdir(base)).not.toContain("ran");
    expect(await read("base.txt")).toBe("base");
  });
});

describe("undo", () => {
  it("brings files back byte for byte, whatever attributes say, with links and modes", async () => {
    await write(".gitattributes", "* text=auto eol=crlf ident\n");
    const content = Buffer.from([0, 13, 10, 10, 255, 36, 73, 100, 36, 10]);
    await write("binary.dat", content);
    await writeFile(join(repo, "run.sh"), "#!/bin/sh\r\n", { mode: 0o755 });
    await symlink("base.txt", join(repo, "link"));
    const before = await everything(repo);
    await turn(async () => {
      await write("binary.dat", "other");
      await rm(join(repo, "run.sh"));
      await rm(join(repo, "link"));
      await write("link", "a file now");
      await write("new/deep/file.txt", "new");
      await write("base.txt", "");
    });
    expect(await controller().list("s")).toEqual([5]);
    expect(await controller().undo("s")).toEqual({ files: 5, ok: true });
    expect((await everything(repo)).filter((one) => !one.startsWith("new/"))).toEqual(before);
    expect(await controller().undo("s")).toEqual({ files: 0, ok: false });
    expect(await controller().list("s")).toEqual([]);
  });

  it("undoes a folder that took a file's place, and a file that took a folder's", async () => {
    await write("dir/inner.txt", "inner");
    await turn(async () => {
      await rm(join(repo, "base.txt"));
      await write("base.txt/inside", "x");
      await rm(join(repo, "dir"), { recursive: true });
      await write("dir", "file");
    });
    expect(await controller().undo("s")).toEqual({ files: 4, ok: true });
    expect([await read("base.txt"), await read("dir/inner.txt")]).toEqual(["base", "inner"]);
  });

  it("keeps a folder that holds something it does not know", async () => {
    await write(".gitignore", "precious\n");
    await turn(async () => {
      await rm(join(repo, "base.txt"));
      await write("base.txt/inside", "x");
      await write("base.txt/precious", "mine");
    });
    await controller().undo("s");
    expect(await read("base.txt/precious")).toBe("mine");
  });

  it("survives the end of the session and an idle last turn", async () => {
    await turn(() => write("base.txt", "edited"));
    await turn(async () => {});
    await fire("session_end");
    expect(await controller().undo("s")).toEqual({ files: 1, ok: true });
    expect(await read("base.txt")).toBe("base");
  });

  it("writes and deletes nothing outside the worktree, nor behind a link, nor in .git", async () => {
    await write("dir/file.txt", "inside");
    await turn(() => write("dir/file.txt", "edited"));
    await mkdir(join(base, "outside"));
    await writeFile(join(base, "outside", "file.txt"), "outside");
    await rm(join(repo, "dir"), { recursive: true });
    await symlink(join(base, "outside"), join(repo, "dir"));
    const [name = ""] = await readdir(join(dataDir, "snapshot", "sessions")).then((all) =>
      all.filter((one) => one.endsWith(".json")),
    );
    const path = join(dataDir, "snapshot", "sessions", name);
    const session = JSON.parse(await readFile(path, "utf8"));
    const config = await read(".git/config");
    session.checkpoints[0].files.push(
      join(base, "outside", "file.txt"),
      join(repo, ".git", "config"),
      join(repo, "..", "x"),
      repo,
      "/etc/hostname-not",
      "relative",
      join(repo, "sub", ".GIT", "config"),
    );
    await writeFile(path, JSON.stringify(session));
    expect(await controller().undo("s")).toEqual({ files: 0, ok: true });
    expect(await readFile(join(base, "outside", "file.txt"), "utf8")).toBe("outside");
    expect(await read(".git/config")).toBe(config);
  });

  it("fails, and keeps the history, when the worktree is gone", async () => {
    await turn(() => write("base.txt", "edited"));
    await rm(repo, { recursive: true });
    await expect(controller().undo("s")).rejects.toThrow("is gone");
    expect(await controller().list("s")).toEqual([1]);
  });
});

describe("reset", () => {
  const three = async () => {
    await turn(() => write("base.txt", "1"));
    await turn(async () => {
      await write("base.txt", "2");
      await write("two.txt", "2");
    });
    await turn(() => write("two.txt", "3"));
  };

  it("takes back every checkpoint from an index on, each file to the oldest state that lists it", async () => {
    await three();
    expect(await controller().list("s")).toEqual([1, 2, 1]);
    expect(await controller().reset("s", 3)).toEqual({ files: 0, ok: false });
    expect(await controller().reset("s", 1)).toEqual({ files: 2, ok: true });
    expect([await read("base.txt"), await read("two.txt")]).toEqual(["1", null]);
    expect(await controller().list("s")).toEqual([1]);
  });

  it("a negative index keeps none; an unknown session has none", async () => {
    await three();
    expect(await controller().reset("other", 0)).toEqual({ files: 0, ok: false });
    expect(await controller().reset("s", -5)).toEqual({ files: 2, ok: true });
    expect([await read("base.txt"), await read("two.txt")]).toEqual(["base", null]);
  });
});

describe("what is captured", () => {
  it("not what is ignored, by whichever list of the repository, nor new files above 2 MiB", async () => {
    await write(".gitignore", "a.ignored\n");
    await writeFile(join(repo, ".git", "info", "exclude"), "b.ignored\n");
    await turn(async () => {
      await write("a.ignored", "x");
      await write("b.ignored", "x");
      await write("large.bin", Buffer.alloc(2_097_153));
    });
    expect(await controller().list("s")).toEqual([]);
    await turn(() => write("exact.bin", Buffer.alloc(2_097_152)));
    await turn(() => write("exact.bin", Buffer.alloc(2_097_153, 1)));
    expect(await controller().list("s")).toEqual([1, 1]);
    await controller().undo("s");
    expect((await stat(join(repo, "exact.bin"))).size).toBe(2_097_152);
  });

  it("only below the directory of the session", async () => {
    await mkdir(join(repo, "sub"));
    const more = { cwd: join(repo, "sub") };
    await turn(() => Promise.all([write("sub/in.txt", "x"), write("out.txt", "x")]), more);
    expect(await controller().list("s")).toEqual([1]);
  });

  it("a tool call against the state before that very call", async () => {
    await fire("pre_tool_use", { tool_use_id: "a" });
    await write("a.txt", "a");
    await fire("pre_tool_use", { tool_use_id: "b" });
    await fire("post_tool_use", { tool_use_id: "b" });
    await fire("post_tool_use", { tool_use_id: "never" });
    await fire("post_tool_use", { tool_use_id: "" });
    expect(await controller().list("s")).toEqual([]);
    await fire("post_tool_use", { tool_use_id: "a" });
    await fire("post_tool_use", { tool_use_id: "a" });
    expect(await controller().list("s")).toEqual([1]);
  });

  it("nothing without a session, a directory, a repository, or the turn's beginning", async () => {
    await turn(() => write("base.txt", "1"), { session_id: "" });
    await turn(() => write("base.txt", "2"), { cwd: "" });
    await turn(() => write("base.txt", "3"), { cwd: base });
    await fire("turn_end");
    await fire("stop");
    expect(await controller().list("s")).toEqual([]);
    expect(logged).toEqual([]);
  });

  it("not our own store, when it lies in the worktree", async () => {
    dataDir = join(repo, ".quarterdeck");
    await turn(async () => {});
    await turn(async () => {});
    expect(await controller().list("s")).toEqual([]);
  });

  it("is for us alone, and of each session id another", async () => {
    await turn(() => write("base.txt", "1"), { session_id: "../../x" });
    expect((await stat(join(dataDir, "snapshot"))).mode & 0o077).toBe(0);
    expect(await controller().list("../../x")).toEqual([1]);
    expect(await controller().list("x")).toEqual([]);
  });

  it("a lock left by a process that is gone, and a lock of git's own, do not stop it", async () => {
    await turn(() => write("base.txt", "1"));
    const [shadow = ""] = (await readdir(join(dataDir, "snapshot"))).filter((name) => /^[0-9a-f]{32}$/.test(name));
    await writeFile(join(dataDir, "snapshot", `${shadow}.lock`), "999999999 abc");
    await writeFile(join(dataDir, "snapshot", shadow, "index.lock"), "");
    await turn(() => write("base.txt", "2"));
    expect(await controller().list("s")).toEqual([1, 1]);
  });

  it("from many at once, each in its turn", async () => {
    const ids = Array.from({ length: 8 }, (_, index) => `t${index}`);
    await Promise.all(ids.map((tool_use_id) => fire("pre_tool_use", { tool_use_id })));
    await write("a.txt", "a");
    await Promise.all(ids.map((tool_use_id) => fire("post_tool_use", { tool_use_id })));
    expect(await controller().list("s")).toEqual(ids.map(() => 1));
    expect(logged).toEqual([]);
  });
});

it("whatever the turns did, taking all back gives the files of the beginning", async () => {
  const name = fc.constantFrom("a", "b", "d/e", "d/f", "ü n", "-x", "base.txt");
  const change = fc.oneof(
    fc.record({ name, content: fc.string({ maxLength: 20 }) }),
    fc.record({ name, content: fc.constant(null) }),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(change, { maxLength: 4 }), { minLength: 1, maxLength: 4 }),
      fc.uuid(),
      async (turns, session_id) => {
        const files = async () =>
          (await everything(repo)).filter((one) => !one.startsWith(".git/") && !one.endsWith("/"));
        const before = await files();
        for (const changes of turns) {
          await turn(
            async () => {
              for (const { name, content } of changes) {
                if (content === null) await rm(join(repo, name), { force: true });
                else await write(name, content);
              }
            },
            { session_id },
          );
        }
        await controller().reset(session_id, 0);
        expect(await files()).toEqual(before);
        // Another beginning for the next run.
        await write("a", String(turns.length));
      },
    ),
    { numRuns: repetitions(3, 40) },
  );
}, 120_000);
