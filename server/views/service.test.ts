import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { newWorkspace } from "../../e2e/fixtures/browser.ts";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import type { Administrator } from "../access/actor.ts";
import { saveView, VIEWS_MAX } from "./schema.ts";
import * as service from "./service.ts";

let db: TestDatabase;
let workspaceId: string;
let ada: Administrator;
let bob: Administrator;
const person = (name: string): Administrator => ({
  kind: "person",
  role: "author",
  workspaceId,
  id: randomUUID(),
  name,
});
const view = (name: string, query = "q=verdict:deny") => saveView.parse({ page: "decisions", name, query });
const names = async (of: Administrator) =>
  (await service.list(db.database, of, "decisions")).map((one) => `${one.name}${one.isShared ? " (shared)" : ""}`);

beforeAll(async () => {
  db = await testDatabase();
});
beforeEach(async () => {
  workspaceId = await newWorkspace(db.database, "one");
  [ada, bob] = [person("Ada"), person("Bob")];
});
afterAll(() => db.drop());

test("a view is its owner's until it is shared; then everybody's, and the audit knows by whom", async () => {
  await service.save(db.database, ada, view("mine"));
  await service.share(db.database, ada, view("ours"));
  expect(await names(ada)).toEqual(["mine", "ours (shared)"]);
  expect(await names(bob)).toEqual(["ours (shared)"]);
  const { rows } = await db.database.pool.query<{ kind: string; actor_name: string }>(
    `SELECT kind, names ->> 'name' AS actor_name FROM audit_entry JOIN audit_name USING (workspace_id, seq)
     WHERE workspace_id = $1 AND kind LIKE 'view%' AND person = actor_id`,
    [workspaceId],
  );
  expect(rows).toEqual([{ kind: "view_shared", actor_name: "Ada" }]);
});

test("saving under a name in use replaces what it shows, and never another person's", async () => {
  await service.save(db.database, ada, view("mine"));
  await service.save(db.database, bob, view("mine", "q=tool:shell"));
  await service.save(db.database, ada, view("mine", "q=agent:ci&open=1.2"));
  const queryOf = async (of: Administrator) =>
    (await service.list(db.database, of, "decisions")).find((one) => one.name === "mine")?.query;
  expect(await queryOf(ada)).toBe("q=agent%3Aci");
  expect(await queryOf(bob)).toBe("q=tool%3Ashell");
});

test("nobody removes another's view, or a shared one as if it were their own", async () => {
  await service.save(db.database, ada, view("mine"));
  await service.share(db.database, ada, view("ours"));
  const [mine, ours] = await service.list(db.database, ada, "decisions");
  expect([mine?.name, ours?.name]).toEqual(["mine", "ours"]);
  for (const one of [mine, ours])
    await expect(service.remove(db.database, bob, one?.id ?? "")).rejects.toMatchObject({ code: "view_not_found" });
  await service.unshare(db.database, bob, ours?.id ?? "");
  expect(await names(ada)).toEqual(["mine"]);
});

test("there are at most so many of one page", async () => {
  const carl = person("Carl");
  for (let index = 0; index < VIEWS_MAX; index++) await service.save(db.database, carl, view(`v${index}`));
  await expect(service.save(db.database, carl, view("more"))).rejects.toMatchObject({ code: "too_many_views" });
});

test("a name is one line, and a query no more than the part of an address", () => {
  for (const bad of [
    { name: "" },
    { name: "a\nb" },
    { query: "a b" },
    { query: "x".repeat(2_001) },
    { page: "//evil" },
  ])
    expect(saveView.safeParse({ page: "decisions", name: "n", query: "", ...bad }).success).toBe(false);
});
