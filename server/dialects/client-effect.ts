/** The effect of an answer on a call. */
export type Json = Readonly<Record<string, unknown>>;

export interface Effect {
  /** The call, prompt, compaction or model call does not happen. */
  readonly refused: boolean;
  readonly asked: boolean;
  /** The answer approved, so the user is not asked. */
  readonly approved: boolean;
  /** The arguments that run unless the call is refused. */
  readonly input: unknown;
  /** The result that the model reads; undefined for the original one. */
  readonly result: unknown;
  /** The run ends before the next model call. */
  readonly ended: boolean;
}

export const NO_EFFECT: Effect = {
  refused: false,
  asked: false,
  approved: false,
  input: undefined,
  result: undefined,
  ended: false,
};
