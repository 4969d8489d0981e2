/** Native Windows has no POSIX shell: an enrolment there would write hooks that never run. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { createEnrolmentHome, type EnrolmentHome, KEY, URL } from "../../../e2e/fixtures/enrolment-home.ts";
import { ENROLLED_CLIENT_NAMES } from "../../dialects/schema.ts";
import { enrol } from "./enrol.ts";
import type { ProcessContext } from "./process-context.ts";

let at: EnrolmentHome;
beforeEach(async () => {
  at = await createEnrolmentHome();
});
afterEach(() => at.remove());

const context = (platform: NodeJS.Platform): ProcessContext => ({
  environment: { PATH: "/usr/bin:/bin", QUARTERDECK_KEY: KEY, QUARTERDECK_URL: URL },
  homeDirectory: at.home,
  workingDirectory: at.home,
  platform,
  writeOutput: () => undefined,
  writeError: () => undefined,
});

test.each(ENROLLED_CLIENT_NAMES)("%s is refused there with a sentence, and nothing is written", async (client) => {
  const before = await at.snapshot();
  for (const options of [{}, { dryRun: true }])
    await expect(enrol(client, options, context("win32"))).rejects.toThrow(/native Windows .* WSL/);
  expect(await at.snapshot()).toEqual(before);
});

test("an enrolment that is there can be taken back", async () => {
  const before = await at.snapshot();
  await enrol("claude-code", {}, context("linux"));
  await enrol("claude-code", { remove: true }, context("win32"));
  const after = await at.snapshot();
  expect(Object.keys(after).filter((name) => name.endsWith("settings.json"))).toEqual([]);
  expect(Object.keys(before).every((name) => name in after)).toBe(true);
});
