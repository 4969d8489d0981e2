/**
 * The posture of a large fleet: the counts above the list of agents in one query, and each of the list's filters, in this process.
 *
 *     npm run bench posture [-- agents]
 */
import { randomUUID } from "node:crypto";
import { counts, search } from "../server/agents/index.ts";
import { POSTURES, searchAgents } from "../server/agents/schema.ts";
import { listEnforcement } from "../server/dialects/index.ts";
import { inWorkspace } from "../server/platform/scope.ts";
import { observed, promised } from "./fixtures/figures.ts";
import { ms, percentile } from "./fixtures/percentile.ts";
import { type TemporaryDatabase, temporaryDatabase } from "./fixtures/temporary-database.ts";

const AGENTS = 5_000;
const ROUNDS = 20;
const WARM_UP = 3;
const MS_MAX = 500;

/** True if the counts and every filter stay within `MS_MAX` at the 95th percentile, and the counts are exact. */
export async function bench(args: readonly string[]): Promise<boolean> {
  const agents = Number(args[0] ?? AGENTS);
  const at = await temporaryDatabase();
  try {
    const workspaceId = await fill(at, agents);
    return await inWorkspace(workspaceId, () => timeAll(at, workspaceId, agents));
  } finally {
    await at.stop();
  }
}

async function timeAll({ database }: TemporaryDatabase, workspaceId: string, agents: number): Promise<boolean> {
  const found = await counts(database, workspaceId);
  const { yolo, outdated, blindSpots, undrilled, withoutPolicy, observedOnly, silent } = found;
  observed("counts", JSON.stringify({ withoutPolicy, yolo, observedOnly, silent, outdated, blindSpots, undrilled }));
  const asked = [
    ["counts", () => counts(database, workspaceId)],
    ...[{ policies: ["none"] }, { policies: ["observed"] }, { statuses: ["silent"] }, { tags: ["prod"] }].map(listed),
    ...POSTURES.map((posture) => listed({ postures: [posture] })),
  ] as const;
  function listed(filter: object): readonly [string, () => Promise<unknown>] {
    return [JSON.stringify(filter), () => search(database, workspaceId, searchAgents.parse(filter))];
  }
  let isKept = promised("agents counted", `${agents} enrolled`, `${found.enrolled}`, found.enrolled === agents);
  for (const [name, ask] of asked) {
    const times: number[] = [];
    for (let round = -WARM_UP; round < ROUNDS; round += 1) {
      const startMs = performance.now();
      await ask();
      if (round >= 0) times.push(performance.now() - startMs);
    }
    const p95 = percentile(times, 0.95);
    const measured = `p50 ${ms(percentile(times, 0.5))}, p95 ${ms(p95)}`;
    const isMet = promised(`${name} of ${agents} agents`, `p95 under ${MS_MAX} ms`, measured, p95 < MS_MAX);
    isKept = isKept && isMet;
  }
  return isKept;
}

/** Agents of every client in turn, a third of them outdated, in yolo or drilled; policies for the workspace, a tag, a group and agents. */
async function fill({ owner }: TemporaryDatabase, agents: number): Promise<string> {
  const workspaceId = randomUUID();
  const run = (sql: string, values: unknown[] = []) => owner.query(sql, [workspaceId, ...values]);
  const clients = listEnforcement();
  await owner.query("INSERT INTO workspace (id, name) VALUES ($1, 'posture')", [workspaceId]);
  await run(
    `INSERT INTO agent (workspace_id, id, name, last_seen_at, client, client_version, yolo_at, polled_at, tags)
     SELECT $1, gen_random_uuid(), 'agent ' || n, now() - n * interval '1 second', client.names[1 + n % $3],
       CASE n % 3 WHEN 0 THEN client.versions[1 + n % $3] WHEN 1 THEN '0.0.1' END,
       CASE WHEN n % 3 = 1 THEN now() END, CASE WHEN n % 2 = 0 THEN now() END,
       CASE WHEN n % 4 = 0 THEN '{prod}'::text[] ELSE '{}' END
     FROM generate_series(1, $2::int) n, (SELECT $4::text[] AS names, $5::text[] AS versions) client`,
    [agents, clients.length, clients.map(({ client }) => client), clients.map((one) => one.enforcedFrom.join("."))],
  );
  await run(
    `INSERT INTO agent_drill (workspace_id, id, agent_id, mode, nonce_sha256, key_fingerprint, expires_at, results, client, reported_at)
     SELECT $1, gen_random_uuid(), agent.id, 'liveness', sha256(convert_to(agent.id::text || drill, 'UTF8')), '', now(), '[]', 'codex',
       now() - drill * interval '1 day'
     FROM agent, generate_series(1, 10) drill WHERE workspace_id = $1 AND right(name, 1) IN ('1', '2', '3')`,
  );
  const group = randomUUID();
  await run("INSERT INTO agent_group (workspace_id, id, name, position) VALUES ($1, $2, 'nightly', 0)", [group]);
  await run(
    `INSERT INTO agent_group_member (workspace_id, group_id, agent_id)
     SELECT $1, $2, id FROM agent WHERE workspace_id = $1 AND right(name, 1) = '5'`,
    [group],
  );
  for (const [number, scope] of ["tag", "group", "agent"].entries()) {
    const policyId = randomUUID();
    await run(`INSERT INTO policy (workspace_id, id, name, latest_revision, live_revision) VALUES ($1, $2, $3, 1, 1)`, [
      policyId,
      `policy ${number}`,
    ]);
    await run(
      `INSERT INTO policy_revision (workspace_id, policy_id, number, profile, source, hooks, sha256, note, author)
       VALUES ($1, $2, 1, '2026-08', '', '{}', 'hash', '', 'Ada')`,
      [policyId],
    );
    await run(
      `INSERT INTO assignment (workspace_id, id, policy_id, scope, target_id, tag, mode, observe_until)
       SELECT $1, gen_random_uuid(), $2, $3, target, CASE WHEN $3 = 'tag' THEN 'prod' END, $4,
         CASE WHEN $4 = 'observe' THEN now() + interval '10 days' END
       FROM (SELECT NULL::uuid AS target WHERE $3 = 'tag' UNION ALL SELECT $5::uuid WHERE $3 = 'group'
             UNION ALL SELECT id FROM agent WHERE workspace_id = $1 AND right(name, 2) = '07' AND $3 = 'agent') targets`,
      [policyId, scope, number === 0 ? "observe" : "enforce", group],
    );
  }
  await owner.query("ANALYZE agent, agent_drill, agent_group_member, assignment");
  return workspaceId;
}
