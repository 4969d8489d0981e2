import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import type { Administrator, PersonActor } from "../access/actor.ts";
import type { Role } from "../access/role-schema.ts";
import type { AppError } from "../errors/app-error.ts";
import { randomToken, uuidv7 } from "../platform/ids.ts";
import { sha256 } from "../platform/secrets.ts";
import { createSignInLink, ensureFirstRun } from "./first-run.ts";
import * as memberships from "./members.ts";
import * as people from "./service.ts";
import { actorOfSession, renewedSession, signIn, signOut } from "./session.ts";

let at: TestDatabase;
let workspaceId: string;

beforeAll(async () => {
  at = await testDatabase();
  ({ workspaceId } = await ensureFirstRun(at.database));
});
afterAll(() => at.drop());

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "nothing was thrown",
    (error: AppError) => error.code,
  );

it("the first start makes one workspace, also when two start at once, and gives links until somebody signed in", async () => {
  const { database, drop } = await testDatabase();
  onTestFinished(drop);
  const [one, two] = await Promise.all([ensureFirstRun(database), ensureFirstRun(database)]);
  expect(one.workspaceId).toBe(two.workspaceId);
  expect(one.linkToken).not.toBeNull();
  const { session } = await signIn(database, { token: one.linkToken ?? "" });
  expect((await ensureFirstRun(database)).linkToken).toBeNull();
  const actor = await actorOfSession(database, session);
  expect(actor).toMatchObject({ kind: "person", workspaceId: one.workspaceId, name: "admin" });
  await signOut(database, session);
  expect((await ensureFirstRun(database)).linkToken).toBeNull();
});

const admin = (): Administrator => ({ kind: "script", workspaceId, id: "admin-token", name: "admin token" });

it("a link signs in once, whoever races for it", async () => {
  const { token } = await createSignInLink(at.database, admin());
  const both = await Promise.all([codeOf(signIn(at.database, { token })), codeOf(signIn(at.database, { token }))]);
  expect(both.sort()).toEqual(["nothing was thrown", "sign_in_link_spent"]);
});

it("a link of the server asks for a first password while there is no other way in", async () => {
  const own = await testDatabase();
  onTestFinished(own.drop);
  const { linkToken } = await ensureFirstRun(own.database);
  const { session, firstPassword } = await signIn(own.database, { token: linkToken ?? "" });
  expect(firstPassword).toEqual({ email: null });
  const person = await actorOfSession(own.database, session);
  const personId = person?.id ?? "";
  const script = { ...admin(), workspaceId: person?.workspaceId ?? "" };
  const again = async () => {
    const { token } = await createSignInLink(own.database, script);
    return (await signIn(own.database, { token })).firstPassword;
  };
  expect(await again()).toEqual({ email: null });
  await own.database.prisma.personAccount.create({
    data: { id: uuidv7(), personId, accountId: personId, providerId: "credential", password: "a hash" },
  });
  expect(await again()).toBe(null);
});

it("a link past its day does not sign in", async () => {
  const { token } = await createSignInLink(at.database, admin());
  await at.database.pool.query(
    "UPDATE sign_in_link SET expires_at = now() - interval '1 second' WHERE used_at IS NULL",
  );
  expect(await codeOf(signIn(at.database, { token }))).toBe("sign_in_link_spent");
});

it("a session ends when one signs out or when its time is over, and no token is stored readable", async () => {
  const { token } = await createSignInLink(at.database, admin());
  const { session } = await signIn(at.database, { token });
  const stored = await at.database.pool.query(
    "SELECT token_sha256 AS text FROM browser_session UNION ALL SELECT token_sha256::text FROM sign_in_link",
  );
  expect(JSON.stringify(stored.rows)).not.toContain(session);
  await signOut(at.database, session);
  expect(await actorOfSession(at.database, session)).toBeNull();

  const next = await createSignInLink(at.database, admin());
  const late = await signIn(at.database, { token: next.token });
  await at.database.pool.query("UPDATE browser_session SET expires_at = now() - interval '1 second'");
  expect(await actorOfSession(at.database, late.session)).toBeNull();
});

it("the admin token opens for scripts; anything else does not", async () => {
  expect(await people.actorOfAdminToken(at.database, "right", "right")).toMatchObject({ kind: "script", workspaceId });
  expect(await people.actorOfAdminToken(at.database, "wrong", "right")).toBeNull();
  expect(await people.actorOfAdminToken(at.database, "", "right")).toBeNull();
});

