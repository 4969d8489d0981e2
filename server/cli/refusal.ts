/** The failure that ends a verb: one sentence for a person, and the exit code for a script. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly exitCode: number;

  /** 1: it was tried and failed; 2: it was asked wrongly; 3: it cannot be told. */
  constructor(sentence: string, exitCode: 1 | 2 | 3 = 1) {
    super(sentence);
    this.exitCode = exitCode;
  }
}
