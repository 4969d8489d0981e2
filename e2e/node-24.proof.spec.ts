/** The product on Node 24, which its image and documents name, whatever Node the tests run on. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "@playwright/test";
import { findNode24 } from "../scripts/node-24.mjs";
import { ownServer } from "./fixtures/own-server.ts";

const CASES = ["executor", "builtin", "matcher", "template"].map((name) =>
  fileURLToPath(new URL(`../server/hooks/conformance/${name}-cases.json`, import.meta.url)),
);
const POLICY = `profile: "2026-08"
hooks:
  pre_tool_use:
    - matcher: ".*"
      hooks: [{ type: command, command: "echo not here >&2; exit 2" }]
`;

let node: string;
test.beforeAll(async () => {
  test.setTimeout(240_000);
  node = await findNode24();
  expect((await promisify(execFile)(node, ["--version"])).stdout).toMatch(/^v24\./);
});

test("npm start serves, holds a call and shows its pages on Node 24", async ({ page }) => {
  test.setTimeout(240_000);
  const server = await ownServer({ node });
  try {
    await server.start();
    const key = (await server.quarterdeck(["key", "create", "--agent", "on 24"])).trim();
    await server.quarterdeck(["policy", "publish", "-", "--name", "gate"], POLICY);
    const answer = await fetch(`${server.url}/api/v1/hooks/pre_tool_use`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ session_id: "s", tool_use_id: "t", tool_name: "shell", tool_input: { cmd: "ls" } }),
    });
    expect(await answer.text()).toContain("not here");
    await page.goto((await server.quarterdeck(["sign-in"])).trim());
    await expect(page.getByRole("heading", { name: "Home" }).or(page.getByLabel("New password"))).toBeVisible();
  } finally {
    await server.close();
  }
});

test("every conformance case passes on Node 24", async () => {
  test.setTimeout(240_000);
  const main = fileURLToPath(new URL("../server/hooks/conformance/main.ts", import.meta.url));
  const run = (program: string) => promisify(execFile)(program, ["--import", "tsx", main, ...CASES]);
  const [here, on24] = [await run(process.execPath), await run(node)];
  expect(on24.stdout).toBe(here.stdout);
});
