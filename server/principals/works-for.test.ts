import { expect, test } from "vitest";
import type { KnownPeople } from "../access/principal-schema.ts";
import { createWorksFor } from "./works-for.ts";

const NO_PEOPLE: KnownPeople = { owner: null, sessions: new Map(), latest: null };
const ADA: KnownPeople = { owner: null, sessions: new Map([["s", "ada"]]), latest: "ada" };

test("people are looked up again only after a change, and at most twice a second", async () => {
  let nowMs = 0;
  let loads = 0;
  const load = async () => {
    loads += 1;
    return ADA;
  };
  const worksFor = createWorksFor(NO_PEOPLE, load, () => nowMs);
  worksFor.refresh();
  expect(loads).toBe(0);

  worksFor.outdate();
  worksFor.refresh();
  await expect.poll(() => worksFor.people).toEqual(ADA);
  worksFor.outdate();
  worksFor.refresh();
  expect(loads).toBe(1);
  nowMs = 500;
  worksFor.refresh();
  worksFor.refresh();
  expect(loads).toBe(2);
});

test("a look-up that fails leaves what is known, and is done again", async () => {
  let nowMs = 0;
  const answers = [Promise.reject(new Error("away")), Promise.resolve(ADA)];
  answers[0]?.catch(() => undefined);
  const worksFor = createWorksFor(
    NO_PEOPLE,
    () => answers.shift() ?? Promise.resolve(NO_PEOPLE),
    () => nowMs,
  );
  worksFor.outdate();
  worksFor.refresh();
  await expect.poll(() => answers.length).toBe(1);
  expect(worksFor.people).toEqual(NO_PEOPLE);
  await expect
    .poll(() => {
      nowMs += 500;
      worksFor.refresh();
      return worksFor.people;
    })
    .toEqual(ADA);
});
