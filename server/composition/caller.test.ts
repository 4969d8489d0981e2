import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { AppError } from "../errors/app-error.ts";
import { createLog } from "../platform/log.ts";
import { createPageProcedures } from "./caller.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db?.drop());

test("while reads give way to gates, a page reads who the person is, and no more", async () => {
  const shedding = {
    check() {
      throw new AppError("overloaded");
    },
  };
  const read = await createPageProcedures(db.database, createLog("silent"), shedding).reader(() => undefined);
  await expect(read("access.waysIn", undefined)).resolves.toBeDefined();
  await expect(read("policies.frozen", undefined)).rejects.toMatchObject({ code: "overloaded" });
});
