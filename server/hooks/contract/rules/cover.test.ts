import { describe, expect, it } from "vitest";
import { conditionKey, coversCondition } from "./cover.ts";
import type { Condition } from "./schema.ts";

const RM: Condition = { command: { program: "rm", flags: ["recursive"] } };
const MORE = { command: { program: "rm", flags: ["force", "recursive"] } };

describe("a condition that holds wherever another does", () => {
  const table: readonly (readonly [wide: Condition, narrow: Condition])[] = [
    [{}, RM],
    [RM, MORE],
    [{ command: { program: ["rm", "srm"] } }, RM],
    [{ command: { program: "r*" } }, RM],
    [{ command: {} }, RM],
    [{ path: { access: "write" } }, { path: { access: "delete", class: "home" } }],
    [{ path: { class: "home" } }, { path: { class: "home", not: "*.md" } }],
    [{ host: { not: ["a.example", "b.example"] } }, { host: { not: ["a.example", "b.example", "c.example"] } }],
    [{ host: { is: "*.example.org" } }, { host: { is: ["a.example.org", "b.example.org"] } }],
    [{ host: { is: "10.0.0.0/8" } }, { host: { is: "10.1.2.3" } }],
    [{ mcp: { server: "git*" } }, { mcp: { server: "github", not: "get_*" } }],
    [{ opaque: true }, { opaque: ["download"] }],
    [{ larger_than: 10 }, { larger_than: 20 }],
    [{ after: "m" }, { after: "m", within: "3m" }],
    [
      { after: "m", within: "1h" },
      { after: "m", within: "59m" },
    ],
    [RM, { all: [RM, { kind: "shell" }] }],
    [RM, { any: [MORE, { ...RM, kind: "shell" }] }],
    [{ any: [RM, { kind: "fetch" }] }, MORE],
    [{ not: { command: { program: "rm" } } }, { not: { command: { program: ["rm", "mv"] } } }],
  ];
  it.each(table)("%j covers %j, and not the other way", (wide, narrow) => {
    expect([coversCondition(wide, narrow), coversCondition(narrow, wide)]).toEqual([true, false]);
  });
});

it.each([
  [RM, { path: { class: "home" } }],
  [{ host: { not: "a.example" } }, { host: { not: "b.example" } }],
  [{ tool: "*" }, { tool: "server/tool" }],
  [{ any: [RM, { kind: "fetch" }] }, { kind: "shell" }],
] as [Condition, Condition][])("%j says nothing of %j", (one, other) => {
  expect([coversCondition(one, other), coversCondition(other, one)]).toEqual([false, false]);
});

it("one text and a list of it are written alike, and order says nothing", () => {
  expect(conditionKey({ path: { class: ["home", "system"] }, kind: "shell" })).toBe(
    conditionKey({ kind: ["shell"], path: { class: ["system", "home"] } }),
  );
  expect(conditionKey(RM)).not.toBe(conditionKey(MORE));
});
