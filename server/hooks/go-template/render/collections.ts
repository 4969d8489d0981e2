/** `index`, `slice` and `len`. */
import { RenderError } from "./render-error.ts";
import { held, indirect, intValue, NIL, stringValue, typeName, type Value } from "./values.ts";

type Given = Value | undefined;

/** `index x 1 "k"` is x[1]["k"]. A missing map key gives nothing. */
export function indexed(start: Given, indexes: readonly Given[]): Given {
  let item: Given = held(start);
  if (!item) throw new RenderError("index of untyped nil");
  for (const given of indexes) {
    const { value, isNil } = indirect(item);
    if (isNil || !value) throw new RenderError("index of nil pointer");
    item = entry(value, held(given));
  }
  return item;
}

function entry(value: Value, index: Given): Value {
  switch (value.kind) {
    case "map":
      if (!index) throw new RenderError("value is nil; should be of type string");
      if (index.kind !== "string" || index.type !== "string") {
        throw new RenderError(`value has type ${typeName(index)}; should be string`);
      }
      return value.entries?.get(index.text) ?? NIL;
    case "string":
    case "bytes": {
      const at = position(index, value.text.length);
      if (at === value.text.length) throw new RenderError(`index out of range: ${at}`);
      return { kind: "uint", value: BigInt(value.text.charCodeAt(at)) };
    }
    case "slice": {
      const found = value.items?.[position(index, value.items.length)];
      if (!found) throw new RenderError("index out of range");
      return found;
    }
    default:
      throw new RenderError(`can't index item of type ${typeName(value)}`);
  }
}

/** `slice x 1 2` is x[1:2]. */
export function sliced(start: Given, indexes: readonly Given[]): Value {
  const item = held(start);
  if (!item) throw new RenderError("slice of untyped nil");
  if (indexes.length > 3) throw new RenderError(`too many slice indexes: ${indexes.length}`);
  if (item.kind !== "string" && item.kind !== "bytes" && item.kind !== "slice") {
    throw new RenderError(`can't slice item of type ${typeName(item)}`);
  }
  if (item.kind === "string" && indexes.length === 3) throw new RenderError("cannot 3-index slice a string");
  const length = item.kind === "slice" ? (item.items?.length ?? 0) : item.text.length;
  const [from = 0, to = length, limit = length] = indexes.map((index) => position(held(index), length));
  if (from > to) throw new RenderError(`invalid slice index: ${from} > ${to}`);
  if (to > limit) throw new RenderError(`invalid slice index: ${to} > ${limit}`);
  if (item.kind === "slice") return { ...item, items: item.items?.slice(from, to) ?? null };
  return item.kind === "string"
    ? stringValue(item.text.slice(from, to), item.type)
    : { kind: "bytes", text: item.text.slice(from, to) };
}

function position(index: Given, length: number): number {
  if (!index) throw new RenderError("cannot index slice/array with nil");
  if (index.kind !== "int" && index.kind !== "uint") {
    throw new RenderError(`cannot index slice/array with type ${typeName(index)}`);
  }
  if (index.value < 0n || index.value > BigInt(length)) throw new RenderError(`index out of range: ${index.value}`);
  return Number(index.value);
}

export function lengthOf(start: Given): Value {
  const { value, isNil } = indirect(start);
  if (isNil) throw new RenderError("len of nil pointer");
  switch (value?.kind) {
    case "string":
    case "bytes":
      return intValue(value.text.length);
    case "slice":
      return intValue(value.items?.length ?? 0);
    case "map":
      return intValue(value.entries?.size ?? 0);
    default:
      throw new RenderError(value ? `len of type ${typeName(value)}` : "len of nil");
  }
}
