/** Values that a case describes instead of spelling out: repeated, numbered or joined values, and paths known only at run time. */

/** `value` with every description expanded, at any depth. */
export function expandValues(value: unknown, places: Readonly<Record<string, string>>): unknown {
  if (typeof value === "string")
    return value.replace(/\$\{([A-Z_]+)\}/g, (whole, name: string) => places[name] ?? whole);
  if (Array.isArray(value)) return value.map((item) => expandValues(item, places));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value);
  const [only] = entries;
  const text = entries.length === 1 && only ? described(only[0], only[1], places) : undefined;
  return text ?? Object.fromEntries(entries.map(([key, item]) => [key, expandValues(item, places)]));
}

function described(form: string, value: unknown, places: Readonly<Record<string, string>>): string | undefined {
  if (form === "join" && Array.isArray(value)) return value.map((part) => String(expandValues(part, places))).join("");
  if (form === "repeat" && Array.isArray(value)) return String(expandValues(value[0], places)).repeat(Number(value[1]));
  if (form !== "numbered_lines" || typeof value !== "object" || value === null) return undefined;
  const { prefix, from, count, end = "\n" } = value as { prefix: string; from: number; count: number; end?: string }; // holds: the format says so
  return Array.from({ length: count }, (_, index) => `${prefix}${from + index}${end}`).join("");
}
