/** Renders a parsed template with data. */
import { type Bytes, textOf } from "../syntax/bytes.ts";
import type { Branch, Node, Template } from "../syntax/nodes.ts";
import { positionOf } from "../syntax/syntax-error.ts";
import { Budget } from "./budget.ts";
import { type Circumstance, pipeValue } from "./evaluate.ts";
import { type Given, printable } from "./functions.ts";
import { sprint } from "./printf.ts";
import { RenderError } from "./render-error.ts";
import { held, indirect, intValue, stringValue, truth, type Value } from "./values.ts";
import { Variables } from "./variables.ts";

/** Two letters for each byte. A boundary has no digits, so that redaction does not take it for a secret. */
const LETTERS = "bcdfghjklmnpqrst";
const BOUNDARY_BYTES = 10;

/** A mark that no value can contain, because it is made after them. */
export function randomBoundary(): Bytes {
  const random = crypto.getRandomValues(new Uint8Array(BOUNDARY_BYTES));
  return [...random].map((byte) => `${LETTERS[byte >> 4]}${LETTERS[byte & 15]}`).join("");
}

/** The largest size of a rendered text. */
const OUTPUT_BYTES_MAX = 4 * 1_048_576;

export interface RenderOptions {
  /** Go's `missingkey=error`: a missing map key is an error, and so is a key of nothing. */
  readonly missingKey?: "error";
  /** The mark of `fenced`; by default random, and equal within one rendering. */
  readonly boundary?: string;
}

/**
 * The rendered text, as bytes.
 *
 * Errors: throws a RenderError with the position in the template. Partial output is dropped.
 */
export function render(template: Template, data: Value, options: RenderOptions = {}): Bytes {
  const work = renderInSteps(template, data, options);
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}

/** The same in steps. The caller decides when the next step runs. */
export function* renderInSteps(template: Template, data: Value, options: RenderOptions = {}): Generator<void, Bytes> {
  const rendering = new Rendering(template, options);
  try {
    return yield* rendering.run(data);
  } catch (error) {
    if (!(error instanceof RenderError) && !(error instanceof RangeError)) throw error;
    // A RangeError means that the stack or the length of a string exceeds the limit of one rendering.
    const message =
      error instanceof RenderError ? error.message : "the template is nested too deeply or makes too much";
    const { line, column } = positionOf(template.text, rendering.place);
    throw new RenderError(`template: line ${line}, column ${column}: ${message}`);
  }
}

type Flow = "on" | "break" | "continue";

class Rendering {
  place = 0;
  readonly #template: Template;
  readonly #keysMustExist: boolean;
  readonly #budget = new Budget();
  readonly #pieces: Bytes[] = [];
  #written = 0;
  #boundary: Bytes | undefined;

  constructor(template: Template, { missingKey, boundary }: RenderOptions) {
    this.#template = template;
    this.#boundary = boundary;
    this.#keysMustExist = missingKey === "error";
  }

  *run(data: Value): Generator<void, Bytes> {
    yield* this.#nodes(this.#template.main, this.#circumstance(data, new Variables(data)));
    return this.#pieces.join("");
  }

