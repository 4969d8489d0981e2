/**
 * Proof of backtests on generated calls: each call ends as it ends when it is dispatched alone, no loosening is missed, and a run
 * whose process is killed gives the same result.
 */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  builtinKind,
  createExecutor,
  rulesKind,
  serverBuiltins,
  systemClock,
  verdictOfReport,
} from "@quarterdeck/hooks";
import { afterAll, beforeAll, expect, it } from "vitest";
import { fixtureProgram } from "../../e2e/fixtures/built-program.ts";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { createLog } from "../platform/log.ts";
import * as policies from "../policies/index.ts";
import type { ReplayRow } from "./replay-row.ts";
import { replay } from "./replay-tasks.ts";
import * as service from "./run-service.ts";
import { createBacktests } from "./runs.ts";

/** Equal seeds give equal numbers, from 0 to below 1. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}
const SEED = 20_261_129;
const random = createRandom(SEED);
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T; // holds: lists are not empty

const PROGRAMS = ["git", "rm", "curl", "npm", "ls", "make", "docker", "cat", "ssh", "python"] as const;
const TAILS = ["", " --force", " -rf build", " push origin main", " install x", " /etc/passwd", " https://example.org"];
const CALLS = 5_000;
const PAIRS = 200;
const AGENT = "00000000-0000-4000-8000-000000000001";

type Word = "deny" | "ask" | "allow";
interface Rule {
  readonly program: (typeof PROGRAMS)[number];
  readonly word: Word;
}
const ruleText = ({ program, word }: Rule) => `{command: {program: ${program}}, ${word}: ${program} is named}`;
const policy = (rules: readonly Rule[], isEarly = false) => `profile: 2026-11
hooks:
  pre_tool_use:
    - matcher: shell
${isEarly ? "      preempt_yolo: true\n" : ""}      hooks:
        - name: generated
          type: rules
          rules:
${rules.map((rule) => `            - ${ruleText(rule)}`).join("\n")}
        - {name: safety, type: builtin, command: safer_shell}
`;
const rulesOf = (count: number): Rule[] => {
  const programs = [...PROGRAMS].sort(() => random() - 0.5).slice(0, count);
  return programs.map((program) => ({ program, word: pick(["deny", "ask", "allow"] as const) }));
};
const hooksOf = (source: string) => {
  const { hooks, problems } = policies.readPolicy(source);
  if (!hooks) throw new Error(JSON.stringify(problems));
  return hooks;
};

const rowOf = (command: string, number: number): ReplayRow => ({
  ...{ id: crypto.randomUUID(), atMs: Date.now(), agentId: AGENT, agentName: "one", sessionId: "s" },
  ...{ event: "pre_tool_use", lane: "default", tool_name: "shell", has_early: false, asks_early: number % 5 === 0 },
  input: JSON.stringify({ session_id: "s", tool_name: "shell", tool_input: { cmd: command } }),
  marks: {},
});
const commands = Array.from({ length: CALLS }, () => pick(PROGRAMS) + pick(TAILS));

const setOf = (source: string) => ({
  profile: "2026-11" as const,
  members: [{ policyId: "p", policy: "p", number: 1, profile: "2026-11" as const, hooks: hooksOf(source) }],
});
const setupOf = (key: string, inForce: string, candidate: string) => ({
  ...{ key, sets: { inForce: setOf(inForce), candidate: setOf(candidate) }, exceptions: [], changedMarks: [] },
  ...{ marksFromMs: 0, agents: { [AGENT]: { name: "one", tags: [], inForce: "inForce", candidate: "candidate" } } },
});

it("0 of 5,000 calls end otherwise than when each is dispatched alone", async () => {
  const [inForce, candidate] = [policy(rulesOf(5)), policy(rulesOf(6))];
  const rows = commands.map((command) => ({ ...rowOf(command, 1) }));
  const { flips, tally } = await replay({ setup: setupOf("equal", inForce, candidate), rows });
  const kinds = [rulesKind(), builtinKind(serverBuiltins())];
  const alone = [inForce, candidate].map((source) =>
    createExecutor({ config: hooksOf(source), profile: "2026-11", kinds, clock: systemClock, workingDir: "/" }),
  );
  const flipById = new Map(flips.map((flip) => [flip.id, flip]));
  let different = 0;
  for (const { id, input } of rows) {
    const call = { event: "pre_tool_use", input: JSON.parse(input ?? "") } as const;
    const [from, to] = await Promise.all(
      alone.map(async (one) => verdictOfReport(await one.dispatch(call), "pre_tool_use")),
    );
    const flip = flipById.get(id);
    if (flip ? flip.from !== from || flip.to !== to : from !== to) different += 1;
  }
  expect(different).toBe(0);
  expect(flips.length).toBeGreaterThan(500);
  expect(tally.unknown).toEqual({});
}, 240_000);

it("0 of 200 loosenings are missed", async () => {
  let [missed, wrong] = [0, 0];
  for (let pair = 0; pair < PAIRS; pair += 1) {
    const victim: Rule = { program: pick(PROGRAMS), word: "deny" };
    const unique = [...rulesOf(3).filter(({ program }) => program !== victim.program), victim];
    const softer = random() < 0.5 ? ("ask" as const) : null;
    const kept = unique.filter((rule) => rule !== victim);
    const loosened = softer === null ? kept : [...kept, { ...victim, word: softer }];
    const isEarly = random() < 0.3;
    // Without the builtin: its own question would remain.
    const text = (all: readonly Rule[]) => policy(all, isEarly).replace(/ {8}- \{name: safety.*\n/, "");
    const rows = [victim.program, "whoami", ...unique.map(({ program }) => program)].map((command) => ({
      ...rowOf(command, 0),
    }));
    const none = "profile: 2026-11\nhooks: {}\n";
    const next = loosened.length === 0 ? none : text(loosened);
    const { flips } = await replay({ setup: setupOf(`pair ${pair}`, text(unique), next), rows });
    if (!flips.some(({ id, isLooser }) => id === rows[0]?.id && isLooser)) missed += 1;
    if (flips.some(({ isLooser, id }) => !isLooser && id === rows[0]?.id)) wrong += 1;
  }
  expect({ missed, wrong }).toEqual({ missed: 0, wrong: 0 });
}, 240_000);

let db: TestDatabase;
let server: TestGateway;
let child: ChildProcess | undefined;
beforeAll(async () => {
  db = await testDatabase();
  server = await testGateway(db.url);
});
afterAll(async () => {
  child?.kill("SIGKILL");
  await server?.stop();
  await db?.drop();
});

it("a run whose process is killed at half resumes, and counts what a whole run counts", async () => {
  const key = await server.agent("one");
  // The first call makes the month's partition.
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  await fetch(`${server.url}/api/v1/hooks/session_start`, { method: "POST", headers, body: '{"session_id":"s"}' });
  await server.publish(policy(rulesOf(5)), "guard");
  const { workspaceId } = server.admin;
  await db.owner.query(
    `INSERT INTO dispatch (workspace_id, id, occurred_at, received_at, agent_id, agent_name, session_id, event, lane, origin, tool_name,
       verdict, revision, duration_us, input, answer, hooks)
     SELECT $1, gen_random_uuid(), now() - n * interval '1 second', now(), agent.id, agent.name, 's', 'pre_tool_use', 'default', 'gate',
       'shell', 'none', 'none', 1, json_build_object('session_id', 's', 'tool_name', 'shell', 'tool_input', json_build_object('cmd', command))::text,
       '{}', '[]'
     FROM unnest($2::text[]) WITH ORDINALITY AS call (command, n), agent WHERE agent.workspace_id = $1`,
    [workspaceId, commands.slice(0, 2_000)],
  );
  const policyId = (await policies.list(server.database, workspaceId))[0]?.id ?? "";
  const { latestRevision: baseRevision } = await policies.get(server.database, workspaceId, policyId);
  const saved = { policyId, source: policy(rulesOf(6)), baseVersion: 0, baseRevision };
  const { version } = await policies.saveDraft(server.database, server.running.app.bus, server.admin, saved);
  const asked = { policyId, draftVersion: version, days: 7, isQuick: false };
  const job = createBacktests({ db: server.database, log: createLog("silent") });
  const view = (runId: string) => service.get(server.database, workspaceId, { policyId, runId });

  const { id: whole } = await service.start(server.database, server.admin, asked);
  while (await job.turn());
  const { id: killed } = await service.start(server.database, server.admin, asked);
  child = spawn(process.execPath, [await fixtureProgram("backtest-until-killed"), db.url], {
    stdio: ["ignore", "pipe", 2],
  });
  await expect.poll(async () => (await view(killed)).looked, { timeout: 60_000, interval: 20 }).toBeGreaterThan(200);
  child.kill("SIGKILL");
  await once(child, "exit");
  const half = await view(killed);
  expect(half.looked).toBeLessThan(2_000);
  const resume = async () => {
    await job.turn();
    return (await view(killed)).state;
  };
  await expect.poll(resume, { timeout: 60_000 }).toBe("finished");
  const [a, b] = [await view(whole), await view(killed)];
  expect(b.looked).toBe(2_000);
  expect({ ...b.tally, addedUs: {} }).toEqual({ ...a.tally, addedUs: {} });
}, 240_000);