it("who am I names one's own workspace, not the first one", async () => {
  const workspaceId = uuidv7();
  await at.database.prisma.workspace.create({ data: { id: workspaceId, name: "Second" } });
  const me = await people.whoami(at.database, {
    kind: "person",
    role: "viewer",
    workspaceId,
    id: uuidv7(),
    name: "Ada",
  });
  expect(me).toEqual({ kind: "person", name: "Ada", workspace: "Second", hasDemo: false });
});

describe("roles", () => {
  async function workspaceOf(...roles: readonly Role[]) {
    const workspaceId = uuidv7();
    await at.database.prisma.workspace.create({ data: { id: workspaceId, name: "roles" } });
    await at.database.pool.query("INSERT INTO audit_head (workspace_id) VALUES ($1)", [workspaceId]);
    const members: PersonActor[] = [];
    for (const role of roles) {
      const id = uuidv7();
      await at.database.prisma.person.create({ data: { id, name: role } });
      await at.database.prisma.membership.create({ data: { workspaceId, personId: id, role } });
      members.push({ kind: "person", workspaceId, id, name: role, role });
    }
    return members as [PersonActor, ...PersonActor[]]; // at least one role is asked for
  }
  const setRole = (by: PersonActor, of: PersonActor, role: Role) =>
    codeOf(memberships.setRole(at.database, by, { personId: of.id, role }));
  const remove = (by: PersonActor, of: PersonActor) =>
    codeOf(memberships.removeMember(at.database, by, { personId: of.id }));

  it("the last owner can neither be removed nor made less, also when two owners try at once", async () => {
    const [owner] = await workspaceOf("owner");
    expect(await setRole(owner, owner, "viewer")).toBe("last_owner");
    expect(await remove(owner, owner)).toBe("last_owner");
    const [one, two = one] = await workspaceOf("owner", "owner");
    const both = await Promise.all([setRole(one, two, "admin"), remove(two, one)]);
    expect(both.sort()).toEqual(["last_owner", "nothing was thrown"]);
  });

  it("an admin makes no owner and touches none", async () => {
    const [admin, owner = admin, author = admin] = await workspaceOf("admin", "owner", "author");
    expect(await setRole(admin, owner, "viewer")).toBe("forbidden");
    expect(await remove(admin, owner)).toBe("forbidden");
    expect(await setRole(admin, author, "owner")).toBe("forbidden");
    expect(await setRole(admin, author, "admin")).toBe("nothing was thrown");
  });

  it("nobody reaches into another workspace", async () => {
    const [owner] = await workspaceOf("owner");
    const [other] = await workspaceOf("viewer");
    expect(await setRole(owner, other, "owner")).toBe("person_not_found");
    expect(await remove(owner, other)).toBe("person_not_found");
  });

  it("a change takes effect with the next request, which also gets a new token; the old one fades", async () => {
    const [owner, other = owner] = await workspaceOf("owner", "author");
    const token = randomToken();
    await at.database.prisma.signInLink.create({
      data: {
        workspaceId: other.workspaceId,
        personId: other.id,
        tokenSha256: new Uint8Array(sha256(token)),
        expiresAt: new Date(Date.now() + 60_000),
      },
    });
    const { session } = await signIn(at.database, { token });
    expect(await actorOfSession(at.database, session)).toMatchObject({ role: "author" });
    await setRole(owner, other, "viewer");
    const both = await Promise.all([renewedSession(at.database, session), renewedSession(at.database, session)]);
    expect(both.map((one) => one?.actor.role)).toEqual(["viewer", "viewer"]);
    const [renewed = "", ...more] = both.flatMap((one) => one?.renewed ?? []);
    expect(more).toEqual([]);
    expect(await actorOfSession(at.database, renewed)).toMatchObject({ id: other.id });
    await at.database.pool.query(
      "UPDATE browser_session SET former_until = now() - interval '1 second' WHERE former_until IS NOT NULL",
    );
    expect(await actorOfSession(at.database, session)).toBeNull();
    await remove(owner, other);
    expect(await actorOfSession(at.database, renewed)).toBeNull();
  });

  it("every change of them is in the audit record", async () => {
    const [owner, other = owner] = await workspaceOf("owner", "author");
    await setRole(owner, other, "viewer");
    await remove(owner, other);
    const { rows } = await at.database.pool.query("SELECT kind FROM audit_entry WHERE workspace_id = $1 ORDER BY seq", [
      owner.workspaceId,
    ]);
    expect(rows.map((row) => row.kind)).toEqual(["role_changed", "person_removed"]);
  });
});
