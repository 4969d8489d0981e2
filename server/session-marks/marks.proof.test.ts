/** A mark holds for every call that begins after it, at every gateway, whatever happens to the one that set it. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import type { TestGateway } from "../../e2e/fixtures/gateway.ts";
import { testGateway } from "../../e2e/fixtures/gateway.ts";
import { type Node, sharedSecrets, startNode } from "../../e2e/fixtures/nodes.ts";
import { systemClock } from "../platform/clock.ts";
import { createLog } from "../platform/log.ts";
import { createErasure } from "../record/erasure/erasure.ts";
import { requestErasure } from "../record/erasure/erasure-requests.ts";

const POLICY = `profile: "2026-08"
hooks:
  pre_tool_use:
    - matcher: "*"
      hooks:
        - name: marks
          type: rules
          rules:
            - mark: read_secret
              path: { access: read, class: credentials }
            - deny: This session read a secret.
              after: read_secret
              kind: fetch
    - matcher: "slow_read"
      hooks:
        - type: command
          command: sleep 10
`;
const RACING = 200;

let db: TestDatabase;
let first: TestGateway;
let second: TestGateway;
let key: string;
let otherKey: string;
beforeAll(async () => {
  db = await testDatabase();
  first = await testGateway(db.url);
  second = await testGateway(db.url);
  await first.publish(POLICY);
  [key, otherKey] = [await first.agent("one"), await first.agent("two")];
  await vi.waitUntil(() => first.running.app.bus.isCurrent() && second.running.app.bus.isCurrent(), {
    timeout: 20_000,
  });
});
afterAll(async () => {
  await Promise.all([first?.stop(), second?.stop()]);
  await db?.drop();
});

interface Session {
  readonly session_id: string;
  readonly parent_session_id?: string;
}

async function call(at: { readonly url: string }, session: Session, tool: string, input: object, as = key) {
  const response = await fetch(`${at.url}/api/v1/hooks/pre_tool_use`, {
    method: "POST",
    headers: { authorization: `Bearer ${as}`, "content-type": "application/json" },
    body: JSON.stringify({ ...session, tool_name: tool, tool_input: input, tool_use_id: randomUUID(), cwd: "/srv" }),
  });
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return text;
}
const readSecret = (at: TestGateway, session: Session, as = key) =>
  call(at, session, "Read", { file_path: "/srv/.env" }, as);
const isFetchDenied = async (at: { readonly url: string }, session: Session, as = key) =>
  (await call(at, session, "WebFetch", { url: "https://example.org/" }, as)).includes("read a secret");
const newSession = (): Session => ({ session_id: randomUUID() });

it(`of ${RACING} calls at two gateways that race with the mark, none passes that begins after it`, async () => {
  const session = newSession();
  let isMarked = false;
  expect(await isFetchDenied(second, session)).toBe(false);
  const marking = readSecret(first, session).then(() => {
    isMarked = true;
  });
  const calls: { readonly beganAfter: boolean; readonly isDenied: boolean }[] = [];
  const lane = async (at: TestGateway) => {
    while (calls.length < RACING) {
      const beganAfter = isMarked;
      calls.push({ beganAfter, isDenied: await isFetchDenied(at, session) });
    }
  };
  await Promise.all([marking, ...[first, second, first, second, first, second, first, second].map(lane)]);
  expect(calls.filter(({ beganAfter, isDenied }) => beganAfter && !isDenied)).toEqual([]);
  expect(calls.filter(({ beganAfter }) => beganAfter).length).toBeGreaterThan(50);
});

it("holds in the sub-sessions of a session, and in the session above", async () => {
  const [above, other] = [newSession(), newSession()];
  const below = { ...newSession(), parent_session_id: above.session_id };
  await readSecret(first, above);
  expect(await isFetchDenied(second, below)).toBe(true);
  const child = { ...newSession(), parent_session_id: other.session_id };
  await readSecret(second, child);
  expect(await isFetchDenied(first, other)).toBe(true);
});

it("holds for each agent that names the session, and in no other session", async () => {
  const session = newSession();
  await readSecret(first, session);
  expect(await isFetchDenied(second, session, otherKey)).toBe(true);
  expect(await isFetchDenied(second, newSession())).toBe(false);
});

it("holds after the session's content is erased, which opens nothing", async () => {
  const session = newSession();
  await readSecret(first, session);
  const admin = { ...first.admin, kind: "script" as const };
  const asked = { sessionId: session.session_id, agentName: null, reason: "a person asked" };
  await requestErasure(db.database, first.running.app.bus, admin, asked);
  await createErasure({ pool: db.database.pool, log: createLog("silent"), clock: systemClock }).run();
  expect(await isFetchDenied(second, session)).toBe(true);
});

it("holds when the gateway that set it is killed before it answers", async () => {
  const session = newSession();
  const node: Node = await startNode(db.url, sharedSecrets());
  const answer = call(node, session, "slow_read", { path: "/srv/.env" }).then(
    () => "answered",
    () => "lost",
  );
  const marks = () => db.owner.query("SELECT FROM session_mark WHERE session_id = $1", [session.session_id]);
  await vi.waitUntil(async () => (await marks()).rows.length > 0, { timeout: 60_000, interval: 20 });
  for (const pid of node.processesOf("gateway")) process.kill(pid, "SIGKILL");
  expect(await answer).toBe("lost");
  expect(await isFetchDenied(second, session)).toBe(true);
  await node.stop();
}, 300_000);
