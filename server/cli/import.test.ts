/** `quarterdeck import` as a script uses it: a process of its own, and no server anywhere. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { quarterdeck } from "../../e2e/fixtures/command-line.ts";
import { readPolicy } from "../policies/text/source.ts";

const SETTINGS = `{
  "permissions": { "deny": ["Bash(rm:*)"] },
  "hooks": { "Stop": [{ "hooks": [{ "type": "http", "url": "https://a.example" }] }] }
}
`;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "quarterdeck-import-"));
  await writeFile(join(folder, "settings.json"), SETTINGS);
});
afterAll(() => rm(folder, { recursive: true, force: true }));
const run = (args: readonly string[], stdin = "") => quarterdeck(args, folder, {}, stdin);

test("the policy is printed, and each line of the file is named", async () => {
  const { code, stdout, stderr } = await run(["import", "claude-code", "settings.json"]);
  expect(code).toBe(0);
  expect(readPolicy(stdout)).toMatchObject({ problems: [] });
  expect(stderr).toMatch(/^settings\.json:2: carried: deny Bash\(rm:\*\) \(/m);
  expect(stderr).toMatch(/^settings\.json:3: not carried: Stop http \(Policies have no hooks of type http\./m);
  const json = JSON.parse((await run(["import", "claude-code", "-", "--json"], SETTINGS)).stdout);
  expect(json).toMatchObject({ policyYaml: stdout, carried: [{ line: 2 }], notCarried: [{ line: 3 }] });
});

test("a wrong client and a file that cannot be read are refused in a sentence", async () => {
  expect(await run(["import", "emacs", "settings.json"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("copilot"),
  });
  const wrong = await run(["import", "cursor", "-"], "{,}");
  expect(wrong).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringContaining("stdin: The file is not JSON. Line 1"),
  });
});
