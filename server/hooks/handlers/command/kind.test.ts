import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { allowedEnvironment, expandPath, hookEnvironment } from "../../environment.ts";
import {
  builtinKind,
  commandKind,
  createExecutor,
  type HooksConfig,
  type Spawner,
  startSpawner,
  systemClock,
} from "../../index.ts";

let spawner: Spawner;
let root: string;
beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "command-")));
  await mkdir(join(root, "sub"));
  spawner = await startSpawner({ sandbox: "none", scratchDir: join(root, "scratch") });
});
afterAll(async () => {
  await spawner.close();
  await rm(root, { recursive: true, force: true });
});

/** A reference to a variable, as it is written in a hook's `env`. */
const reference = (name: string) => `$\{env.${name}}`;

async function said(place: "isolated" | "given", command: string, more: object = {}): Promise<string> {
  const config: HooksConfig = { session_start: [{ type: "command", command, ...more }] };
  const env = { PATH: process.env.PATH ?? "", DATABASE_URL: "postgres://secret", HOME: root, SHELL: "/bin/sh" };
  const kinds = [commandKind(spawner, { place }), builtinKind([])];
  const executor = createExecutor({ config, profile: "2026-07", kinds, clock: systemClock, env, workingDir: root });
  const { result, hooks } = await executor.dispatch({ event: "session_start", input: {} });
  return result.additional_context || (hooks[0]?.error ?? "");
}

it("an isolated hook never sees the server's environment, not even by asking for it", async () => {
  const more = { env: { STOLEN: reference("DATABASE_URL"), PLAIN: "$HOME" } };
  expect(await said("isolated", 'echo "[$DATABASE_URL][$STOLEN][$PLAIN]"', more)).toBe("[][][$HOME]");
  expect(await said("given", 'echo "[$DATABASE_URL][$STOLEN]"', more)).toBe("[postgres://secret][postgres://secret]");
});

it("runs where it is told, and else in the dispatch's directory or a scratch one", async () => {
  expect(await said("given", "pwd")).toBe(root);
  expect(await said("given", "pwd", { working_dir: "sub" })).toBe(join(root, "sub"));
  expect(await said("given", "pwd", { working_dir: "~/sub" })).toBe(join(root, "sub"));
  expect(await said("isolated", "pwd")).toMatch(/\/scratch\/run-/);
  expect(await said("isolated", "pwd", { working_dir: join(root, "sub") })).toBe(join(root, "sub"));
  expect(await said("isolated", "pwd", { working_dir: "missing" })).toContain("no such directory");
});

it("a hook that runs out of time is ended and says what it had to say", async () => {
  const config: HooksConfig = {
    pre_tool_use: [{ hooks: [{ type: "command", command: "echo cause >&2; sleep 60", timeout: 1 }] }],
  };
  const kinds = [commandKind(spawner, { place: "isolated" })];
  const executor = createExecutor({ config, profile: "2026-08", kinds, clock: systemClock, workingDir: root });
  const { result, hooks } = await executor.dispatch({ event: "pre_tool_use", input: {} });
  expect(result).toMatchObject({ allowed: false, exit_code: -1, stderr: "cause\n" });
  expect(result.message).toContain("timed out after 1s");
  expect(hooks[0]?.durationMs).toBeLessThan(3_000);
});

it("fills in paths and references as documented", () => {
  const env = { HOME: "/home/x", A: "1" };
  expect(["~/p", "~", "~x", `$A/$\{A}/${reference("A")}/$NO`].map((path) => expandPath(path, env))).toEqual([
    "/home/x/p",
    "/home/x",
    "~x",
    "1/1/1/",
  ]);
  expect(
    hookEnvironment({ A: "1" }, { B: reference("A"), C: `x${reference("A")}`, D: reference("NO"), A: "2" }),
  ).toEqual({
    A: "2",
    B: "1",
    C: `x${reference("A")}`,
    D: "",
  });
  expect(allowedEnvironment({ PATH: "/p", LC_ALL: "C", QUARTERDECK_TOKEN: "t", HOME: "/h" })).toEqual({
    PATH: "/p",
    LC_ALL: "C",
  });
});
