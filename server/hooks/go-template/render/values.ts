/**
 * The values that a template works on. They carry their Go type, because printing, comparing and calling depend on it. A missing
 * value is `undefined`; a typed nil is a value.
 */
import { type Bytes, bytesOf } from "../syntax/bytes.ts";

export type Value =
  | { readonly kind: "string"; readonly type: string; readonly text: Bytes }
  | { readonly kind: "bool"; readonly value: boolean }
  | { readonly kind: "int"; readonly type: "int" | "int64"; readonly value: bigint }
  /** One byte. */
  | { readonly kind: "uint"; readonly value: bigint }
  | { readonly kind: "float"; readonly value: number }
  | { readonly kind: "complex"; readonly re: number; readonly im: number }
  | { readonly kind: "bytes"; readonly text: Bytes }
  | Slice
  | { readonly kind: "map"; readonly entries: ReadonlyMap<Bytes, Interface> | null }
  | Struct
  | Pointer
  | Interface;

export interface Slice {
  readonly kind: "slice";
  /** The Go type of its items. */
  readonly element: string;
  readonly items: readonly Value[] | null;
}

export interface Struct {
  readonly kind: "struct";
  readonly type: string;
  readonly fields: readonly Field[];
}

export interface Field {
  readonly name: string;
  /** Its key in JSON. */
  readonly key: string;
  /** True if JSON includes it even when empty. */
  readonly always?: true;
  value(): Value;
}

export interface Pointer {
  readonly kind: "pointer";
  /** The type it points to. */
  readonly to: string;
  /** True if the type has the method `ToJSON`, the only method that templates know. */
  readonly hasToJson?: true;
  readonly target: Value | null;
}

/** A slot for a value of any type: an entry of a map, an element of a list. */
export interface Interface {
  readonly kind: "interface";
  readonly held: Value | null;
}

export const NIL: Interface = { kind: "interface", held: null };

export function stringValue(text: Bytes, type = "string"): Value {
  return { kind: "string", type, text };
}

export function intValue(value: bigint | number, type: "int" | "int64" = "int"): Value {
  return { kind: "int", type, value: BigInt(value) };
}

export function boolValue(value: boolean): Value {
  return { kind: "bool", value };
}

/** A JSON value, decoded as Go does: numbers are floats, objects are maps. */
export function jsonValue(json: unknown): Interface {
  return { kind: "interface", held: heldValue(json) };
}

function heldValue(json: unknown): Value | null {
  switch (typeof json) {
    case "string":
      return stringValue(bytesOf(json));
    case "number":
      return { kind: "float", value: json };
    case "bigint":
      return { kind: "float", value: Number(json) };
    case "boolean":
      return boolValue(json);
    case "object":
      if (json === null) return null;
      if (Array.isArray(json)) return { kind: "slice", element: "interface {}", items: json.map(jsonValue) };
      return mapValue(json);
    default:
      return null;
  }
}

/** A map with its keys sorted by bytes, which is Go's iteration order. */
export function mapValue(json: object | null): Value {
  if (json === null) return { kind: "map", entries: null };
  const entries = Object.entries(json).map(([key, value]) => [bytesOf(key), value] as const);
  entries.sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0));
  return { kind: "map", entries: new Map(entries.map(([key, value]) => [key, jsonValue(value)])) };
}

export function typeName(value: Value): string {
  switch (value.kind) {
    case "string":
    case "int":
    case "struct":
      return value.type;
    case "bool":
      return "bool";
    case "uint":
      return "uint8";
    case "float":
      return "float64";
    case "complex":
      return "complex128";
    case "bytes":
      return "[]uint8";
    case "slice":
      return `[]${value.element}`;
    case "map":
      return "map[string]interface {}";
    case "pointer":
      return `*${value.to}`;
    case "interface":
      return "interface {}";
  }
}

/** The value without its slot. */
export function held(value: Value | undefined): Exclude<Value, Interface> | undefined {
  if (value?.kind !== "interface") return value;
  return value.held === null ? undefined : held(value.held);
}

export interface Indirect {
  readonly value: Value | undefined;
  /** True if a pointer or slot on the path is empty; `value` is then that pointer or slot. */
  readonly isNil: boolean;
}

/** Follows pointers and slots to their value. */
export function indirect(start: Value | undefined): Indirect {
  let value = start;
  while (value?.kind === "pointer" || value?.kind === "interface") {
    const next: Value | null = value.kind === "pointer" ? value.target : value.held;
    if (next === null) return { value, isNil: true };
    value = next;
  }
  return { value, isNil: false };
}

export function isNil(value: Value | undefined): boolean {
  if (!value) return true;
  switch (value.kind) {
    case "slice":
      return value.items === null;
    case "map":
      return value.entries === null;
    case "pointer":
      return value.target === null;
    case "interface":
      return value.held === null;
    default:
      return false;
  }
}

/** True if `if` treats the value as true. */
export function truth(given: Value | undefined): boolean {
  const value = held(given);
  if (!value) return false;
  switch (value.kind) {
    case "string":
    case "bytes":
      return value.text !== "";
    case "bool":
      return value.value;
    case "int":
    case "uint":
      return value.value !== 0n;
    case "float":
      return value.value !== 0;
    case "complex":
      return value.re !== 0 || value.im !== 0;
    case "slice":
      return (value.items?.length ?? 0) > 0;
    case "map":
      return (value.entries?.size ?? 0) > 0;
    case "struct":
      return true;
    case "pointer":
      return value.target !== null;
  }
}
