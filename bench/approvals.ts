/**
 * Calls that wait for people: how soon an answer reaches its agent, and what thousands of them cost the gates of others and in memory.
 *
 *     npm run bench approvals [-- calls that wait [seconds of each round]]
 */
import { Agent, request } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { type OwnServer, ownServer } from "../e2e/fixtures/own-server.ts";
import { type Script, script } from "../e2e/fixtures/script.ts";
import { observed, promised } from "./fixtures/figures.ts";
import { ownerPool } from "./fixtures/owner-pool.ts";
import { atPace, newLedger } from "./fixtures/paced-sender.ts";
import { ms, percentile } from "./fixtures/percentile.ts";
import { memoryOf, total } from "./fixtures/process-tree.ts";
import { toolCalls } from "./fixtures/traffic.ts";

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
const POLICY = `hooks:
  pre_tool_use:
    - matcher: deploy
      hooks: [{ type: builtin, command: ask_a_person }]
`;

interface Waiting {
  /** Settles with the moment at which the answer was there, by the clock of performance. */
  readonly done: Promise<number>;
}

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
    const waiting = await wait(server, api, wanted);
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
    return (await answerSome(server, api, waiting)) && isApart;
  } finally {
    await server.close();
  }
}

/** Calls by their tool_use_id, once all of them wait. */
async function wait(server: OwnServer, api: Script, wanted: number): Promise<ReadonlyMap<string, Waiting>> {
  const calls = new Map<string, Waiting>();
  const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY });
  const pool = await ownerPool(server);
  let key = "";
  try {
    while (calls.size < wanted) {
      if (calls.size % OF_AGENT === 0) key = await api.key(`waits-${calls.size}`);
      for (let index = 0; index < WAVE && calls.size < wanted; index += 1) {
        const id = `call-${calls.size}`;
        const session = `s-${Math.floor(calls.size / OF_SESSION)}`;
        calls.set(id, { done: send(server.url, agent, { key, id, session }) });
      }
      const waits = "SELECT count(*)::int AS count FROM approval_request WHERE state = 'pending' AND is_waiting";
      while (((await pool.query<{ count: number }>(waits)).rows[0]?.count ?? 0) < calls.size) await delay(20);
    }
  } finally {
    await pool.end();
  }
  return calls;
}

interface Sent {
  readonly key: string;
  readonly id: string;
  readonly session: string;
}

function send(url: string, agent: Agent, { key, id, session }: Sent): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      "quarterdeck-wait-seconds": "3600",
    };
    const call = request(`${url}/api/v1/hooks/pre_tool_use`, { method: "POST", agent, headers }, (response) => {
      response.resume().on("end", () => {
        if (response.statusCode === 200) resolve(performance.now());
        else reject(new Error(`a call that waited got HTTP ${response.statusCode}`));
      });
    });
    call.on("error", reject);
    call.end(JSON.stringify({ session_id: session, tool_name: "deploy", tool_use_id: id, tool_input: { target: id } }));
  });
}

async function answerSome(server: OwnServer, api: Script, waiting: ReadonlyMap<string, Waiting>): Promise<boolean> {
  const pool = await ownerPool(server);
  const { rows } = await pool.query<{ id: string; callId: string }>(
    `SELECT id, call_id AS "callId" FROM approval_request WHERE state = 'pending' ORDER BY md5(id::text) LIMIT $1`,
    [ANSWERED],
  );
  await pool.end();
  const pushed: number[] = [];
  for (const { id, callId } of rows) {
    const call = waiting.get(callId);
    const answer = api.mutate("approvals.answer", { id, verdict: "allow" }).then(() => performance.now());
    const [answeredMs, arrivedMs] = await Promise.all([answer, call?.done ?? Number.NaN]);
    pushed.push(Math.max(0, arrivedMs - answeredMs));
  }
  // The others end with the server, denied.
  for (const { done } of waiting.values()) done.catch(() => undefined);
  const [p50, p95, most] = [0.5, 0.95, 1].map((share) => percentile(pushed, share));
  const measured = `p50 ${ms(p50 ?? 0)}, p95 ${ms(p95 ?? 0)}, most ${ms(most ?? 0)} of ${rows.length}`;
  return promised("answer to waiting agent", `p95 under ${ANSWER_P95_MS} ms`, measured, (p95 ?? 0) < ANSWER_P95_MS);
}

const mebibytes = (bytes: number): string => `${Math.round(bytes / 1_024 ** 2)} MiB`;
