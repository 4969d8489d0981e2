import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Answer, expectedOf, flipsOf, latencyOf, majorityVerdict, measuresOf } from "./measures.ts";
import { DECISIONS, type Decision, expectations, LABEL_WORDS } from "./schema.ts";

const answer = (about: string, verdict: string, more: Partial<Answer> = {}): Answer => ({
  about,
  group: null,
  verdict,
  latencyMs: 100,
  pricing: "priced",
  nano: 10n,
  ...more,
});
const expecting = (words: Readonly<Record<string, Decision | "disputed">>) => new Map(Object.entries(words));

describe("precision, recall and agreement", () => {
  // said \ meant   allow  ask  deny
  // allow             3    1     1
  // ask               1    2     0
  // deny              1    1     4
  const TABLE: readonly (readonly [Decision, Decision, number])[] = [
    ["allow", "allow", 3],
    ["allow", "ask", 1],
    ["allow", "deny", 1],
    ["ask", "allow", 1],
    ["ask", "ask", 2],
    ["deny", "allow", 1],
    ["deny", "ask", 1],
    ["deny", "deny", 4],
  ];
  const answers: Answer[] = [];
  const meant: Record<string, Decision> = {};
  for (const [said, should, times] of TABLE)
    for (let at = 0; at < times; at += 1) {
      const about = `${said} ${should} ${at}`;
      answers.push(answer(about, said));
      meant[about] = should;
    }
  const found = measuresOf(answers, expecting(meant));

  it("are those counted by hand", () => {
    // Raised: 3 asks and 6 denials, of which 7 were needed. Needed: 9, of which 2 were allowed.
    expect(found.precision).toEqual({ hits: 7, of: 9 });
    expect(found.recall).toEqual({ hits: 7, of: 9 });
    expect(found.agreement).toEqual({ hits: 9, of: 14 });
    // Chance: said 5/14, 3/14, 6/14; meant 5/14, 4/14, 5/14.
    const chance = (5 * 5 + 3 * 4 + 6 * 5) / 196;
    expect(found.kappa).toBeCloseTo((9 / 14 - chance) / (1 - chance), 12);
    expect(found).toMatchObject({ judged: 14, labelled: 14, failed: 0, disputed: 0 });
  });
  it("know nothing where nobody labelled, and say so instead of zero", () => {
    const none = measuresOf(answers, expecting({}));
    expect(none).toMatchObject({ labelled: 0, precision: null, recall: null, agreement: null, kappa: null });
    expect(measuresOf([], expecting({}))).toMatchObject({ judged: 0, flips: null, latency: null });
  });
  it("have no precision without a raised hand, and no recall where none was needed", () => {
    const quiet = measuresOf([answer("a", "allow")], expecting({ a: "deny" }));
    expect(quiet).toMatchObject({ precision: null, recall: { hits: 0, of: 1 }, agreement: { hits: 0, of: 1 } });
    const fine = measuresOf([answer("a", "allow")], expecting({ a: "allow" }));
    expect(fine).toMatchObject({ precision: null, recall: null, agreement: { hits: 1, of: 1 }, kappa: null });
  });
  it("count a failed question apart, and a disputed call nowhere", () => {
    const mixed = [answer("a", "deny"), answer("a", "failed"), answer("b", "deny"), answer("c", "context")];
    expect(measuresOf(mixed, expecting({ a: "deny", b: "disputed", c: "allow" }))).toMatchObject({
      judged: 2,
      failed: 1,
      labelled: 1,
      disputed: 1,
      precision: { hits: 1, of: 1 },
      agreement: { hits: 1, of: 1 },
    });
  });
  it("stay shares of what they count, whatever is answered and expected", () => {
    const verdict = fc.constantFrom<string>(...DECISIONS, "block", "failed", "context", "nothing");
    const meant = fc.constantFrom<Decision | "disputed" | undefined>(...DECISIONS, "disputed", undefined);
    fc.assert(
      fc.property(fc.array(fc.tuple(verdict, meant), { maxLength: 40 }), (rows) => {
        const given = rows.map(([word], at) => answer(String(at), word));
        const wanted = new Map(rows.flatMap(([, word], at) => (word ? [[String(at), word] as const] : [])));
        const m = measuresOf(given, wanted);
        for (const share of [m.precision, m.recall, m.agreement, m.flips])
          if (share) {
            expect(share.of).toBeGreaterThan(0);
            expect(share.hits).toBeLessThanOrEqual(share.of);
          }
        expect(m.labelled + m.disputed).toBeLessThanOrEqual(m.judged);
        expect(m.judged + m.failed).toBeLessThanOrEqual(given.length);
        expect(m.agreement?.of ?? 0).toBe(m.labelled);
        if (m.kappa !== null) expect(m.kappa).toBeLessThanOrEqual(1);
        // A judge that says what people mean is right in everything.
        const right = measuresOf(
          [...wanted].flatMap(([about, word]) => (word === "disputed" ? [] : [answer(about, word)])),
          wanted,
        );
        for (const share of [right.precision, right.recall, right.agreement])
          if (share) expect(share.hits).toBe(share.of);
      }),
    );
  });
});