  #circumstance(dot: Given, variables: Variables): Circumstance {
    return {
      dot,
      variables,
      budget: this.#budget,
      keysMustExist: this.#keysMustExist,
      boundary: () => {
        this.#boundary ??= randomBoundary();
        return this.#boundary;
      },
      at: ({ at }) => {
        this.place = at;
      },
    };
  }

  #write(text: Bytes): void {
    this.#written += text.length;
    if (this.#written > OUTPUT_BYTES_MAX) throw new RenderError(`the text is longer than ${OUTPUT_BYTES_MAX} bytes`);
    this.#pieces.push(text);
  }

  *#nodes(nodes: readonly Node[], where: Circumstance): Generator<void, Flow> {
    this.#budget.enter();
    let flow: Flow = "on";
    for (const node of nodes) {
      flow = yield* this.#node(node, where);
      if (flow !== "on") break;
    }
    this.#budget.leave();
    return flow;
  }

  *#node(node: Node, where: Circumstance): Generator<void, Flow> {
    this.#budget.step();
    yield;
    this.place = node.at;
    switch (node.kind) {
      case "text":
        this.#write(node.text);
        return "on";
      case "action": {
        const value = pipeValue(node.pipe, where);
        if (node.pipe.variables.length === 0) this.#write(this.#printed(value));
        return "on";
      }
      case "break":
      case "continue":
        return node.kind;
      case "template":
        yield* this.#named(node, where);
        return "on";
      case "if":
      case "with":
        return yield* this.#chosen(node, where);
      case "range":
        return yield* this.#range(node, where);
    }
  }

  #printed(value: Given): Bytes {
    const shown = printable(value);
    return shown.kind === "string" ? shown.text : sprint([shown], this.#budget);
  }

  *#chosen(node: Branch, where: Circumstance): Generator<void, Flow> {
    const mark = where.variables.mark();
    const value = pipeValue(node.pipe, where);
    const isTrue = truth(value);
    const inner = isTrue && node.kind === "with" ? this.#circumstance(value, where.variables) : where;
    const flow = yield* this.#nodes(isTrue ? node.then : (node.otherwise ?? []), inner);
    where.variables.forgetAfter(mark);
    return flow;
  }

  *#named(node: Extract<Node, { kind: "template" }>, where: Circumstance): Generator<void, void> {
    const nodes = this.#template.named.get(node.name);
    if (!nodes) throw new RenderError(`template "${textOf(node.name)}" not defined`);
    const dot = node.pipe && pipeValue(node.pipe, where);
    yield* this.#nodes(nodes, this.#circumstance(dot, new Variables(dot)));
  }

  *#range(node: Branch, where: Circumstance): Generator<void, Flow> {
    const outer = where.variables.mark();
    const { value } = indirect(pipeValue(node.pipe, where));
    let flow: Flow = "on";
    let any = false;
    const inner = where.variables.mark();
    for (const [index, element] of this.#elements(value, node)) {
      this.#budget.step();
      yield;
      any = true;
      this.#setLoopVariables(node, where.variables, index, element);
      const after = yield* this.#nodes(node.then, this.#circumstance(element, where.variables));
      where.variables.forgetAfter(inner);
      if (after === "break") break;
    }
    if (!any && node.otherwise) flow = yield* this.#nodes(node.otherwise, where);
    // As in Go, a break in the else belongs to this range, and a continue to the enclosing one.
    if (flow === "break") flow = "on";
    where.variables.forgetAfter(outer);
    return flow;
  }

  #setLoopVariables({ pipe }: Branch, variables: Variables, index: Given, element: Given): void {
    const [first, second] = pipe.variables;
    if (first === undefined) return;
    if (pipe.assigns) {
      variables.assign(first, second === undefined ? element : index);
      if (second !== undefined) variables.assign(second, element);
      return;
    }
    variables.setLast(1, element);
    if (second !== undefined) variables.setLast(2, index);
  }

  /** The pairs of index or key, and element. */
  *#elements(value: Given, node: Branch): Iterable<readonly [Given, Given]> {
    switch (value?.kind) {
      case undefined:
        return;
      case "slice":
        for (const [at, item] of (value.items ?? []).entries()) yield [intValue(at), item];
        return;
      case "bytes":
        for (let at = 0; at < value.text.length; at++) {
          yield [intValue(at), { kind: "uint", value: BigInt(value.text.charCodeAt(at)) }];
        }
        return;
      case "map":
        for (const [key, entry] of value.entries ?? []) yield [stringValue(key), entry];
        return;
      case "int":
      case "uint":
        if (node.pipe.variables.length > 1) {
          throw new RenderError(`can't use ${value.value} to iterate over more than one variable`);
        }
        for (let at = 0n; at < value.value; at++) yield [undefined, { ...value, value: at }];
        return;
      default:
        throw new RenderError(`range can't iterate over ${textOf(sprint([held(value)], this.#budget))}`);
    }
  }
}
