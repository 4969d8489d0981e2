/** Fields of a tool's calls that are never stored. */
import { REDACTED } from "../handlers/builtin/secrets/redact.ts";
import type { JsonPath } from "./json-content.ts";
import type { MaskedCall, MaskedShape } from "./masked-call.ts";
import { KNOWN_NAMES } from "./ordinary-texts.ts";

export interface FieldRules {
  /** True if a value is such a field, in a JSON text of this shape; null for a shape without such fields. */
  isRemoved(shape: MaskedShape): ((path: JsonPath, depth: number) => boolean) | null;
  /** The texts of these fields, longest first: other texts of the same call may repeat them. */
  values(call: MaskedCall | undefined): readonly string[];
}

/** A shorter value is also an ordinary word. */
const VALUE_CHARS_MIN = 4;
const VALUES_MAX = 100;

export function fieldRulesOf(paths: readonly JsonPath[]): FieldRules {
  const byCall = new WeakMap<object, readonly string[]>();
  const shapes: Readonly<Record<MaskedShape, readonly JsonPath[]>> = {
    input: paths,
    tool_input: paths.flatMap(([first, ...rest]) => (first === "tool_input" ? [rest] : [])),
    answer: paths.map(([first, ...rest]) =>
      first === "tool_input"
        ? ["hook_specific_output", "updated_input", ...rest]
        : ["hook_specific_output", "updated_tool_response"],
    ),
    hooks: [],
  };
  return {
    isRemoved(shape) {
      const own = shapes[shape];
      if (own.length === 0) return null;
      return (path, depth) =>
        own.some((one) => one.length === depth && one.every((name, at) => name === "*" || name === path[at]));
    },
    values(call) {
      if (call === undefined) return [];
      const before = byCall.get(call);
      if (before) return before;
      const found = new Set<string>();
      for (const path of paths) {
        collect(call, path, found);
        const [first = "", ...rest] = path;
        collect(call, [`updated_${first === "tool_input" ? "input" : first}`, ...rest], found);
      }
      const values = [...found].sort((a, b) => b.length - a.length);
      byCall.set(call, values);
      return values;
    },
  };
}

/** Adds the texts and long numbers at a path, at any depth below it. */
function collect(value: unknown, path: JsonPath, found: Set<string>): void {
  if (found.size >= VALUES_MAX) return;
  const [name, ...rest] = path;
  if (typeof value === "object" && value !== null) {
    const members = name === undefined || name === "*" ? Object.values(value) : [Reflect.get(value, name) as unknown];
    for (const member of members) collect(member, rest, found);
    return;
  }
  if (name !== undefined) return;
  const text = typeof value === "number" || typeof value === "bigint" ? String(value) : value;
  if (typeof text !== "string" || text.length < VALUE_CHARS_MIN) return;
  if (text === REDACTED || KNOWN_NAMES.includes(text)) return;
  found.add(text);
  // As it is written within JSON.
  const written = JSON.stringify(text).slice(1, -1);
  if (written !== text) found.add(written);
}
