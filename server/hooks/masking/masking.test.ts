import { describe, expect, it } from "vitest";
import { maskingSetting } from "../contract/masking-setting.ts";
import { maskPatternProblem } from "./mask-patterns.ts";
import type { MaskHits } from "./mask-spans.ts";
import { BUILT_IN_MASKING, createMasking, HIDING_MASKING } from "./masking.ts";

const ID = "0198c0de-0000-7000-8000-000000000001";
const masking = createMasking(
  maskingSetting.parse({
    patterns: [{ id: ID, name: "employee", pattern: "EMP-\\d{6}" }],
    fields: [
      { tool: "http_.*", path: "tool_input.headers.*" },
      { tool: "*", path: "tool_input.pin" },
      { tool: "vault", path: "tool_response" },
    ],
    detectors: ["email", "card"],
  }),
);
const SECRET = ["gh", "p_", "aZ3".repeat(12)].join("");

const inputOf = (value: object, hits?: MaskHits): unknown =>
  JSON.parse(masking.json(JSON.stringify(value), "input", value, hits));

describe("a text", () => {
  it("loses secrets, own patterns and personal data, and the losses are counted", () => {
    const hits: MaskHits = new Map();
    expect(masking.text(`${SECRET} EMP-123456, EMP-654321 jane@example.com`, undefined, hits)).toBe(
      "[REDACTED] [REDACTED], [REDACTED] [REDACTED]",
    );
    expect(Object.fromEntries(hits)).toEqual({ [ID]: 2, email: 1 });
  });

  it("is the same object where there is nothing to mask, and masking twice changes and counts nothing", () => {
    const plain = "nothing to see";
    expect(masking.text(plain)).toBe(plain);
    const once = masking.text("EMP-123456 jane@example.com");
    const hits: MaskHits = new Map();
    expect(masking.text(once, undefined, hits)).toBe(once);
    expect(hits.size).toBe(0);
  });

  it("keeps no part of a match that overlaps an earlier marker", () => {
    const wide = createMasking(maskingSetting.parse({ patterns: [{ id: ID, name: "wide", pattern: "case .*;" }] }));
    expect(wide.text(`case ${SECRET} of EMP;`)).toBe("[REDACTED]");
  });

  it("loses the values of fields that its call never stores", () => {
    const call = { tool_name: "http_get", tool_input: { headers: { authorization: "Bear 77", "x-id": 12345678 } } };
    expect(masking.text("refused: Bear 77 for 12345678", call)).toBe("refused: [REDACTED] for [REDACTED]");
    expect(masking.text("refused: Bear 77", { tool_name: "shell", tool_input: call.tool_input })).toBe(
      "refused: Bear 77",
    );
  });
});

describe("an input", () => {
  it("keeps its names, its digits and its spacing, and loses content at any depth, also in keys and numbers", () => {
    const json =
      '{ "session_id":"EMP-123456", "tool_name": "mail", "tool_input": {"to":["a@b.io", {"EMP-111111": 1.50}], "n": 12345678901234567890, "card": 4111111111111111 }, "cost": 4111111111111111 }';
    expect(masking.json(json, "input", { tool_name: "mail" })).toBe(
      '{ "session_id":"EMP-123456", "tool_name": "mail", "tool_input": {"to":["[REDACTED]", {"[REDACTED]": 1.50}], "n": 12345678901234567890, "card": "[REDACTED]" }, "cost": 4111111111111111 }',
    );
  });

  it("stores no field that is never stored, whatever its type, for the matching tools only", () => {
    const hits: MaskHits = new Map();
    const headers = { a: "x", b: { c: [1, "}"] } };
    expect(inputOf({ tool_name: "http_get", tool_input: { headers, pin: 1234, url: "u" } }, hits)).toEqual({
      tool_name: "http_get",
      tool_input: { headers: { a: "[REDACTED]", b: "[REDACTED]" }, pin: "[REDACTED]", url: "u" },
    });
    expect(Object.fromEntries(hits)).toEqual({ field: 3 });
    expect(inputOf({ tool_name: "shell", tool_input: { headers } })).toEqual({
      tool_name: "shell",
      tool_input: { headers },
    });
    expect(inputOf({ tool_name: "vault", tool_input: {}, tool_response: { key: 1 } })).toMatchObject({
      tool_response: "[REDACTED]",
    });
  });

  it("is masked behind escapes, and stays valid JSON", () => {
    const value = { tool_input: { text: 'line\n"EMP-123456"\\ \u00e9 jane@example.com' } };
    expect(inputOf(value)).toEqual({ tool_input: { text: 'line\n"[REDACTED]"\\ \u00e9 [REDACTED]' } });
  });
});

