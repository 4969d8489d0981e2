import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../../e2e/fixtures/database.ts";
import { POLICY, RULE } from "../repository.ts";
import { policyIn, ruleIn } from "./call-filter.ts";
import { followCallsInput, isFollowable } from "./schema.ts";

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.drop());

const part = fc.constantFrom('"', '" (', " revision ", "Denied by ", "a", "%", "_", "(", ")", " ", "\n", "revision");
const reasons = fc.array(part, { maxLength: 12 }).map((parts) => parts.join(""));

it("reads the policy and the rule of a reason as SQL does", async () => {
  const some = fc.sample(reasons, 2_000);
  const { rows } = await db.owner.query<{ policy: string; rule: string }>(
    `SELECT ${POLICY} AS policy, ${RULE} AS rule
     FROM (SELECT reason, 'gate' AS kind FROM unnest($1::text[]) WITH ORDINALITY AS one (reason, place) ORDER BY place) AS gate`,
    [some],
  );
  const read = some.map((reason) => ({
    ...{ policy: policyIn({ kind: "gate", reason }), rule: ruleIn({ kind: "gate", reason }) },
  }));
  expect(read).toEqual(rows);
  expect(read.filter(({ policy }) => policy !== "").length).toBeGreaterThan(20);
  expect([policyIn, ruleIn].map((of) => of({ kind: "final", reason: 'Denied by "r" (p revision 1)' }))).toEqual([
    "",
    "",
  ]);
});

it.each<[object, boolean]>([
  [{}, true],
  [{ verdict: ["deny"], tool: ["shell"], outcome: ["denied", "silent"], text: " " }, true],
  [{ text: "rm" }, false],
  [{ group: ["builders"] }, false],
  [{ settled: ["yolo"] }, false],
  [{ keyword: ["later"] }, false],
  [{ has: ["comments"] }, false],
  [{ outcome: ["denied", "waiting"] }, false],
])("%j can be followed: %s", (filters, expected) => {
  expect(isFollowable(followCallsInput.parse({ filters }).filters)).toBe(expected);
});
