/** Formats values like Go's fmt: `%v` and related verbs for every kind of value, and the output for a wrong verb. */
import type { Bytes } from "../syntax/bytes.ts";
import type { Budget } from "./budget.ts";
import { bytesText, hexText, integerText, scalarText, stringText } from "./scalars.ts";
import { held, isNil, type Pointer, type Struct, typeName, type Value } from "./values.ts";
import { type Flags, Verb } from "./verb.ts";

type Solid = Exclude<Value, { kind: "interface" }>;

const NIL = "<nil>";
/** A constant that replaces every address, so that output never reveals one. */
const ADDRESS = 0xc000010000n;
/** A pointer to one of these prints what it points to. */
const SHOWN_BEHIND_POINTERS: ReadonlySet<Value["kind"]> = new Set<Value["kind"]>(["struct", "slice", "map"]);

export class Printer {
  readonly #verb: Verb;
  readonly #budget: Budget;
  /** The value in the output for a wrong verb: the argument itself, or its current part. */
  #argument: Solid | undefined;
  #part: Value | undefined;
  #complaining = false;

  constructor(budget: Budget) {
    this.#budget = budget;
    this.#verb = new Verb(budget);
  }

  /** Formats one argument with a verb; `undefined` is an untyped nil. The flags may change during formatting. */
  print(value: Value | undefined, letter: string, flags: Flags = {}): Bytes {
    this.#verb.flags = flags;
    return this.#print(held(value), letter);
  }

  #print(value: Solid | undefined, letter: string): Bytes {
    this.#argument = value;
    this.#part = undefined;
    if (!value) return letter === "T" || letter === "v" ? this.#verb.pad(NIL) : this.#wrongVerb(letter);
    if (letter === "T") return this.#verb.string(typeName(value));
    switch (value.kind) {
      case "bytes":
        if (letter === "p") return this.#address(value, letter);
        return bytesText(value.text, letter, this.#verb, "[]byte") ?? this.#whole(value, letter);
      case "map":
      case "slice":
      case "pointer":
        if (letter === "p") return this.#address(value, letter);
        break;
      case "string":
        if (value.type === "string") return stringText(value.text, letter, this.#verb) ?? this.#wrongVerb(letter);
        break;
      case "bool":
      case "int":
      case "uint":
      case "float":
      case "complex":
        return scalarText(value, letter, this.#verb) ?? this.#wrongVerb(letter);
      case "struct":
        break;
    }
    if (letter === "p" || (letter === "w" && !this.#complaining)) return this.#wrongVerb(letter);
    return this.#whole(value, letter);
  }

  #whole(value: Value, letter: string): Bytes {
    return this.#value(value, letter, 0);
  }

  /** Formats a part of an argument; at depth 0, the whole argument. */
  #value(value: Value, letter: string, depth: number): Bytes {
    this.#budget.step();
    if (depth > 0 && letter === "w" && !this.#complaining) {
      this.#argument = held(value);
      return this.#wrongVerb(letter);
    }
    this.#argument = undefined;
    this.#part = value;
    switch (value.kind) {
      case "string":
        return stringText(value.text, letter, this.#verb) ?? this.#wrongVerb(letter);
      case "map":
        return this.#map(value.entries, letter, depth);
      case "struct":
        return this.#struct(value, letter, depth);
      case "interface":
        if (value.held) return this.#inner(value.held, letter, depth);
        return this.#counted(this.#verb.flags.sharpV ? "interface {}(nil)" : NIL);
      case "bytes": {
        const asText = ["s", "q", "x", "X"].includes(letter);
        if (asText) return bytesText(value.text, letter, this.#verb, "[]uint8") ?? "";
        const items = Array.from(value.text, (byte): Value => ({ kind: "uint", value: BigInt(byte.charCodeAt(0)) }));
        return this.#list("[]uint8", items, letter, depth);
      }
      case "slice":
        return this.#list(typeName(value), value.items, letter, depth);
      case "pointer":
        return this.#pointer(value, letter, depth);
      default:
        return scalarText(value, letter, this.#verb) ?? this.#wrongVerb(letter);
    }
  }

  #inner(value: Value, letter: string, depth: number): Bytes {
    return this.#budget.deeper(() => this.#value(value, letter, depth + 1));
  }

  #counted(text: Bytes): Bytes {
    this.#budget.bytes(text.length);
    return text;
  }

  #list(type: string, items: readonly Value[] | null, letter: string, depth: number): Bytes {
    const go = this.#verb.flags.sharpV;
    if (go && items === null) return this.#counted(`${type}(nil)`);
    const parts = (items ?? []).map((item) => this.#inner(item, letter, depth));
    return this.#joined(parts, go ? `${type}{` : "[", go ? "}" : "]");
  }

  #map(entries: ReadonlyMap<Bytes, Value> | null, letter: string, depth: number): Bytes {
    const go = this.#verb.flags.sharpV;
    const type = "map[string]interface {}";
    if (go && entries === null) return this.#counted(`${type}(nil)`);
    const parts = Array.from(entries ?? [], ([key, value]) => {
      const name = this.#inner({ kind: "string", type: "string", text: key }, letter, depth);
      return `${name}:${this.#inner(value, letter, depth)}`;
    });
    return this.#joined(parts, go ? `${type}{` : "map[", go ? "}" : "]");
  }

  #struct(struct: Struct, letter: string, depth: number): Bytes {
    const { sharpV, plusV } = this.#verb.flags;
    const parts = struct.fields.map((field) => {
      const value = field.value();
      const shown = value.kind === "interface" && value.held ? value.held : value;
      const text = this.#inner(shown, letter, depth);
      return sharpV || plusV ? `${field.name}:${text}` : text;
    });
    return this.#joined(parts, sharpV ? `${struct.type}{` : "{", "}");
  }

  #joined(parts: readonly Bytes[], open: string, close: string): Bytes {
    const separator = this.#verb.flags.sharpV ? ", " : " ";
    this.#budget.bytes(open.length + close.length + separator.length * parts.length);
    return open + parts.join(separator) + close;
  }

  #pointer(value: Pointer, letter: string, depth: number): Bytes {
    if (depth === 0 && value.target && SHOWN_BEHIND_POINTERS.has(value.target.kind)) {
      return `&${this.#inner(value.target, letter, depth)}`;
    }
    return this.#address(value, letter);
  }

  #address(value: Value, letter: string): Bytes {
    const address = isNil(value) ? 0n : ADDRESS;
    if (letter === "v" && this.#verb.flags.sharpV) {
      return this.#counted(`(${typeName(value)})(${address === 0n ? "nil" : hexText(address, this.#verb)})`);
    }
    if (letter === "v" && address === 0n) return this.#verb.pad(NIL);
    if (letter === "v" || letter === "p") return hexText(address, this.#verb, !this.#verb.flags.sharp);
    const text = ["b", "o", "d", "x", "X"].includes(letter) && integerText(address, letter, this.#verb, true);
    return text || this.#wrongVerb(letter);
  }

  /** `%!d(string=x)` */
  #wrongVerb(letter: string): Bytes {
    this.#complaining = true;
    const shown = this.#argument ?? this.#part;
    const value = this.#argument ? this.#print(this.#argument, "v") : shown && this.#whole(shown, "v");
    this.#complaining = false;
    return this.#counted(`%!${letter}(`) + (shown ? `${typeName(shown)}=${value ?? ""}` : NIL) + this.#counted(")");
  }
}
