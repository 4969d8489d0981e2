/**
 * Calls that wait for people: how soon an answer reaches its agent, and what thousands of them cost the gates of others and in memory.
 *
 *     npm run bench approvals [-- calls that wait [seconds of each round]]
 */
import { setTimeout as delay } from "node:timers/promises";
import { type OwnServer, ownServer } from "../e2e/fixtures/own-server.ts";
import { type Script, script } from "../e2e/fixtures/script.ts";
import { observed, promised } from "./fixtures/figures.ts";
import { processOf, supervisorOf } from "./fixtures/node-processes.ts";
import { ownerPool } from "./fixtures/owner-pool.ts";
import { atPace, newLedger } from "./fixtures/paced-sender.ts";
import { ms, percentile } from "./fixtures/percentile.ts";
import { memoryOf, total } from "./fixtures/process-tree.ts";
import { toolCalls } from "./fixtures/traffic.ts";
import { sharedNowMs, type WaitingCalls, waitingCalls } from "./fixtures/waiting-calls.ts";

const WAITING = 5_000;
const SECONDS = 20;
const PER_SECOND = 200;
const CONNECTIONS = 64;
/** As many as may wait of one agent and of one of its sessions. */
const OF_AGENT = 1_000;
const OF_SESSION = 200;
/** Sent together: an agent may have 256 under way before they wait. */
const WAVE = 100;
const ANSWERED = 200;
const ANSWER_P95_MS = 150;
const RATIO_MAX = 2;
const CLOSED_MS_MAX = 30_000;
const POLICY = `hooks:
  pre_tool_use:
    - matcher: deploy
      hooks: [{ type: builtin, command: ask_a_person }]
`;

/** True when answers arrive in time and gates of others take at most twice as long. */
export async function bench(args: readonly string[]): Promise<boolean> {
  const [wanted, seconds] = [Number(args[0] ?? WAITING), Number(args[1] ?? SECONDS)];
  const server = await ownServer();
  try {
    await server.start();
    const api = await script(server);
    await api.mutate("policies.publishByName", { name: "asks", source: POLICY });
    const others = toolCalls(server.url, [await api.key("others")], OF_SESSION, "read_file");
    const pace = { perSecond: PER_SECOND, connections: CONNECTIONS };
    const round = async () => {
      const sent = await atPace(others, newLedger(), pace, delay(seconds * 1_000));
      return percentile(sent.latenciesMs, 0.99);
    };
    await round();
    const idleP99 = await round();
    const restBytes = total(memoryOf(server.pid ?? 0));
    const askedMs = performance.now();
    const waiting = await wait(server, api, wanted);
    observed("calls that wait", `${wanted} after ${ms(performance.now() - askedMs)}`);
    // As before: the first round is not counted. The jobs still project what was asked until now.
    observed("p99 of others' gates in the seconds after", ms(await round()));
    const busyP99 = await round();
    const busyBytes = total(memoryOf(server.pid ?? 0));
    const ratio = busyP99 / idleP99;
    const times = `${ms(busyP99)} beside ${ms(idleP99)} with none, ${ratio.toFixed(2)}x`;
    const isApart = promised(
      `p99 of others' gates while ${wanted} calls wait`,
      `at most ${RATIO_MAX}x`,
      times,
      ratio <= RATIO_MAX,
    );
    const each = Math.round((busyBytes - restBytes) / wanted / 1_024);
    observed(
      "memory of all processes",
      `${mebibytes(restBytes)}, ${mebibytes(busyBytes)} while they wait: ${each} KiB a call`,
    );
    const isSoon = await answerSome(server, api, waiting);
    const isDenied = await killGateway(server, waiting);
    waiting.close();
    return isSoon && isDenied && isApart;
  } finally {
    await server.close();
  }
}

/** Calls of a process of their own, once all of them wait: their sockets cost the process that measures nothing. */
async function wait(server: OwnServer, api: Script, wanted: number): Promise<WaitingCalls> {
  const calls = waitingCalls(server.url);
  const pool = await ownerPool(server);
  let key = "";
  try {
    for (let sent = 0; sent < wanted; ) {
      if (sent % OF_AGENT === 0) key = await api.key(`waits-${sent}`);
      const count = Math.min(WAVE, wanted - sent);
      calls.send({ key, first: sent, count, sessionCalls: OF_SESSION });
      sent += count;
      const waits = "SELECT count(*)::int AS count FROM approval_request WHERE state = 'pending' AND is_waiting";
      while (((await pool.query<{ count: number }>(waits)).rows[0]?.count ?? 0) < sent) await delay(20);
    }
  } finally {
    await pool.end();
  }
  return calls;
}

async function answerSome(server: OwnServer, api: Script, waiting: WaitingCalls): Promise<boolean> {
  const pool = await ownerPool(server);
  const { rows } = await pool.query<{ id: string; callId: string }>(
    `SELECT id, call_id AS "callId" FROM approval_request WHERE state = 'pending' ORDER BY md5(id::text) LIMIT $1`,
    [ANSWERED],
  );
  await pool.end();
  const pushed: number[] = [];
  for (const { id, callId } of rows) {
    const answer = api.mutate("approvals.answer", { id, verdict: "allow" }).then(sharedNowMs);
    const [answeredMs, arrivedMs] = await Promise.all([answer, waiting.arrival(callId)]);
    pushed.push(Math.max(0, arrivedMs - answeredMs));
  }
  const [p50, p95, most] = [0.5, 0.95, 1].map((share) => percentile(pushed, share));
  const measured = `p50 ${ms(p50 ?? 0)}, p95 ${ms(p95 ?? 0)}, most ${ms(most ?? 0)} of ${rows.length}`;
  return promised("answer to waiting agent", `p95 under ${ANSWER_P95_MS} ms`, measured, (p95 ?? 0) < ANSWER_P95_MS);
}

/** Kills the gateway that holds the rest: none of them may go on, and their requests close by themselves. */
async function killGateway(server: OwnServer, waiting: WaitingCalls): Promise<boolean> {
  const pool = await ownerPool(server);
  try {
    process.kill(await processOf(() => supervisorOf(server), "/gateway.mjs"), "SIGKILL");
    const startedMs = performance.now();
    for (;;) {
      const { rows } = await pool.query<{ pending: number; lapsed: number; others: number }>(
        `SELECT count(*) FILTER (WHERE state = 'pending')::int AS pending, count(*) FILTER (WHERE state = 'lapsed')::int AS lapsed,
           count(*) FILTER (WHERE state NOT IN ('pending', 'lapsed'))::int AS others FROM approval_request`,
      );
      const { pending = 0, lapsed = 0, others = 0 } = rows[0] ?? {};
      const isOver = performance.now() - startedMs > CLOSED_MS_MAX;
      if (pending > 0 && !isOver) {
        await delay(100);
        continue;
      }
      const measured = `${lapsed} lapsed after ${ms(performance.now() - startedMs)}, ${pending} pending, ${others} answered before, ${waiting.allowed} went on`;
      return promised(
        "kill -9 of their gateway",
        `all closed within ${CLOSED_MS_MAX / 1_000} s, none allowed`,
        measured,
        pending === 0 && waiting.allowed === others,
      );
    }
  } finally {
    await pool.end();
  }
}

const mebibytes = (bytes: number): string => `${Math.round(bytes / 1_024 ** 2)} MiB`;
