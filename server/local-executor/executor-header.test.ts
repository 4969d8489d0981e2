import { mkdtemp, rm } from "node:fs/promises";
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

function stated(age: string): string {
  const env = { QUARTERDECK_KEY: "qd_1", QUARTERDECK_HOOK_DIR: root, QUARTERDECK_POLICY_MAX_AGE: age };
  return (
    executorHeader(readSettings(env, { url: undefined, keyFile: undefined, trustKeyFile: undefined }))[
      EXECUTOR_HEADER
    ] ?? ""
  );
}

it("names the executor by one id and the age that it was given", () => {
  expect(stated("24h")).toMatch(/^id=[0-9a-f]{16}; max-age=86400$/);
  expect(stated("90s").split(";")[0]).toBe(stated("24h").split(";")[0]);
});

it.each(["36500d", "999999d"])("states no age of more digits than the console reads, of %s too", (age) => {
  expect(stated(age)).toMatch(/^id=[0-9a-f]{16}; max-age=\d{1,9}$/);
});
