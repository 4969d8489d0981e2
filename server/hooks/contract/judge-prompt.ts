/**
 * A judge prompt as a hook carries it: a template, a model and a schema, labelled with the revision they were taken from.
 * The label names, it does not bind: a hook runs the text it holds. Runs in the browser too.
 */

/** The question that a judge is asked; of a hook, the fields of the same names. */
export interface Judged {
  readonly prompt: string;
  readonly model: string;
  /** "" is an answer in plain text. */
  readonly schema: string;
}

export interface JudgeLabel {
  readonly name: string;
  readonly revision: number;
}

/** Small letters, digits, dots, dashes and underscores: what stands before the `@`. */
export const JUDGE_NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/;
const LABEL = /^([a-z0-9][a-z0-9._-]{0,63})@([1-9]\d{0,6})$/;

export const judgeLabel = ({ name, revision }: JudgeLabel): string => `${name}@${revision}`;

/** The label that `judgeLabel` wrote, parsed; null for anything else. */
export function parseJudgeLabel(text: string): JudgeLabel | null {
  const [, name, revision] = LABEL.exec(text) ?? [];
  return name === undefined ? null : { name, revision: Number(revision) };
}

/** A judge prompt as policies are checked against it: its revisions by their fingerprints. */
export interface JudgeKnown {
  readonly name: string;
  /** The newest first; not necessarily all. */
  readonly revisions: readonly { readonly number: number; readonly fingerprint: string }[];
}

const SEED_A = 0xdeadbeef;
const SEED_B = 0x41c6ce57;

/**
 * Equal for equal prompts, different for practically all others (53 bits, and the length). Not a cryptographic hash: it
 * is computed at every keystroke, and finds a text that was edited, not one that was forged.
 */
export function judgeFingerprint({ prompt, model, schema }: Judged): string {
  const text = JSON.stringify([prompt, model, schema]);
  let a = SEED_A;
  let b = SEED_B;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    a = Math.imul(a ^ unit, 2_654_435_761);
    b = Math.imul(b ^ unit, 1_597_334_677);
  }
  a = Math.imul(a ^ (a >>> 16), 2_246_822_507) ^ Math.imul(b ^ (b >>> 13), 3_266_489_909);
  b = Math.imul(b ^ (b >>> 16), 2_246_822_507) ^ Math.imul(a ^ (a >>> 13), 3_266_489_909);
  return `${(4_294_967_296 * (2_097_151 & b) + (a >>> 0)).toString(16)}-${text.length.toString(16)}`;
}
