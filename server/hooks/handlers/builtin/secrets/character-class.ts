/** Counts runs of characters of one class: a cheap test before a regular expression. */

/** The characters of a class. All characters from 128 on are treated alike. */
export interface CharacterClass {
  readonly ascii: Uint8Array;
  readonly others: boolean;
}

/** The class for a bracket expression such as `[a-z0-9]`. */
export function characterClass(brackets: string, anyCase = false): CharacterClass {
  const one = new RegExp(`^${brackets}$`, anyCase ? "i" : "");
  const ascii = Uint8Array.from({ length: 128 }, (_, code) => (one.test(String.fromCharCode(code)) ? 1 : 0));
  return { ascii, others: one.test("é") };
}

function holds(characters: CharacterClass, code: number): boolean {
  return code < 128 ? characters.ascii[code] === 1 : characters.others;
}

/** The length of the run of class characters from `from` on, up to `most`. */
export function runAfter(text: string, from: number, characters: CharacterClass, most = text.length): number {
  const end = Math.min(text.length, from + most);
  let at = from;
  while (at < end && holds(characters, text.charCodeAt(at))) at += 1;
  return at - from;
}

/** The length of the run of class characters directly before `to`, up to `most`. */
export function runBefore(text: string, to: number, characters: CharacterClass, most: number): number {
  const first = Math.max(0, to - most);
  let at = to;
  while (at > first && holds(characters, text.charCodeAt(at - 1))) at -= 1;
  return to - at;
}

/** The counted class at the start of an expression. */
export interface CountedClass {
  readonly characters: CharacterClass;
  readonly least: number;
  readonly most: number;
  /** True if it is the whole expression. */
  readonly isAll: boolean;
}

/** Finds `[a-z]{20,80}` at the beginning of `expression`, possibly inside its first group; null for any other beginning. */
export function countedClass(expression: string, anyCase: boolean): CountedClass | null {
  const [whole, brackets, least, most] = /^\(*(\[[^\]]+\])\{(\d+)(?:,(\d+))?\}/.exec(expression) ?? [];
  if (whole === undefined || brackets === undefined) return null;
  const count = Number(least);
  return {
    characters: characterClass(brackets, anyCase),
    least: count,
    most: Number(most ?? least),
    isAll: whole === expression,
  };
}
