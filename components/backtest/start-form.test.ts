import { expect, it } from "vitest";
import { FRESH, readStart } from "./start-form.ts";

it("runs no command and asks no judge unless both are chosen", () => {
  expect(readStart(FRESH)).toEqual({ input: { days: 7, sample: { commands: null, judges: null } } });
  const both = { ...FRESH, runsCommands: true, commands: "50", asksJudges: true, judges: "10", dollars: "0.50" };
  expect(readStart(both)).toEqual({
    input: { days: 7, sample: { commands: 50, judges: { calls: 10, nanoMax: 500_000_000n } } },
  });
});

it("asks judges only within a budget, and takes no sample beyond the limit", () => {
  expect(readStart({ ...FRESH, asksJudges: true })).toMatchObject({ wrongs: { dollars: expect.any(String) } });
  expect(readStart({ ...FRESH, runsCommands: true, commands: "2001" })).toMatchObject({
    wrongs: { commands: "Enter a whole number from 1 to 2,000." },
  });
});
