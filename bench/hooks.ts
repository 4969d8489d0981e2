/**
 * The cost of hooks to the server itself: dispatches over builtin hooks in one process, choosing among matchers, and
 * commands started one after the other and side by side, with the sandbox and without.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  builtinKind,
  CONCURRENCY_LIMITS,
  createBreakers,
  createConcurrencyLimit,
  createExecutor,
  type HookInput,
  type HooksConfig,
  isContained,
  type SpawnRequest,
  serverBuiltins,
  startSpawner,
  systemClock,
} from "@quarterdeck/hooks";
import { ms, percentile } from "./fixtures/percentile.ts";

const DISPATCHES = 20_000;
const HOOKS = [1, 5, 20];
const MATCHERS = 100;
/** Of processor, for a dispatch over one builtin hook: what else this machine does is not the hooks' doing. */
const ONE_HOOK_MS_MAX = 0.5;
const SPAWNS = 200;
const SIDE_BY_SIDE = 8;
const never = new AbortController().signal;

/** True if a dispatch over one builtin hook stays within its time. */
export async function bench(): Promise<boolean> {
  const perHook: number[] = [];
  for (const count of HOOKS) perHook.push(await builtins(count));
  await builtinsAtWork();
  await matchers();
  for (const sandbox of ["none", "auto"] as const) await spawns(sandbox);
  console.log(`to hold: one builtin hook under ${ONE_HOOK_MS_MAX} ms`);
  return (perHook[0] ?? Number.POSITIVE_INFINITY) < ONE_HOOK_MS_MAX;
}

const kinds = [builtinKind([{ name: "nothing", run: () => null }])];
const atWork = [builtinKind(serverBuiltins())];
const input = {
  session_id: "bench",
  tool_name: "shell",
  tool_input: { cmd: "ls -la src && cat package.json", cwd: "." },
};
const world = () => ({
  kinds,
  clock: systemClock,
  workingDir: "/",
  room: createConcurrencyLimit(CONCURRENCY_LIMITS),
  breakers: createBreakers(systemClock),
});

/** The server's own builtins on what they are made for: a shell command to judge, and a secret to find in it. */
async function builtinsAtWork(): Promise<void> {
  const hooksOf = (command: string): HooksConfig => ({ pre_tool_use: [{ hooks: [{ type: "builtin", command }] }] });
  const leaked = ["gh", "p_", "aZ3".repeat(12)].join("");
  const cmd = (at: number) => `git log -${at % 90} && cat package.json | grep -c ${leaked}`;
  const inputOf = (at: number) => ({ ...input, tool_input: { cmd: cmd(at), cwd: "." } });
  for (const name of ["safer_shell", "redact_secrets"]) await timed(name, hooksOf(name), inputOf, atWork);
}

/** Milliseconds for one dispatch over `count` builtin hooks that say nothing. */
async function builtins(count: number): Promise<number> {
  const hooks = Array.from({ length: count }, (_, at) => ({ type: "builtin", command: "nothing", args: [String(at)] }));
  return timed(`${count} builtin hooks`, { pre_tool_use: [{ hooks }] }, () => input);
}

/** The same with a hundred patterns and a new tool name each time, so that nothing is remembered. */
async function matchers(): Promise<void> {
  const entries = Array.from({ length: MATCHERS }, (_, at) => ({
    matcher: `tool_${at}_[a-z]+|mcp_${at}_.*`,
    hooks: [{ type: "builtin", command: "nothing" }],
  }));
  const named = (at: number) => ({ ...input, tool_name: `tool_${at % MATCHERS}_${letters(at)}` });
  await timed(`${MATCHERS} matchers, a new tool each time`, { pre_tool_use: entries }, named);
  await timed(`${MATCHERS} matchers, the same tool`, { pre_tool_use: entries }, () => named(1));
}

/** A number as small letters, so that a name with it matches. */
const letters = (value: number) => value.toString(10).replace(/\d/g, (digit) => "abcdefghij".charAt(Number(digit)));

async function timed(
  what: string,
  config: HooksConfig,
  inputOf: (at: number) => HookInput,
  kindsOf: typeof kinds = kinds,
): Promise<number> {
  const executor = createExecutor({ config, profile: "2026-07", ...world(), kinds: kindsOf });
  const once = (at: number) => executor.dispatch({ event: "pre_tool_use", input: inputOf(at) });
  for (let at = 0; at < DISPATCHES / 10; at += 1) await once(at);
  const before = process.cpuUsage();
  for (let at = 0; at < DISPATCHES; at += 1) await once(at);
  const { user, system } = process.cpuUsage(before);
  const eachMs = (user + system) / 1_000 / DISPATCHES;
  console.log(`${what}: ${(eachMs * 1_000).toFixed(1)} µs of processor, ${Math.round(1_000 / eachMs)}/s a core`);
  return eachMs;
}

async function spawns(sandbox: "auto" | "none"): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), "quarterdeck-bench-hooks-"));
  const spawner = await startSpawner({ sandbox, scratchDir: join(dir, "scratch") });
  try {
    const { confinement } = spawner;
    const what = isContained(confinement)
      ? `${confinement.sandbox} (${confinement.features.join(", ")})`
      : "no sandbox";
    const request: SpawnRequest = {
      shell: "/bin/sh",
      command: "cat > /dev/null",
      stdin: JSON.stringify(input),
      env: { PATH: "/usr/bin:/bin" },
      isolated: true,
      network: false,
      backstopMs: 10_000,
    };
    const times: number[] = [];
    for (let at = 0; at < SPAWNS; at += 1) {
      const startedMs = performance.now();
      const reply = await spawner.run(request, never);
      if (reply.kind !== "exited" || reply.exitCode !== 0)
        throw new Error(`a hook did not run: ${JSON.stringify(reply)}`);
      times.push(performance.now() - startedMs);
    }
    const startedMs = performance.now();
    const lane = async () => {
      for (let at = 0; at < SPAWNS / SIDE_BY_SIDE; at += 1) await spawner.run(request, never);
    };
    await Promise.all(Array.from({ length: SIDE_BY_SIDE }, lane));
    const perSecond = SPAWNS / ((performance.now() - startedMs) / 1_000);
    const [p50, p99] = [percentile(times, 0.5), percentile(times, 0.99)];
    console.log(`commands, ${what}, limits by ${confinement.limits}:`);
    console.log(`  one by one p50 ${ms(p50)}, p99 ${ms(p99)}; ${SIDE_BY_SIDE} side by side ${Math.round(perSecond)}/s`);
  } finally {
    await spawner.close();
    await rm(dir, { recursive: true, force: true });
  }
}
