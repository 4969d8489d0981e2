/** The whole access matrix: each procedure, as each kind of caller, with what is their own and with what is another workspace's. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type AccessRig, accessRig, CALLERS, procedures } from "../../e2e/fixtures/access-matrix.ts";

let rig: AccessRig;
beforeAll(async () => {
  rig = await accessRig();
});
afterAll(() => rig?.stop());

it("with what is another workspace's, a procedure shows nothing and changes nothing, whoever asks", async () => {
  const before = await rig.stateOf(rig.foreign.id);
  expect(await rig.walk(rig.foreign, () => CALLERS)).toEqual([]);
  expect(await rig.stateOf(rig.foreign.id)).toMatchObject(before);
}, 600_000);

it("with what is one's own, a procedure lets in those who hold its permission and nobody else", async () => {
  expect(await rig.walk(rig.own, () => CALLERS)).toEqual([]);
}, 600_000);

// In whatever order they were asked.
afterAll(() => {
  const cells = rig.cells();
  console.log(`access matrix: ${cells} cells over ${procedures.length} procedures and ${CALLERS.length} callers`);
  expect(cells).toBeGreaterThan(3_000);
});
