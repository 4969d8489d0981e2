/** Settings as plain values. Objects have no prototype, so a key of any name is only a key. */
export interface JsonObject {
  [key: string]: unknown;
}

export function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (!isObject(value)) return value;
  const copy: JsonObject = Object.create(null);
  for (const key of Object.keys(value)) copy[key] = plain(value[key]);
  return copy;
}

/** False for TOML dates, which are scalar values. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);
}
