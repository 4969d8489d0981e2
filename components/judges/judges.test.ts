import { describe, expect, test } from "vitest";
import { draftOf, read, withProvider } from "@/components/judges/connection-form";
import { callsHref, callsInput, viewOf } from "@/components/judges/query";
import { parseFilter } from "@/components/ui/filter/filter-text";
import { dollarsOf, nanoOf } from "@/components/ui/format/dollars";
import { judgeCallText, parseJudgeCall } from "@/server/judges/schema";

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
    const prices = [{ model: "", input: "", output: "x", cachedInput: "" }];
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
