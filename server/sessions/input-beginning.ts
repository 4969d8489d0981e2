/** Reads fields from the beginning of a stored input, which may be cut anywhere. The first field of a name counts. */

/** A text of up to 1,200 characters, the first one of a list, or a number. */
const VALUE = String.raw`:\s*(?:\[\s*)?("(?:[^"\\]|\\.){0,1200}"?|\d{1,15}(?=\s*[,}]))`;
const OBJECT_CHARACTERS_MAX = 1_200;

/** Answers with the value of a field as text; "" without the field. */
export type FieldReader = (field: string) => string;

/** A reader of the fields `names`, at any depth of an input. */
export function createFieldReader(names: readonly string[]): (input: string) => FieldReader {
  const member = new RegExp(`"(${names.join("|")})"${VALUE}`, "g");
  return (input) => {
    const values = new Map<string, string>();
    for (const [, name = "", value = ""] of input.matchAll(member))
      if (!values.has(name)) values.set(name, value.startsWith('"') ? unquoted(value) : value);
    return (name) => values.get(name) ?? "";
  };
}

/** The JSON text of the object at `field`, or the part of it that is there. */
export function objectText(input: string, field: string): string {
  const name = `"${field}":`;
  const at = input.indexOf(name);
  if (at < 0) return "";
  const text = input.slice(at + name.length, at + name.length + OBJECT_CHARACTERS_MAX).trimStart();
  if (!text.startsWith("{")) return "";
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"?|[{}]/g)) {
    if (token === "{") depth += 1;
    else if (token === "}") depth -= 1;
    if (depth === 0) return text.slice(0, index + 1);
  }
  return text;
}

function unquoted(text: string): string {
  const closed = text.length > 1 && text.endsWith('"') ? text : `${text.replace(/\\?$/, "")}"`;
  try {
    const value: unknown = JSON.parse(closed);
    return typeof value === "string" ? value : "";
  } catch {
    return "";
  }
}
