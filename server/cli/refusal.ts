/** The failure that ends a verb: one sentence for a person, and the exit code for a script. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly exitCode: number;

  /** 1: failed; 2: invalid arguments; 3: the result is unknown. */
  constructor(sentence: string, exitCode: 1 | 2 | 3 = 1) {
    super(sentence);
    this.exitCode = exitCode;
  }
}
