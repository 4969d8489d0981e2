/** Finds the keys of a JSON text that contain a secret, and their replacements. */

interface OpenObject {
  /** The unchanged keys, and the replacements in use. */
  readonly taken: Set<string>;
  /** Keys with a secret, each with the positions of its quotes. */
  readonly secret: Map<string, number[]>;
  /** The last number that was appended to a replacement. */
  readonly numbers: Map<string, number>;
}

const QUOTE = 0x22;
const COLON = 0x3a;

/**
 * Replacements in JSON, by the position of the key's opening quote. Different keys of one object get different replacements, which
 * never equal an existing key. Equal keys stay equal.
 */
export function maskedKeys(
  json: string,
  redact: (text: string) => string,
  closingQuote: (json: string, open: number) => number,
): ReadonlyMap<number, string> {
  const found = new Map<number, string>();
  const open: (OpenObject | null)[] = [];

  function key(at: number, close: number): void {
    const object = open.at(-1);
    const said: unknown = JSON.parse(json.slice(at, close + 1));
    if (!object || typeof said !== "string") return;
    if (redact(said) === said) object.taken.add(said);
    else object.secret.set(said, [...(object.secret.get(said) ?? []), at]);
  }

  function end(object: OpenObject): void {
    for (const [said, places] of object.secret) {
      const safe = freeKey(redact(said), object);
      for (const at of places) found.set(at, JSON.stringify(safe));
    }
  }

  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) {
      const close = closingQuote(json, at);
      if (nextCode(json, close + 1) === COLON) key(at, close);
      at = close;
    } else if (code === 0x7b) open.push({ taken: new Set(), secret: new Map(), numbers: new Map() });
    else if (code === 0x5b) open.push(null);
    else if (code === 0x7d || code === 0x5d) {
      const object = open.pop();
      if (object) end(object);
    }
  }
  return found;
}

function freeKey(safe: string, { taken, numbers }: OpenObject): string {
  let free = safe;
  let number = numbers.get(safe) ?? 1;
  while (taken.has(free)) {
    number += 1;
    free = `${safe} ${number}`;
  }
  numbers.set(safe, number);
  taken.add(free);
  return free;
}

function nextCode(json: string, from: number): number {
  let at = from;
  while (json.charCodeAt(at) <= 0x20) at += 1;
  return json.charCodeAt(at);
}
