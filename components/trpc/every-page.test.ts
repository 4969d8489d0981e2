import { QueryClient } from "@tanstack/react-query";
import { createTRPCOptionsProxy } from "@trpc/tanstack-react-query";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  everyAgent,
  everyInvitation,
  everyMember,
  everyPolicy,
  everyRevision,
  everyService,
} from "@/components/trpc/every-page";
import { type TestDatabase, testDatabase } from "@/e2e/fixtures/database";
import { PAGE_ROWS } from "@/server/access/role-schema";
import { type AppRouter, appRouter } from "@/server/composition/router";
import { uuidv7 } from "@/server/platform/ids";
import { inWorkspace } from "@/server/platform/scope";
import { REVISIONS_PAGE_ROWS } from "@/server/policies/schema";

/** Two whole pages and one row: the last page is short, and the page before is full. */
const ROWS = 2 * PAGE_ROWS + 1;
const REVISIONS = 2 * REVISIONS_PAGE_ROWS;
const workspaceId = uuidv7();
const policyId = uuidv7();
const client = new QueryClient();
let db: TestDatabase;

const trpc = createTRPCOptionsProxy<AppRouter>({
  router: appRouter,
  ctx: () => ({
    db: db.database,
    actor: { kind: "person", role: "owner", workspaceId, id: uuidv7(), name: "Ada" },
    app: null,
    session: null,
    setHeader: () => undefined,
  }),
  queryClient: client,
});
const inside = <T>(work: () => Promise<T>): Promise<T> => inWorkspace(workspaceId, work);
const nameAt = (at: number) => `n${String(at).padStart(4, "0")}`;
const names = Array.from({ length: ROWS }, (_, at) => nameAt(at));

beforeAll(async () => {
  db = await testDatabase();
  const { prisma, pool } = db.database;
  const ids = names.map(() => uuidv7());
  await prisma.workspace.create({ data: { id: workspaceId, name: "large" } });
  const rows = names.map((name, at) => ({ workspaceId, id: ids[at] ?? "", name }));
  const minute = (at: number) => new Date(1_700_000_000_000 + at * 60_000);
  await prisma.agent.createMany({ data: rows.map((row, at) => ({ ...row, lastSeenAt: minute(at) })) });
  await prisma.policy.createMany({ data: rows.slice(1) });
  await prisma.policy.create({ data: { workspaceId, id: policyId, name: nameAt(0) } });
  await prisma.serviceAccount.createMany({ data: rows.map((row) => ({ ...row, role: "viewer" })) });
  await prisma.person.createMany({ data: rows.map(({ id, name }) => ({ id, name })) });
  // The later a person joined, the smaller the id: pages are in the one order, the list is in the other.
  const joined = rows.map(({ id }, at) => ({
    workspaceId,
    personId: id,
    role: "viewer",
    createdAt: minute(ROWS - at),
  }));
  await prisma.membership.createMany({ data: joined });
  await pool.query(
    `INSERT INTO invitation (workspace_id, id, token_sha256, email, role, invited_by, expires_at)
     SELECT $1, id::uuid, sha256(id::bytea), id || '@e.example', 'viewer', 'Ada', now() + interval '1 day'
     FROM unnest($2::text[]) AS id`,
    [workspaceId, ids],
  );
  await pool.query(
    `INSERT INTO policy_revision (workspace_id, policy_id, number, profile, source, hooks, sha256, note, author)
     SELECT $1, $2, number, '2026-08', 'hooks: {}', '{}', 'x', '', 'Ada' FROM generate_series(1, $3::int) AS number`,
    [workspaceId, policyId, REVISIONS],
  );
}, 120_000);
afterAll(() => db?.drop());

describe("a list that is longer than a page is whole", () => {
  it("agents, those heard last first", async () => {
    const rows = await inside(() => client.fetchQuery(everyAgent(trpc)));
    expect(rows.map(({ name }) => name)).toEqual(names.toReversed());
  });

  it("policies, by name", async () => {
    const rows = await inside(() => client.fetchQuery(everyPolicy(trpc)));
    expect(rows.map(({ name }) => name)).toEqual(names);
  });

  it("service accounts", async () => {
    const rows = await inside(() => client.fetchQuery(everyService(trpc)));
    expect(rows.map(({ name }) => name)).toEqual(names);
  });

  it("members, in the order in which they joined", async () => {
    const rows = await inside(() => client.fetchQuery(everyMember(trpc)));
    expect(rows.map(({ name }) => name)).toEqual(names.toReversed());
  });

  it("open invitations", async () => {
    const rows = await inside(() => client.fetchQuery(everyInvitation(trpc)));
    expect(new Set(rows.map(({ id }) => id)).size).toBe(ROWS);
  });

  it("revisions of a policy, also when the last page is full", async () => {
    const rows = await inside(() => client.fetchQuery(everyRevision(trpc, policyId)));
    expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: REVISIONS }, (_, at) => REVISIONS - at));
  });
});

it("the whole list is kept under the key that pages and mutations know", () => {
  expect(everyAgent(trpc).queryKey).toEqual(trpc.agents.list.queryKey());
});
