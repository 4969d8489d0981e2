/**
 * A judge prompt in a hook: a template, a model and a schema, with a label that names their source revision. The label is only
 * informative: a hook runs its own text. Also runs in the browser.
 */

/** The question to a judge, or the hook fields with the same names. */
export interface Judged {
  readonly prompt: string;
  readonly model: string;
  /** "" means a plain text answer. */
  readonly schema: string;
}

export interface JudgeLabel {
  readonly name: string;
  readonly revision: number;
}

/** The part before the `@`: lower-case letters, digits, dots, dashes and underscores. */
export const JUDGE_NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/;
const LABEL = /^([a-z0-9][a-z0-9._-]{0,63})@([1-9]\d{0,6})$/;

export const judgeLabel = ({ name, revision }: JudgeLabel): string => `${name}@${revision}`;

/** Parses a label from `judgeLabel`; null for any other text. */
export function parseJudgeLabel(text: string): JudgeLabel | null {
  const [, name, revision] = LABEL.exec(text) ?? [];
  return name === undefined ? null : { name, revision: Number(revision) };
}

/** A judge prompt that policies are checked against: its revisions by fingerprint. */
export interface JudgeKnown {
  readonly name: string;
  /** Newest first; may be incomplete. */
  readonly revisions: readonly { readonly number: number; readonly fingerprint: string }[];
}

const SEED_A = 0xdeadbeef;
const SEED_B = 0x41c6ce57;

/**
 * A fingerprint that is equal for equal prompts and differs for practically all others (53 bits, and the length). It is not a
 * cryptographic hash: it is computed at every keystroke to detect edits, not forgery.
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
