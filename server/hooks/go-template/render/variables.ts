/** The variables of one template during its rendering, innermost last. */
import { type Bytes, textOf } from "../syntax/bytes.ts";
import { RenderError } from "./render-error.ts";
import type { Value } from "./values.ts";

interface Variable {
  readonly name: Bytes;
  value: Value | undefined;
}

export class Variables {
  #stack: Variable[];

  constructor(root: Value | undefined) {
    this.#stack = [{ name: "$", value: root }];
  }

  /** The current number of variables, to pass to `forgetAfter`. */
  mark(): number {
    return this.#stack.length;
  }

  forgetAfter(mark: number): void {
    this.#stack.length = mark;
  }

  declare(name: Bytes, value: Value | undefined): void {
    this.#stack.push({ name, value });
  }

  assign(name: Bytes, value: Value | undefined): void {
    this.#found(name).value = value;
  }

  value(name: Bytes): Value | undefined {
    return this.#found(name).value;
  }

  /** Sets the variable at position `back` from the end; 1 is the last. */
  setLast(back: number, value: Value | undefined): void {
    const variable = this.#stack.at(-back);
    if (variable) variable.value = value;
  }

  #found(name: Bytes): Variable {
    const found = this.#stack.findLast((variable) => variable.name === name);
    if (!found) throw new RenderError(`undefined variable: ${textOf(name)}`);
    return found;
  }
}
