/**
 * Encodes values that JSON lacks. Outputs use all of superjson. Inputs may contain only the few types that our schemas
 * use: superjson would construct any type that the sender names, and some take seconds (a number of a million digits, a
 * pattern that never ends).
 *
 * Errors: a `RangeError` that names what was refused; tRPC answers 400.
 */
import { truncateText } from "@quarterdeck/hooks/contract/truncate-text";
import superjson, { type SuperJSONResult } from "superjson";
import { z } from "zod";

const READ: ReadonlySet<unknown> = new Set(["Date", "bigint", "undefined"]);
/** More than any amount has, in nano-dollars or tokens. */
const BIGINT_DIGITS_MAX = 40;
/** A text that would become a longer one, in any of the ways in which BigInt reads a text. */
const LONGER = new RegExp(
  `^\\s*(?:[+-]?\\d{${BIGINT_DIGITS_MAX + 1},}|0[xob][\\da-f]{${BIGINT_DIGITS_MAX + 1},})\\s*$`,
  "i",
);
/** Values of such a type in one request; the largest form of ours has some hundred. */
const TYPED_MAX = 5_000;

const wrapped = z.looseObject({
  json: z.unknown().optional(),
  meta: z.looseObject({ v: z.number().optional(), values: z.unknown().optional() }).optional(),
});

export const transformer = {
  input: { serialize: superjson.serialize, deserialize: deserializeInput },
  output: { serialize: encodeOutput, deserialize: superjson.deserialize },
};

/** Outputs that are given to several viewers; null until the first of them is encoded. */
const sharedOutputs = new WeakMap<object, SuperJSONResult | null>();

/** Marks an output as shared: it is encoded once, and must not change from now on. */
export function encodeOnce(output: unknown): void {
  if (typeof output === "object" && output !== null && !sharedOutputs.has(output)) sharedOutputs.set(output, null);
}

function encodeOutput(output: unknown): SuperJSONResult {
  const isShared = typeof output === "object" && output !== null && sharedOutputs.has(output);
  const known = isShared ? sharedOutputs.get(output) : null;
  if (known) return known;
  const encoded = superjson.serialize(output);
  if (isShared) sharedOutputs.set(output, encoded);
  return encoded;
}

/**
 * The decoded input. References that mark two positions as one object are ignored: each position already holds a copy.
 */
function deserializeInput(value: unknown): unknown {
  if (value === undefined) return undefined;
  const { json, meta } = wrapped.parse(value);
  if (meta?.values === undefined) return json;
  const types = typesIn(meta.values);
  const strange = types.find((type) => !READ.has(type));
  if (strange !== undefined)
    throw new RangeError(`The type ${truncateText(JSON.stringify(strange), 60)} is not read here.`);
  if (types.length > TYPED_MAX)
    throw new RangeError(`At most ${TYPED_MAX} values of a request have a type of their own.`);
  if (types.includes("bigint")) refuseLongNumbers(json);
  // Holds: superjson reads the rest of its own format, and throws for anything else.
  return superjson.deserialize({ json, meta: { v: meta.v, values: meta.values } } as SuperJSONResult);
}

/** Every type in superjson's tree of types: a leaf is `[type]`, a leaf with children is `[type, {path: ...}]`. */
function typesIn(tree: unknown): readonly unknown[] {
  const types: unknown[] = [];
  const left: unknown[] = [tree];
  while (left.length > 0) {
    const node = left.pop();
    const children = Array.isArray(node) ? node[1] : node;
    if (Array.isArray(node)) types.push(node[0] ?? null);
    if (typeof children === "object" && children !== null)
      for (const child of Object.values(children)) left.push(child);
    else if (children !== undefined) types.push(children);
  }
  return types;
}

/** Wherever it stands: which of the texts become numbers is superjson's to find. */
function refuseLongNumbers(json: unknown): void {
  const left: unknown[] = [json];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value === "string" && LONGER.test(value))
      throw new RangeError(`A bigint has at most ${BIGINT_DIGITS_MAX} digits.`);
    if (typeof value === "object" && value !== null) for (const one of Object.values(value)) left.push(one);
  }
}
