import { expect, test } from "vitest";
import { createPacer } from "./pacer.ts";

/** A machine that is calm from its `calmAt`th look on, on a clock that waits alone move. */
function machine(calmAt: number) {
  let [ms, looks] = [0, 0];
  const waits: number[] = [];
  const pacer = createPacer({
    isCalm: async () => {
      looks += 1;
      return looks >= calmAt;
    },
    nowMs: () => ms,
    wait: async (for_) => {
      waits.push(for_);
      ms += for_;
    },
  });
  const pass = (by: number) => {
    ms += by;
  };
  return { pacer, waits, looks: () => looks, pass };
}

test("a calm machine is looked at once a second, and nobody waits", async () => {
  const { pacer, waits, looks, pass } = machine(1);
  for (let step = 0; step < 10; step += 1) await pacer.step();
  expect([waits, looks()]).toEqual([[], 1]);
  pass(1_000);
  await pacer.page();
  expect([waits, looks()]).toEqual([[], 2]);
});

test("a step waits until the machine is calm", async () => {
  const { pacer, waits } = machine(5);
  await pacer.step();
  expect(waits).toEqual([250, 250, 250, 250]);
});

test("under lasting load a step goes on after half a minute, a page of a snapshot after a second", async () => {
  const sum = (waits: readonly number[]) => waits.reduce((all, one) => all + one, 0);
  const [steps, pages] = [machine(Number.POSITIVE_INFINITY), machine(Number.POSITIVE_INFINITY)];
  await steps.pacer.step();
  await pages.pacer.page();
  expect([sum(steps.waits), sum(pages.waits)]).toEqual([30_000, 1_000]);
});

test("a look that fails holds nobody back, and at the end nobody waits", async () => {
  const broken = createPacer({ isCalm: () => Promise.reject(new Error("the database is away")) });
  await broken.step();
  const busy = createPacer({ isCalm: async () => false });
  const waiting = busy.step();
  busy.close();
  await waiting;
  await busy.step();
});
