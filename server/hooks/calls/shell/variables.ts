/** The values of a script's variables, if the script itself sets them. Pure. */

export interface Known {
  readonly texts: readonly string[];
  /** False if other values are possible. */
  readonly isKnown: boolean;
}

export const UNKNOWN: Known = { texts: [""], isKnown: false };
export const known = (...texts: string[]): Known => ({ texts, isKnown: true });

export const VALUES_MAX = 64;

/** Variables that every shell has. Without arguments, `$@` is empty. */
const STANDARD: ReadonlyMap<string, Known> = new Map([
  ["HOME", known("~")],
  ["PWD", known(".")],
  ["IFS", known(" ")],
  ["TMPDIR", known("/tmp")],
  ["PATH", { texts: ["/usr/local/bin:/usr/bin:/bin"], isKnown: false }],
  ["SHELL", { texts: ["/bin/sh"], isKnown: false }],
  ["@", UNKNOWN],
  ["*", UNKNOWN],
  ["#", UNKNOWN],
]);

export class Variables {
  /** The variables of the enclosing shell, which does not change while this one runs. */
  readonly #outer: Variables | null;
  readonly #own = new Map<string, Known>();

  constructor(outer: Variables | null = null) {
    this.#outer = outer;
  }

  get(name: string): Known {
    return this.#find(name) ?? STANDARD.get(name) ?? UNKNOWN;
  }

  #find(name: string): Known | undefined {
    let at: Variables | null = this;
    for (; at !== null; at = at.#outer) {
      const value = at.#own.get(name);
      if (value !== undefined) return value;
    }
    return undefined;
  }

  /** An assignment in a loop or branch may not happen, so every constant that was assigned to a name stays possible. */
  set(name: string, value: Known): void {
    const before = this.#find(name);
    const texts = before === undefined ? value.texts : [...new Set([...before.texts, ...value.texts])];
    const isKnown = value.isKnown && (before?.isKnown ?? true) && texts.length <= VALUES_MAX;
    this.#own.set(name, { texts: texts.slice(0, VALUES_MAX), isKnown });
  }

  /** Sets the value for one iteration of a loop. */
  replace(name: string, value: Known): void {
    this.#own.set(name, value);
  }

  /** For a subshell, whose assignments end with it. Nothing is copied: most subshells assign nothing. */
  copy(): Variables {
    return new Variables(this.#own.size === 0 && this.#outer !== null ? this.#outer : this);
  }
}
