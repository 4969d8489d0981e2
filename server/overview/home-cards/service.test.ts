import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newWorkspace } from "../../../e2e/fixtures/browser.ts";
import { type TestDatabase, testDatabase } from "../../../e2e/fixtures/database.ts";
import type { Administrator } from "../../access/actor.ts";
import { DEFAULT_CARDS, HOME_CARDS, type HomeCard, saveHomeCards } from "./schema.ts";
import * as service from "./service.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.drop());

async function member(workspaceId: string): Promise<Administrator> {
  const id = randomUUID();
  await db.owner.query("INSERT INTO person (id, name) VALUES ($1, $2)", [id, `person ${id}`]);
  await db.owner.query("INSERT INTO membership (workspace_id, person_id, role) VALUES ($1, $2, 'viewer')", [
    workspaceId,
    id,
  ]);
  return { kind: "person", role: "viewer", workspaceId, id, name: "Ada" };
}

test("each person of a workspace has cards in an order of their own, and the default cards until then", async () => {
  const workspaceId = await newWorkspace(db.database, "cards");
  const [ada, bo] = [await member(workspaceId), await member(workspaceId)];
  const chosen: HomeCard[] = ["denials", "coverage"];
  await service.save(db.database, ada, { cards: chosen });
  expect(await service.get(db.database, ada)).toEqual({ cards: chosen, isDefault: false });
  expect(await service.get(db.database, bo)).toEqual({ cards: DEFAULT_CARDS, isDefault: true });

  await service.save(db.database, ada, { cards: [] });
  expect(await service.get(db.database, ada)).toEqual({ cards: [], isDefault: false });
  await service.save(db.database, ada, { cards: [...DEFAULT_CARDS] });
  expect(await service.get(db.database, ada)).toEqual({ cards: DEFAULT_CARDS, isDefault: true });
  const { rows } = await db.owner.query("SELECT FROM home_cards WHERE workspace_id = $1", [workspaceId]);
  expect(rows).toEqual([]);
});

test("a script has the default cards, and keeps none", async () => {
  const workspaceId = await newWorkspace(db.database, "cards of a script");
  const script = { kind: "script", workspaceId, id: "admin-token", name: "admin token" } as const;
  await service.save(db.database, script, { cards: ["coverage"] });
  expect(await service.get(db.database, script)).toEqual({ cards: DEFAULT_CARDS, isDefault: true });
});

test("a card that this release does not know is left out", async () => {
  const workspaceId = await newWorkspace(db.database, "later cards");
  const ada = await member(workspaceId);
  await db.owner.query("INSERT INTO home_cards VALUES ($1, $2, $3)", [
    workspaceId,
    ada.id,
    JSON.stringify(["later", "coverage", 7]),
  ]);
  expect((await service.get(db.database, ada)).cards).toEqual(["coverage"]);
});

test("a list names known cards, each once", () => {
  const isValid = (cards: unknown) => saveHomeCards.safeParse({ cards }).success;
  expect(isValid([...HOME_CARDS])).toBe(true);
  for (const bad of [["denials", "denials"], ["later"], "denials", [...HOME_CARDS, "denials"]])
    expect(isValid(bad)).toBe(false);
});
