import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import type { Administrator } from "../access/actor.ts";
import type { AppError } from "../errors/app-error.ts";
import { uuidv7 } from "../platform/ids.ts";
import * as people from "./service.ts";

let at: TestDatabase;

beforeAll(async () => {
  at = await testDatabase();
});
afterAll(() => at.drop());

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "nothing was thrown",
    (error: AppError) => error.code,
  );

it("the first start makes one workspace, also when two start at once, and gives links until somebody signed in", async () => {
  const [one, two] = await Promise.all([people.ensureFirstRun(at.database), people.ensureFirstRun(at.database)]);
  expect(one.workspaceId).toBe(two.workspaceId);
  expect(one.linkToken).not.toBeNull();
  const { session } = await people.signIn(at.database, { token: one.linkToken ?? "" });
  expect((await people.ensureFirstRun(at.database)).linkToken).toBeNull();
  const actor = await people.actorOfSession(at.database, session);
  expect(actor).toMatchObject({ kind: "person", workspaceId: one.workspaceId, name: "admin" });
});

async function admin(): Promise<Administrator> {
  const { workspaceId } = await people.ensureFirstRun(at.database);
  return { kind: "script", workspaceId, id: "admin-token", name: "admin token" };
}

it("a link signs in once, whoever races for it", async () => {
  const { token } = await people.createSignInLink(at.database, await admin());
  const both = await Promise.all([
    codeOf(people.signIn(at.database, { token })),
    codeOf(people.signIn(at.database, { token })),
  ]);
  expect(both.sort()).toEqual(["nothing was thrown", "sign_in_link_spent"]);
});

it("a link past its day does not sign in", async () => {
  const { token } = await people.createSignInLink(at.database, await admin());
  await at.database.pool.query(
    "UPDATE sign_in_link SET expires_at = now() - interval '1 second' WHERE used_at IS NULL",
  );
  expect(await codeOf(people.signIn(at.database, { token }))).toBe("sign_in_link_spent");
});

it("a session ends when one signs out or when its time is over, and no token is stored readable", async () => {
  const { token } = await people.createSignInLink(at.database, await admin());
  const { session } = await people.signIn(at.database, { token });
  const stored = await at.database.pool.query(
    "SELECT token_sha256::text AS text FROM browser_session UNION ALL SELECT token_sha256::text FROM sign_in_link",
  );
  expect(JSON.stringify(stored.rows)).not.toContain(session);
  await people.signOut(at.database, session);
  expect(await people.actorOfSession(at.database, session)).toBeNull();

  const next = await people.createSignInLink(at.database, await admin());
  const late = await people.signIn(at.database, { token: next.token });
  await at.database.pool.query("UPDATE browser_session SET expires_at = now() - interval '1 second'");
  expect(await people.actorOfSession(at.database, late.session)).toBeNull();
});

it("the admin token opens for scripts; anything else does not", async () => {
  const { workspaceId } = await people.ensureFirstRun(at.database);
  expect(await people.actorOfAdminToken(at.database, "right", "right")).toMatchObject({ kind: "script", workspaceId });
  expect(await people.actorOfAdminToken(at.database, "wrong", "right")).toBeNull();
  expect(await people.actorOfAdminToken(at.database, "", "right")).toBeNull();
});

it("who am I names one's own workspace, not the first one", async () => {
  await people.ensureFirstRun(at.database);
  const workspaceId = uuidv7();
  await at.database.prisma.workspace.create({ data: { id: workspaceId, name: "Second" } });
  const me = await people.whoami(at.database, { kind: "person", workspaceId, id: uuidv7(), name: "Ada" });
  expect(me).toEqual({ kind: "person", name: "Ada", workspace: "Second", hasDemo: false });
});
