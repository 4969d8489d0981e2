/** The outcome of a replay, counted. */
import { z } from "zod";
import { printError } from "../print.ts";
import type { BadLine } from "./lines.ts";

const PROBLEMS_SHOWN_MAX = 10;
export type Verdict = "deny" | "ask" | "allow" | "none";

export class ReplayCounts {
  stored = 0;
  repeated = 0;
  refused = 0;
  readonly verdicts: Record<Verdict, number> = { deny: 0, ask: 0, allow: 0, none: 0 };
  readonly #errors = new Map<string, number>();
  #shown = 0;

  get sent(): number {
    return this.stored + this.repeated + this.refused;
  }

  /** Counts a refusal, and prints the first few with their places. */
  refuse(place: string, code: string, sentence: string): void {
    this.refused += 1;
    this.#errors.set(code, (this.#errors.get(code) ?? 0) + 1);
    this.#shown += 1;
    if (this.#shown <= PROBLEMS_SHOWN_MAX) printError(`${place}: ${sentence} (${code})\n`);
    if (this.#shown === PROBLEMS_SHOWN_MAX + 1) printError("... and more; they are counted below\n");
  }

  refuseLine({ place, problem }: BadLine): void {
    this.refuse(place, "bad_line", problem);
  }

  /** The lines a person and a script read. */
  summary(files: number, elapsedMs: number, withVerdicts: boolean): string {
    const seconds = elapsedMs / 1_000;
    const rate = Math.round(this.sent / Math.max(seconds, 0.001));
    const lines = [
      `sent ${this.sent} events of ${files} ${files === 1 ? "file" : "files"} in ${seconds.toFixed(1)} s (${rate}/s)`,
      `stored ${this.stored}, repeated ${this.repeated}, refused ${this.refused}`,
    ];
    const { deny, ask, allow, none } = this.verdicts;
    if (withVerdicts) lines.push(`verdicts: deny ${deny}, ask ${ask}, allow ${allow}, none ${none}`);
    const errors = [...this.#errors].map(([code, count]) => `${code} ${count}`);
    if (errors.length > 0) lines.push(`errors: ${errors.join(", ")}`);
    return lines.map((line) => `${line}\n`).join("");
  }
}

const answered = z.looseObject({
  continue: z.boolean().nullish(),
  decision: z.string().nullish(),
  hook_specific_output: z.looseObject({ permission_decision: z.string().nullish() }).nullish(),
});

/** The verdict that hook output JSON carries. */
export function verdictIn(answer: string): Verdict {
  if (answer === "{}") return "none";
  const { continue: goesOn, decision, hook_specific_output: specific } = answered.parse(JSON.parse(answer));
  if (goesOn === false || decision === "block") return "deny";
  const verdict = specific?.permission_decision;
  return verdict === "deny" || verdict === "ask" || verdict === "allow" ? verdict : "none";
}
