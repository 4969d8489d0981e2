/** Evaluates pipelines: commands, calls, and Go's rules for argument types. */
import { type Bytes, textOf } from "../syntax/bytes.ts";
import { isTemplateFunction } from "../syntax/functions.ts";
import type { Command, Operand, Pipe } from "../syntax/nodes.ts";
import type { NumberLiteral } from "../syntax/number.ts";
import type { Budget } from "./budget.ts";
import { fieldOf } from "./fields.ts";
import { FUNCTIONS, type Given, type Parameter } from "./functions.ts";
import { RenderError } from "./render-error.ts";
import { boolValue, intValue, stringValue, truth, typeName, type Value } from "./values.ts";
import type { Variables } from "./variables.ts";

/** The context of an expression. */
export interface Circumstance {
  readonly dot: Given;
  readonly variables: Variables;
  readonly budget: Budget;
  /** True if a missing map key is an error. */
  readonly keysMustExist: boolean;
  /** The mark of this rendering around fenced values. */
  boundary(): Bytes;
  /** Records the current position for error messages. */
  at(place: { readonly at: number }): void;
}

/** The value from the previous command. A piped nothing differs from no pipeline. */
type Piped = { readonly value: Given } | undefined;

/** The value of a pipeline, which its variables also get. */
export function pipeValue(pipe: Pipe, where: Circumstance): Given {
  return where.budget.deeper(() => {
    where.at(pipe);
    let piped: Piped;
    for (const command of pipe.commands) {
      const value = commandValue(command, piped, where);
      piped = { value: value?.kind === "interface" ? (value.held ?? undefined) : value };
    }
    const value = piped?.value;
    for (const name of pipe.variables) {
      if (pipe.assigns) where.variables.assign(name, value);
      else where.variables.declare(name, value);
    }
    return value;
  });
}

function commandValue({ args }: Command, piped: Piped, where: Circumstance): Given {
  where.budget.step();
  const [first, ...rest] = args;
  const hasArguments = rest.length > 0 || piped !== undefined;
  switch (first.kind) {
    case "field":
    case "chain":
      return fieldsValue(first, hasArguments, where);
    case "variable":
      if (first.fields.length > 0) return fieldsValue(first, hasArguments, where);
      break;
    case "identifier":
      return called(first, rest, piped, where);
  }
  where.at(first);
  if (hasArguments) throw new RenderError("can't give argument to non-function");
  switch (first.kind) {
    case "pipe":
      return pipeValue(first, where);
    case "nil":
      throw new RenderError("nil is not a command");
    default:
      return plainValue(first, where);
  }
}

type Plain = Exclude<Operand, Pipe | { kind: "nil" | "identifier" | "field" | "chain" }>;

/** The value of a constant, a dot or a plain variable. */
function plainValue(operand: Plain, where: Circumstance): Given {
  switch (operand.kind) {
    case "bool":
      return boolValue(operand.value);
    case "dot":
      return where.dot;
    case "number":
      return idealNumber(operand.value);
    case "string":
      return stringValue(operand.value);
    case "variable":
      return where.variables.value(operand.name);
  }
}

/** A number without an expected type: its spelling decides. */
function idealNumber({ text, int, uint, float, complex }: NumberLiteral): Given {
  if (complex) return { kind: "complex", ...complex };
  const hex = /^0[xX]./.test(text) && !/[pP]/.test(text);
  if (float !== undefined && !hex && !text.startsWith("'") && /[.eEpP]/.test(text))
    return { kind: "float", value: float };
  if (int !== undefined) return intValue(int);
  throw new RenderError(`${text} overflows ${uint === undefined ? "float" : "int"}`);
}

type Chained = Extract<Operand, { kind: "field" | "chain" | "variable" }>;

/** The value of `.A.B`, `$x.A.B` or `(…).A.B`. Only the last name can take arguments. */
function fieldsValue(operand: Chained, hasArguments: boolean, where: Circumstance): Given {
  where.at(operand);
  const names = operand.kind === "field" ? operand.names : operand.fields;
  let value = receiverOf(operand, where);
  for (const [at, name] of names.entries()) {
    where.budget.step();
    value = fieldOf(value, name, hasArguments && at === names.length - 1, where);
  }
  return value;
}

