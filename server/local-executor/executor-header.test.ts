import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { EXECUTOR_HEADER } from "../platform/answer-mac.ts";
import { executorHeader } from "./executor-header.ts";
import { readSettings } from "./settings.ts";

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "quarterdeck-executor-"));
});
afterAll(() => rm(root, { recursive: true, force: true }));

const stated = (folder: string) => {
  const env = { QUARTERDECK_KEY: "qd_1", QUARTERDECK_HOOK_DIR: folder };
  const settings = readSettings(env, { url: undefined, keyFile: undefined, trustKeyFile: undefined });
  return executorHeader(settings)[EXECUTOR_HEADER];
};

it("names the executor by one id", () => {
  expect(stated(root)).toMatch(/^id=[0-9a-f]{16}$/);
  expect(stated(root)).toBe(stated(root));
});

it("has no id where none can be kept", async () => {
  const folder = join(root, "occupied");
  await mkdir(join(folder, "executor"), { recursive: true, mode: 0o700 });
  expect(stated(folder)).toBe("id=");
});
