import { expect, it } from "vitest";
import { z } from "zod";
import { appRouter } from "../composition/router.ts";
import { isMaskedPath, KEPT_FIELDS, MASKED_FIELDS, maskTypedText } from "./typed-text.ts";

const TOKEN = ["gh", "p_", "x".repeat(36)].join("");

interface Defined {
  readonly type: string;
  readonly inputs: readonly z.ZodType[];
}
interface Schema {
  readonly [key: string]: unknown;
}
const isSchema = (value: unknown): value is Schema => typeof value === "object" && value !== null;

/** The last names of every text in a schema that is free: no id, no instant, no word of a list. */
function textsIn(schema: unknown, name: string): string[] {
  if (Array.isArray(schema)) return schema.flatMap((one) => textsIn(one, name));
  if (!isSchema(schema)) return [];
  const isFixed =
    schema.enum !== undefined || schema.const !== undefined || /uuid|date-time/.test(String(schema.format));
  const own = schema.type === "string" && !isFixed ? [name] : [];
  const members = Object.entries(isSchema(schema.properties) ? schema.properties : {});
  const within = ["items", "anyOf", "oneOf", "allOf", "additionalProperties"].map((key) => schema[key]);
  return [
    ...own,
    ...members.flatMap(([key, one]) => textsIn(one, key)),
    ...within.flatMap((one) => textsIn(one, name)),
  ];
}

const mutations = Object.entries(appRouter._def.procedures).flatMap(([path, one]) => {
  const { type, inputs } = (one as unknown as { _def: Defined })._def; // tRPC keeps it there at run time
  return type === "mutation" && !path.startsWith("agent.") ? [{ path, inputs }] : [];
});

it("says of every text of every mutation if it is masked", () => {
  const undecided = mutations.flatMap(({ path, inputs }) =>
    inputs
      .flatMap((input) => textsIn(z.toJSONSchema(input, { io: "input", unrepresentable: "any" }), ""))
      .filter((name) => !MASKED_FIELDS.has(name) && !KEPT_FIELDS.has(name) && !/sha256|Id$|^day$|Ids$/i.test(name))
      .map((name) => `${path} ${name}`),
  );
  expect(undecided).toEqual([]);
});

it.each([
  ["at the top", { reason: `use ${TOKEN}` }, { reason: "use [REDACTED]" }],
  ["in a list", { lists: [{ name: TOKEN }, { name: "ok" }] }, { lists: [{ name: "[REDACTED]" }, { name: "ok" }] }],
  ["deep", { change: { input: { duringFreeze: TOKEN } } }, { change: { input: { duringFreeze: "[REDACTED]" } } }],
  ["but not in a text that a program reads", { source: TOKEN, note: "x" }, { source: TOKEN, note: "x" }],
])("words are masked %s", (_, input, safe) => {
  expect(maskTypedText(input)).toEqual(safe);
});

it("leaves an input without secrets, with its dates, as it is", () => {
  const input = { reason: "a wave of calls", until: new Date(), set: new Set(["name"]) };
  expect(maskTypedText(input)).toBe(input);
});

it("leaves the words of an answer to the service that refuses them", () => {
  expect(isMaskedPath("approvals.answer")).toBe(false);
  expect(isMaskedPath("halts.halt")).toBe(true);
});