function receiverOf(operand: Chained, where: Circumstance): Given {
  switch (operand.kind) {
    case "field":
      return where.dot;
    case "variable":
      return where.variables.value(operand.name);
    case "chain": {
      const value = operand.of.kind === "pipe" ? pipeValue(operand.of, where) : argument(operand.of, "any", where);
      where.at(operand);
      return value;
    }
  }
}

function called(
  operand: Extract<Operand, { kind: "identifier" }>,
  args: readonly Operand[],
  piped: Piped,
  where: Circumstance,
): Given {
  where.at(operand);
  const { name } = operand;
  const count = args.length + (piped ? 1 : 0);
  if (!isTemplateFunction(name)) throw new RenderError(`"${textOf(name)}" is not a defined function`);
  if (name === "and" || name === "or") {
    if (count === 0) throw wrongCount(name, "at least 1", 0);
    return decided(name === "or", args, piped, where);
  }
  const { takes, variadic, call } = FUNCTIONS[name];
  if (variadic ? count < takes.length : count !== takes.length) {
    throw wrongCount(name, `${variadic ? "at least " : ""}${takes.length}`, count);
  }
  const values = args.map((arg, at) => argument(arg, takes[at] ?? "any", where));
  if (piped) values.push(accepted(piped.value, takes[count - 1] ?? "any"));
  where.at(operand);
  try {
    return call(values, where.budget, where.boundary);
  } catch (error) {
    throw error instanceof RenderError ? new RenderError(`error calling ${name}: ${error.message}`) : error;
  }
}

function wrongCount(name: string, wanted: string, got: number): RenderError {
  return new RenderError(`wrong number of args for ${name}: want ${wanted} got ${got}`);
}

/** The argument that decides an `and` or an `or`. Later arguments are not evaluated. */
function decided(decides: boolean, args: readonly Operand[], piped: Piped, where: Circumstance): Given {
  let value: Given;
  for (const arg of args) {
    value = argument(arg, "any", where);
    if (truth(value) === decides) return value;
  }
  return piped ? piped.value : value;
}

function argument(operand: Operand, wanted: Parameter, where: Circumstance): Given {
  where.budget.step();
  where.at(operand);
  switch (operand.kind) {
    case "nil":
      if (wanted === "any") return undefined;
      throw new RenderError(`cannot assign nil to ${wanted}`);
    case "pipe":
      return accepted(pipeValue(operand, where), wanted);
    case "identifier":
      return accepted(called(operand, [], undefined, where), wanted);
    case "field":
    case "chain":
      return accepted(fieldsValue(operand, false, where), wanted);
    case "variable":
      return accepted(
        operand.fields.length > 0 ? fieldsValue(operand, false, where) : plainValue(operand, where),
        wanted,
      );
    case "dot":
      return accepted(where.dot, wanted);
    case "number":
      return wanted === "any" ? idealNumber(operand.value) : constant(operand, wanted);
    case "bool":
    case "string":
      return wanted === "any" ? plainValue(operand, where) : constant(operand, wanted);
  }
}

/** A constant for an expected type. */
function constant(
  operand: Extract<Operand, { kind: "number" | "bool" | "string" }>,
  wanted: Exclude<Parameter, "any">,
): Value {
  if (wanted === "string" && operand.kind === "string") return stringValue(operand.value);
  if (wanted === "int" && operand.kind === "number" && operand.value.int !== undefined) {
    return intValue(operand.value.int);
  }
  throw new RenderError(`expected ${wanted === "int" ? "integer" : "string"}; found ${textOf(sourceOf(operand))}`);
}

function sourceOf(operand: Extract<Operand, { kind: "number" | "bool" | "string" }>): Bytes {
  if (operand.kind === "number") return operand.value.text;
  return operand.kind === "string" ? operand.literal : String(operand.value);
}

/** A value for an expected type. Nothing becomes nil if any type is accepted. */
function accepted(value: Given, wanted: Parameter): Given {
  if (wanted === "any") return value;
  if (!value) throw new RenderError(`invalid value; expected ${wanted}`);
  const inner = value.kind === "interface" && value.held ? value.held : value;
  if ((inner.kind === "string" || inner.kind === "int") && inner.type === wanted) return inner;
  throw new RenderError(`wrong type for value; expected ${wanted}; got ${typeName(inner)}`);
}
