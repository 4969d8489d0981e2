/** Evaluates `.Name` of a value: a struct field, a map entry, or the only method. */
import type { Bytes } from "../syntax/bytes.ts";
import { textOf } from "../syntax/bytes.ts";
import type { Budget } from "./budget.ts";
import { toJson } from "./json.ts";
import { RenderError } from "./render-error.ts";
import { indirect, typeName, type Value } from "./values.ts";

/**
 * The value of a field. A field of nothing, and a missing map key, give nothing. Errors: a RenderError for an unknown field, for a
 * field of nil, and for arguments.
 */
export function fieldOf(
  receiver: Value | undefined,
  name: Bytes,
  hasArguments: boolean,
  { budget, keysMustExist }: { readonly budget: Budget; readonly keysMustExist: boolean },
): Value | undefined {
  const noEntry = (receiverWords: string) =>
    new RenderError(`${receiverWords} no entry for key ${JSON.stringify(textOf(name))}`);
  if (!receiver) {
    if (keysMustExist) throw noEntry("nil data;");
    return undefined;
  }
  const { value, isNil } = indirect(receiver);
  const nil = () => new RenderError(`nil pointer evaluating ${typeName(receiver)}.${textOf(name)}`);
  if (value?.kind === "interface") throw nil();
  if (name === "ToJSON" && receiver.kind === "pointer" && receiver.hasToJson) {
    if (hasArguments) throw new RenderError("wrong number of args for ToJSON: want 0");
    return { kind: "bytes", text: toJson(receiver, budget) };
  }
  if (value?.kind === "struct") {
    const field = value.fields.find((one) => one.name === name);
    if (!field) throw missing(receiver, name);
    if (hasArguments) {
      throw new RenderError(`${textOf(name)} has arguments but cannot be invoked as function`);
    }
    return field.value();
  }
  if (value?.kind === "map") {
    if (hasArguments) throw new RenderError(`${textOf(name)} is not a method but has arguments`);
    if (keysMustExist && !value.entries?.has(name)) throw noEntry("map has");
    return value.entries?.get(name);
  }
  throw isNil && value?.kind === "pointer" ? nil() : missing(receiver, name);
}

function missing(receiver: Value, name: Bytes): RenderError {
  return new RenderError(`can't evaluate field ${textOf(name)} in type ${typeName(receiver)}`);
}
