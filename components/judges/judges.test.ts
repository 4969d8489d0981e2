import { describe, expect, test } from "vitest";
import { draftOf, NEW_PRICE, read, withProvider } from "@/components/judges/connection-form";
import { scoreText, unscoredText } from "@/components/judges/prompts/label-text";
import { callsHref, callsInput, viewOf } from "@/components/judges/query";
import { parseFilter } from "@/components/ui/filter/filter-text";
import { dollarsOf, nanoOf } from "@/components/ui/format/dollars";
import { type ConnectionView, judgeCallText, parseJudgeCall } from "@/server/judges/schema";

describe("dollars as written", () => {
  test.each([
    ["0.15", 150_000_000n],
    ["3", 3_000_000_000n],
    ["$ 12.", 12_000_000_000n],
    ["0.000000001", 1n],
    ["0", 0n],
  ])("%s", (text, nano) => expect(nanoOf(text)).toBe(nano));

  test.each(["", "free", "-1", "1e3", "0.0000000001", "1,5", ".5", "9999999"])("%j is no amount", (text) =>
    expect(nanoOf(text)).toBeNull(),
  );

  test("come back as they were", () => {
    for (const text of ["0.15", "3", "0.000000001", "0", "12.5"]) expect(dollarsOf(nanoOf(text) ?? -1n)).toBe(text);
  });
});

const VIEW: ConnectionView = {
  ...{ id: "01987654-3210-7000-8000-000000000000", name: "local", provider: "anthropic", baseUrl: "", prices: [] },
  ...{ credential: null, callsPerDay: null, nanoPerDay: null, fallback: null, problem: null },
  ...{ today: { calls: 0, nano: 0n }, updatedAt: new Date(0), updatedBy: "ada" },
};

describe("the connection form", () => {
  const draft = {
    ...draftOf(null),
    name: "local",
    provider: "openai-compatible" as const,
    baseUrl: "http://127.0.0.1/v1",
  };

  test("keeps a key that nobody typed and removes one on request", () => {
    const of = (more: object) => {
      const result = read({ ...draft, ...more }, null);
      return "input" in result ? result.input.credential : result;
    };
    expect(of({})).toBeUndefined();
    expect(of({ credential: "sk-1" })).toBe("sk-1");
    expect(of({ forgetsCredential: true, credential: "" })).toBeNull();
  });

  test("says what is wrong beside each field", () => {
    const prices = [{ ...NEW_PRICE, output: "x" }];
    const result = read({ ...draft, name: "No!", callsPerDay: "many", nanoPerDay: "-", prices }, null);
    expect("wrongs" in result && Object.keys(result.wrongs).sort()).toEqual([
      "callsPerDay",
      "name",
      "nanoPerDay",
      "prices.0.input",
      "prices.0.model",
      "prices.0.output",
    ]);
  });

  test("reads the prices of cache writes and of long prompts, and gives them back as they were", () => {
    const price = { ...NEW_PRICE, model: "claude", input: "3", output: "15", cacheWrite: "3.75", hourCacheWrite: "6" };
    const long = { aboveTokens: "200,000", longInput: "6", longOutput: "22.5", longHourCacheWrite: "12" };
    const result = read({ ...draft, prices: [{ ...price, ...long }] }, null);
    const prices = "input" in result ? result.input.prices : [];
    expect(prices).toMatchObject([
      {
        ...{ cacheWrite: 3_750_000_000n, hourCacheWrite: 6_000_000_000n },
        longPrompt: {
          aboveTokens: 200_000,
          output: 22_500_000_000n,
          cacheWrite: null,
          hourCacheWrite: 12_000_000_000n,
        },
      },
    ]);
    const view = { ...VIEW, prices };
    expect(draftOf(view).prices).toEqual([{ ...price, ...long, aboveTokens: "200000" }]);
  });

  test.each([
    [{ longInput: "6" }, ["aboveTokens", "longOutput"]],
    [{ aboveTokens: "many", longInput: "6", longOutput: "1" }, ["aboveTokens"]],
    [{ aboveTokens: "0", longInput: "6", longOutput: "1" }, ["aboveTokens"]],
    [{ longHourCacheWrite: "6" }, ["aboveTokens"]],
    [{ hourCacheWrite: "-1" }, ["hourCacheWrite"]],
  ])("refuses prices of a tier that is not whole: %o", (more, fields) => {
    const result = read({ ...draft, prices: [{ ...NEW_PRICE, model: "m", input: "1", output: "1", ...more }] }, null);
    expect("wrongs" in result && Object.keys(result.wrongs).sort()).toEqual(fields.map((one) => `prices.0.${one}`));
  });

  test("takes a provider's name along until somebody chose another", () => {
    expect(withProvider(draftOf(null), "anthropic").name).toBe("anthropic");
    expect(withProvider({ ...draftOf(null), name: "mine" }, "anthropic").name).toBe("mine");
  });
});

describe("the address of the page", () => {
  test("a chip leads to the calls it picks, by the word or by the code", () => {
    const params = new URL(callsHref("7d", "cause", "no credential"), "http://x").searchParams;
    expect([viewOf(params.get("view"), params.get("q")), params.get("range")]).toEqual(["calls", "7d"]);
    const range = { from: new Date(0), to: new Date(1) };
    const causesOf = (text: string) =>
      callsInput(range, parseFilter(text, ["cause", "verdict", "judge", "model"])).causes;
    expect(causesOf(params.get("q") ?? "")).toEqual(["no_credential"]);
    expect(causesOf("cause:timeout cause:over_budget")).toEqual(["timeout", "over_budget"]);
  });

  test("one call has one, and a cut one none", () => {
    const key = { occurredAt: new Date(1_234), id: "00000000-0000-7000-8000-000000000000", place: 2 };
    expect(parseJudgeCall(judgeCallText(key))).toEqual(key);
    for (const text of [null, "", "1234", "1234.x.0", "1234.00000000-0000-7000-8000-000000000000", "..", "a.b.c"])
      expect(parseJudgeCall(text)).toBeNull();
  });
});

describe("right and wrong answers of two sides", () => {
  const side = { right: 2, wrong: 1 };
  const score = { labelled: 3, compared: 3, disputed: 0, before: side, after: side, newlyWrong: 0, newlyRight: 0 };
  const names = { before: "Revision 1", after: "Revision 2" };
  const equal = "3 labelled calls. Revision 1: 2 correct, 1 wrong. Revision 2: 2 correct, 1 wrong.";

  test("name the calls that are left out because their labels differ", () => {
    expect(scoreText(score, names)).toBe(equal);
    expect(scoreText({ ...score, disputed: 1 }, names)).toBe(`${equal} 1 call with disputed labels is not counted.`);
    expect(scoreText({ ...score, disputed: 2 }, names)).toBe(`${equal} 2 calls with disputed labels are not counted.`);
  });
  test("are unknown without a label that people agree on", () => {
    expect(unscoredText({ labelled: 0, disputed: 0 })).toMatch(/^People have not labelled these calls yet/);
    expect(unscoredText({ labelled: 0, disputed: 2 })).toMatch(/^People do not agree on a label/);
  });
});