it("an answer loses the fields of the edited input, and keeps its words", () => {
  const answer = {
    decision: "block",
    reason: "EMP-123456",
    hook_specific_output: { permission_decision: "deny", updated_input: { pin: 7, to: "a@b.io" } },
  };
  const safe: unknown = JSON.parse(masking.json(JSON.stringify(answer), "answer", { tool_name: "any" }));
  expect(safe).toEqual({
    decision: "block",
    reason: "[REDACTED]",
    hook_specific_output: { permission_decision: "deny", updated_input: { pin: "[REDACTED]", to: "[REDACTED]" } },
  });
});

it("a hook's result keeps the names of policy, rule and outcome", () => {
  const hooks = [
    {
      policy: "EMP-123456",
      name: "EMP-123456",
      outcome: "denied",
      stdout: "EMP-123456",
      judge: { model: "m", reply: "a@b.io" },
    },
  ];
  const safe: unknown = JSON.parse(masking.json(JSON.stringify(hooks), "hooks", {}));
  expect(safe).toEqual([{ ...hooks[0], stdout: "[REDACTED]", judge: { model: "m", reply: "[REDACTED]" } }]);
});

it("a hook's output loses the fields of the input that it writes", () => {
  const stdout = JSON.stringify({ hook_specific_output: { updated_input: { pin: "pin-9900", to: "b" } } });
  const call = { tool_name: "any", tool_input: { pin: "pin-1" }, updated_input: { pin: "pin-9900" } };
  const safe: unknown = JSON.parse(masking.json(JSON.stringify([{ stdout, stderr: "set pin-9900" }]), "hooks", call));
  const written = '{"hook_specific_output":{"updated_input":{"pin":"[REDACTED]","to":"b"}}}';
  expect(safe).toEqual([{ stdout: written, stderr: "set [REDACTED]" }]);
  expect(JSON.parse(masking.json(JSON.stringify([{ stdout }]), "hooks", { tool_name: "any" }))).toEqual([
    { stdout: written },
  ]);
});

it("a text that is JSON is masked behind its escapes, at any depth, and stays JSON", () => {
  const quoted = createMasking(
    maskingSetting.parse({ patterns: [{ id: ID, name: "case", pattern: 'Köln "A-\\d+"' }] }),
  );
  const nest = (value: object, depth: number): object =>
    depth === 0 ? value : nest({ in: JSON.stringify(value) }, depth - 1);
  for (const depth of [0, 1, 2, 5]) {
    const json = JSON.stringify(nest({ 'Köln "A-1"': 'of Köln "A-22"!' }, depth));
    expect(JSON.parse(quoted.json(json, "tool_input"))).toEqual(nest({ "[REDACTED]": "of [REDACTED]!" }, depth));
  }
  const broken = '{"cut": "Köln \\"A-1';
  expect(quoted.text(broken)).toBe(broken);
});

it("a workspace without masking of its own has the built-in one, of which raw capture leaves nothing", () => {
  expect(createMasking(maskingSetting.parse({}))).toBe(BUILT_IN_MASKING);
  expect(BUILT_IN_MASKING.ownOnly.text(SECRET)).toBe(SECRET);
});

it("its own part holds without the built-in one", () => {
  expect(masking.ownOnly.text(`${SECRET} EMP-123456`)).toBe(`${SECRET} [REDACTED]`);
});

it("masking that cannot be read hides every text and keeps the names", () => {
  expect(HIDING_MASKING.text("anything")).toBe("[REDACTED]");
  const json = '{"session_id":"s","tool_input":{"cmd":"ls","n":123456,"empty":""}}';
  expect(HIDING_MASKING.json(json, "input")).toBe(
    '{"session_id":"s","tool_input":{"cmd":"[REDACTED]","n":"[REDACTED]","empty":""}}',
  );
});

it("a text that is too long for the exact ends of its matches is hidden as a whole", () => {
  const long = `${"word ".repeat(100_000)}EMP-123456`;
  expect(masking.text(long)).toBe("[REDACTED]");
});

describe("a pattern", () => {
  it.each(["EMP-\\d{6}", "(?i)project[- ]?orion", "\\bK\\d{7}\\b", "https://wiki\\.corp\\.example/\\S+"])(
    "%s is fine",
    (pattern) => {
      expect(maskPatternProblem(pattern)).toBeNull();
    },
  );
  it.each([
    ["(", "not an RE2 pattern"],
    ["(a)\\1", "not an RE2 pattern"],
    [".*", "empty text"],
    ["x*", "empty text"],
    [".+", "hides the word"],
    ["command", "hides the word “command”"],
    ["\\w+ [\\w ]+", "of ordinary text"],
    ["(?:a{900}){2}", "not an RE2 pattern"],
    ["(?:[a-z]{30}[0-9]{30}\\pL{30}){10}", "too large"],
  ])("%s is refused", (pattern, says) => {
    expect(maskPatternProblem(pattern)).toContain(says);
  });
});