describe("the flip rate", () => {
  const said = (group: string | null, ...verdicts: string[]) => verdicts.map((verdict) => ({ group, verdict }));
  it("is of the calls answered at least twice, those whose answers differ", () => {
    const answers = [
      ...said("same", "deny", "deny", "deny"),
      ...said("flips", "deny", "allow", "deny"),
      ...said("once", "ask"),
      ...said("half failed", "ask", "failed"),
      ...said("failed between", "ask", "failed", "ask"),
      ...said(null, "allow", "deny"),
    ];
    expect(flipsOf(answers)).toEqual({ hits: 1, of: 3 });
    expect(flipsOf(said("once", "deny"))).toBeNull();
  });
});

describe("latency", () => {
  it("is by nearest rank, over what was answered", () => {
    const times = Array.from({ length: 20 }, (_, at) => ({ latencyMs: (at + 1) * 10, verdict: "allow" }));
    expect(
      latencyOf([...times, { latencyMs: 9_999, verdict: "failed" }, { latencyMs: null, verdict: "allow" }]),
    ).toEqual({
      p50: 100,
      p95: 190,
      of: 20,
    });
    expect(latencyOf([{ latencyMs: 5, verdict: "failed" }])).toBeNull();
  });
});

describe("what people expect", () => {
  const at = (second: number) => new Date(second * 1_000);
  it("is each person's newest word, and disputed while they differ", () => {
    const labels = [
      { about: "a", personId: "ada", expected: "deny", at: at(1) },
      { about: "a", personId: "ada", expected: "allow", at: at(2) },
      { about: "b", personId: "ada", expected: "ask", at: at(1) },
      { about: "b", personId: "bob", expected: "deny", at: at(2) },
      { about: "c", personId: "ada", expected: "deny", at: at(1) },
      { about: "c", personId: "bob", expected: "deny", at: at(2) },
    ] as const;
    expect(Object.fromEntries(expectedOf(labels))).toEqual({ a: "allow", b: "disputed", c: "deny" });
  });
  it("follows the label: right is the verdict, too strict is looser, too loose stricter", () => {
    const strictness = (word: Decision) => DECISIONS.indexOf(word);
    for (const said of DECISIONS)
      for (const word of LABEL_WORDS)
        for (const meant of expectations(said, word))
          expect(Math.sign(strictness(meant) - strictness(said))).toBe(
            { right: 0, too_strict: -1, too_loose: 1 }[word],
          );
    // The buttons read "Should have allowed" and "Should have denied".
    expect(expectations("deny", "too_strict")).toEqual(["allow", "ask"]);
    expect(expectations("allow", "too_loose")).toEqual(["deny", "ask"]);
    expect(expectations("allow", "too_strict")).toEqual([]);
    expect(expectations("deny", "too_loose")).toEqual([]);
  });
});

it("the answer of several is the most frequent, and split is said as such", () => {
  expect(majorityVerdict(["deny", "deny", "allow"])).toBe("deny");
  expect(majorityVerdict(["block", "deny", "allow"])).toBe("deny");
  expect(majorityVerdict(["deny", "allow"])).toBe("split");
  expect(majorityVerdict(["failed", "allow"])).toBe("allow");
  expect(majorityVerdict(["failed"])).toBeNull();
  expect(majorityVerdict(["context"])).toBe("other");
});
