/** The pure parts of streams: hash, kinds, filters, addresses and texts. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addressRule, VARIABLES } from "../platform/outgoing/address-rule.ts";
import { comparePositions, EMPTY_DIGEST, extendDigest } from "./digest.ts";
import { kindOfDispatch, kindOfEntry, passes } from "./event-kinds.ts";
import { TEXT_MAX, textsAt } from "./record-event.ts";
import { saveStream } from "./schema.ts";
import { addressRefusal, originOf, parseEndpoint } from "./target-address.ts";

const ref = fc.record({
  position: fc.record({ seq: fc.nat(1_000), place: fc.nat(50) }),
  hash: fc.string({ minLength: 1, maxLength: 43 }),
});

describe("the hash of a stream", () => {
  test("is the same for any division into requests", () => {
    fc.assert(
      fc.property(fc.array(ref, { maxLength: 30 }), fc.nat(30), (events, at) => {
        const whole = extendDigest(EMPTY_DIGEST, events);
        const parts = extendDigest(extendDigest(EMPTY_DIGEST, events.slice(0, at)), events.slice(at));
        expect(parts.equals(whole)).toBe(true);
      }),
    );
  });

  test("differs when an event is missing, doubled, altered or in another place", () => {
    const events = [1, 2, 3].map((seq) => ({ position: { seq, place: 0 }, hash: `h${seq}` }));
    const [a, b, c] = events as [(typeof events)[0], (typeof events)[0], (typeof events)[0]];
    const others = [
      [a, c],
      [a, b, b, c],
      [a, { ...b, hash: "x" }, c],
      [b, a, c],
      [{ ...a, position: { seq: 1, place: 1 } }, b, c],
    ];
    const whole = extendDigest(EMPTY_DIGEST, events);
    for (const other of others) expect(extendDigest(EMPTY_DIGEST, other).equals(whole)).toBe(false);
  });

  test("positions are ordered by entry, then by row", () => {
    const positions = [
      { seq: 2, place: 0 },
      { seq: 1, place: 9 },
      { seq: 1, place: 10 },
    ];
    expect(positions.toSorted(comparePositions).map(({ seq, place }) => `${seq}.${place}`)).toEqual([
      "1.9",
      "1.10",
      "2.0",
    ]);
  });
});

test.each([
  [{ call: { model: "m" } }, "none", "cost"],
  [{ compaction: { effect: "applied", reason: "r" } }, "none", "compaction"],
  [{ decision: { kind: "gate", source: "x", verdict: "deny" } }, "deny", "decision"],
  [{ decision: { kind: "final", source: "x", verdict: "allow" } }, "none", "final_decision"],
  [{ gate: true }, "none", "decision"],
  [{}, "deny", "decision"],
  [{}, "none", "event"],
  [null, "none", "decision"],
] as const)("facts %j with the verdict %s are a %s", (facts, verdict, kind) => {
  expect(kindOfDispatch({ facts, verdict })).toBe(kind);
});

test.each([
  ["halted", "halt"],
  ["signed_in", "sign_in"],
  ["approval_answered", "approval"],
  ["exception_made", "approval"],
  ["policy_published", "policy"],
  ["policy_assigned", "policy"],
  ["publish_requirements_set", "policy"],
  ["agent_created", "administration"],
  ["a_kind_of_tomorrow", "administration"],
])("the entry %s is of kind %s", (entry, kind) => expect(kindOfEntry(entry)).toBe(kind));

test("a filter of agents leaves administrative changes in", () => {
  const filter = { kinds: ["decision", "halt"] as const, agents: ["a"] };
  const of = (agentsMode: "all" | "only" | "except", agent: string | null) =>
    passes({ ...filter, kinds: [...filter.kinds], agentsMode }, agent === null ? "halt" : "decision", agent);
  expect([of("all", "b"), of("only", "a"), of("only", "b"), of("except", "a"), of("except", "b")]).toEqual([
    ...[true, true, false, false, true],
  ]);
  expect([of("only", null), of("except", null)]).toEqual([true, true]);
});

describe("the texts of a call", () => {
  const secret = `ghp_${"a1B2".repeat(9)}`;
  test("are cut after they are masked, so that no half of a secret is left", () => {
    for (let shift = 0; shift < secret.length; shift += 1) {
      const text = `${"x ".repeat((TEXT_MAX - shift) / 2)} ${secret} end`;
      const { input, isInputCut } = textsAt("masked", { input: text, inputLength: text.length + 1, reason: null });
      expect(input).not.toContain(secret.slice(0, 12));
      expect([isInputCut, (input?.length ?? 0) <= TEXT_MAX]).toEqual([true, true]);
    }
  });

  test("of level facts are absent", () => {
    expect(textsAt("facts", { input: "{}", inputLength: 2, reason: "no" })).toEqual({
      ...{ input: null, isInputCut: false, reason: null },
    });
  });
});

describe("an address", () => {
  const world = { addresses: addressRule("10.0.0.7", VARIABLES.webhooks), ownUrl: "https://deck.example" };
  test.each([
    ["siem.example.com:6514", "siem.example.com", 6514],
    ["[2001:db8::1]:6514", "2001:db8::1", 6514],
  ])("%s is host and port", (text, host, port) => expect(parseEndpoint(text)).toEqual({ host, port }));
  test.each(["siem", "siem:0", "siem:70000", "a b:1", "tls://siem:1", ":1"])("%j is none", (text) =>
    expect(parseEndpoint(text)).toBeNull(),
  );
  test.each([
    ["https", "http", "https://siem.example.com/x", null],
    ["a listed private one", "syslog", "10.0.0.7:6514", null],
    ["this console", "http", "https://deck.example/api/v1/events", expect.stringContaining("this console")],
    ["a private one", "s3", "https://10.0.0.8", expect.stringContaining(VARIABLES.webhooks)],
    ["http", "http", "http://siem.example.com/x", expect.stringContaining("https")],
    ["a query", "splunk", "https://siem.example.com/x?token=1", expect.stringContaining("?")],
  ] as const)("%s is judged for %s", (_title, kind, address, says) =>
    expect(addressRefusal(kind, address, world)).toEqual(says),
  );
  test("is the place that a secret is bound to", () => {
    expect(originOf("http", "https://a.example/x")).toBe("https://a.example");
    expect(originOf("syslog", "A.example:1")).toBe("a.example:1");
    expect(originOf("http", "nonsense")).toBeNull();
  });
});

test.each([
  [{ kind: "elastic" }, "index"],
  [{ kind: "s3", bucket: "b12", region: "eu" }, "accessKeyId"],
  [{ kind: "http", ca: "not a certificate" }, "ca"],
  [{ kind: "http", kinds: [] }, "kinds"],
  [{ kind: "http", rateMax: 0 }, "rateMax"],
])("a stream with %j is refused at %s", (more, path) => {
  const read = saveStream.safeParse({
    ...{ name: "x", address: "https://a.example", format: "ocsf", isEnabled: true, kinds: ["halt"], secret: null },
    ...more,
  });
  expect(read.error?.issues.map((issue) => issue.path[0])).toEqual([path]);
});
