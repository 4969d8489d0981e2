/** `eq`, `lt` and the other comparisons, with the types that they accept. */
import type { Budget } from "./budget.ts";
import { RenderError } from "./render-error.ts";
import { held, isNil, typeName, type Value } from "./values.ts";

type Given = Value | undefined;
type Solid = ReturnType<typeof held>;

/** True if the first equals one of the others. */
export function equals(first: Given, others: readonly Given[], budget: Budget): boolean {
  if (others.length === 0) throw new RenderError("missing argument for comparison");
  const one = held(first);
  return others.some((other) => {
    budget.step();
    return equal(one, held(other), budget);
  });
}

function equal(one: Solid, other: Solid, budget: Budget): boolean {
  if (!one || !other) {
    const present = one ?? other;
    return !present || (!isBasic(present) && isNil(present));
  }
  if (isWhole(one) && isWhole(other)) return one.value === other.value;
  if (one.kind !== other.kind) {
    // Byte lists and other lists are compared as lists.
    const lists = !isBasic(one) && !isBasic(other) && isList(one) && isList(other);
    throw new RenderError(lists ? notComparable(one, other) : incompatible(one, other));
  }
  switch (one.kind) {
    case "string":
      if (other.kind !== one.kind) break;
      if (one.text.length === other.text.length) budget.bytes(one.text.length);
      return one.text === other.text;
    case "bool":
    case "float":
      return other.kind === one.kind && one.value === other.value;
    case "complex":
      return other.kind === one.kind && one.re === other.re && one.im === other.im;
    case "pointer":
      return other.kind === one.kind && one.to === other.to && one.target === other.target;
    case "slice":
    case "map":
    case "bytes":
      if (isNil(one) || isNil(other)) return isNil(one) === isNil(other);
      break;
    case "struct":
      // A message contains lists, so it cannot be compared.
      if (other.kind !== one.kind || other.type === "chat.Message") break;
      return (
        one.type === other.type &&
        one.fields.every((field, at) => equal(held(field.value()), held(other.fields[at]?.value()), budget))
      );
  }
  throw new RenderError(notComparable(one, other));
}

/** True if the first is less than the second. */
export function less(first: Given, second: Given, budget: Budget): boolean {
  const one = held(first);
  const other = held(second);
  if (!one || !other || !isBasic(one) || !isBasic(other)) throw new RenderError("invalid type for comparison");
  if (isWhole(one) && isWhole(other)) return one.value < other.value;
  if (one.kind !== other.kind) throw new RenderError(incompatible(one, other));
  if (one.kind === "string" && other.kind === "string") {
    budget.bytes(Math.min(one.text.length, other.text.length));
    return one.text < other.text;
  }
  if (one.kind === "float" && other.kind === "float") return one.value < other.value;
  throw new RenderError("invalid type for comparison");
}

function isWhole(value: Value): value is Extract<Value, { kind: "int" | "uint" }> {
  return value.kind === "int" || value.kind === "uint";
}

function isList(value: Value): boolean {
  return value.kind === "slice" || value.kind === "bytes";
}

const BASIC: ReadonlySet<Value["kind"]> = new Set<Value["kind"]>(["string", "bool", "int", "uint", "float", "complex"]);

function isBasic(value: Value): boolean {
  return BASIC.has(value.kind);
}

function incompatible(one: Value, other: Value): string {
  return `incompatible types for comparison: ${typeName(one)} and ${typeName(other)}`;
}

function notComparable(one: Value, other: Value): string {
  return `non-comparable types: ${typeName(one)} and ${typeName(other)}`;
}
