import { fork } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { fixtureProgram } from "../../e2e/fixtures/built-program.ts";
import { lockDataDirectory, prepareDataDirectory, prepareSocketDirectory } from "./data-directory.ts";

let base: string;
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), "quarterdeck-data-"));
});
afterEach(() => rm(base, { recursive: true }));

test("a missing directory is made, for its owner alone", async () => {
  const made = await prepareDataDirectory(join(base, "a/b"));
  expect((await stat(made)).mode & 0o777).toBe(0o700);
});

test("a file in its place is one sentence that names the way out", async () => {
  await writeFile(join(base, "file"), "");
  await expect(prepareDataDirectory(join(base, "file/data"))).rejects.toThrow(
    /there is a file in its place\. .*QUARTERDECK_DATA_DIR/,
  );
});

test.runIf(process.getuid?.() !== 0)(
  "a directory of somebody else is one sentence that names the way out",
  async () => {
    await mkdir(join(base, "locked"));
    await chmod(join(base, "locked"), 0o500);
    await expect(prepareDataDirectory(join(base, "locked/data"))).rejects.toThrow(
      /not writable by this user.*QUARTERDECK_DATA_DIR/,
    );
  },
);

test("sockets stay inside a short directory and leave a long one for a private place", async () => {
  const short = await prepareDataDirectory(join(base, "short"));
  expect(await prepareSocketDirectory(short)).toBe(join(short, "run"));
  const long = await prepareDataDirectory(join(base, "x".repeat(90)));
  const outside = await prepareSocketDirectory(long);
  expect(Buffer.byteLength(join(outside, ".s.PGSQL.5432"))).toBeLessThanOrEqual(107);
  expect((await stat(outside)).mode & 0o777).toBe(0o700);
  expect(await prepareSocketDirectory(long)).toBe(outside);
  await rm(outside, { recursive: true });
});

test("two supervisors never share a directory, and kill -9 frees it", async () => {
  const release = await lockDataDirectory(base);
  await expect(lockDataDirectory(base)).rejects.toThrow(`already runs on ${base} (process ${process.pid})`);
  release();
  const holder = fork(await fixtureProgram("lock-process"), [base], { execArgv: [] });
  await once(holder, "message");
  await expect(lockDataDirectory(base)).rejects.toThrow(`process ${holder.pid}`);
  holder.kill("SIGKILL");
  await once(holder, "exit");
  (await lockDataDirectory(base))();
});
