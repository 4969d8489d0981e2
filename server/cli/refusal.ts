/** What ends a verb: one sentence for a person, and the exit code for a script. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly exitCode: number;

  /** 1: it was tried and failed; 2: it was asked wrongly. */
  constructor(sentence: string, exitCode: 1 | 2 = 1) {
    super(sentence);
    this.exitCode = exitCode;
  }
}
