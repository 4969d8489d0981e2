/**
 * Measures of judges' answers. Pure. docs/judging.md defines every figure; unknown values are not counted, and a failed
 * question is neither right nor wrong.
 */
import {
  DECISIONS,
  type Decision,
  decisionOf,
  type Latency,
  type MeasuresView,
  type Share,
  type SpendView,
} from "./schema.ts";

/** One question that was put, and what came of it. */
export interface Answer {
  /** The recorded call it was about. */
  readonly about: string;
  /** The same for all answers to one question that was asked several times; null when it was asked once. */
  readonly group: string | null;
  /** allow, ask, deny, or another word; `failed` for a question without an answer. */
  readonly verdict: string;
  readonly latencyMs: number | null;
  readonly pricing: keyof Omit<SpendView, "nano">;
  readonly nano: bigint | null;
}

export type Expected = Decision | "disputed";

/** For a judge, denying and asking count as positive. */
const isPositive = (decision: Decision): boolean => decision !== "allow";

/** `expected` knows the recorded calls that people have spoken about. */
export function measuresOf(answers: readonly Answer[], expected: ReadonlyMap<string, Expected>): MeasuresView {
  const pairs: { said: Decision; meant: Decision }[] = [];
  let disputed = 0;
  let judged = 0;
  for (const { verdict, about } of answers) {
    const said = decisionOf(verdict);
    if (said === null) continue;
    judged += 1;
    const meant = expected.get(about);
    if (meant === "disputed") disputed += 1;
    else if (meant !== undefined) pairs.push({ said, meant });
  }
  const raised = pairs.filter(({ said }) => isPositive(said));
  const needed = pairs.filter(({ meant }) => isPositive(meant));
  const both = raised.filter(({ meant }) => isPositive(meant)).length;
  return {
    judged,
    failed: answers.filter(({ verdict }) => verdict === "failed").length,
    labelled: pairs.length,
    disputed,
    precision: shareOf(both, raised.length),
    recall: shareOf(both, needed.length),
    agreement: shareOf(pairs.filter(({ said, meant }) => said === meant).length, pairs.length),
    kappa: kappaOf(pairs),
    flips: flipsOf(answers),
    latency: latencyOf(answers),
    spend: spendOf(answers),
  };
}

const shareOf = (hits: number, of: number): Share => (of === 0 ? null : { hits, of });

/** The recorded calls that were answered at least twice and whose answers differ. Failures do not count as answers. */
export function flipsOf(answers: readonly Pick<Answer, "group" | "verdict">[]): Share {
  const groups = new Map<string, { answers: number; words: Set<string> }>();
  for (const { group, verdict } of answers) {
    if (group === null || verdict === "failed") continue;
    const known = groups.get(group) ?? { answers: 0, words: new Set() };
    known.answers += 1;
    known.words.add(verdict);
    groups.set(group, known);
  }
  const repeated = [...groups.values()].filter((one) => one.answers > 1);
  return shareOf(repeated.filter(({ words }) => words.size > 1).length, repeated.length);
}

/** Cohen's kappa: agreement above chance, given the frequency of each decision on both sides. */
function kappaOf(pairs: readonly { said: Decision; meant: Decision }[]): number | null {
  if (pairs.length === 0) return null;
  const shareOfWord = (side: "said" | "meant", word: Decision) =>
    pairs.filter((pair) => pair[side] === word).length / pairs.length;
  const observed = pairs.filter(({ said, meant }) => said === meant).length / pairs.length;
  const chance = DECISIONS.reduce((sum, word) => sum + shareOfWord("said", word) * shareOfWord("meant", word), 0);
  return chance >= 1 ? null : (observed - chance) / (1 - chance);
}

/** Percentiles over the answered questions, by nearest rank, so that each is a time that occurred. */
export function latencyOf(answers: readonly Pick<Answer, "latencyMs" | "verdict">[]): Latency {
  const times = answers
    .flatMap(({ latencyMs, verdict }) => (latencyMs === null || verdict === "failed" ? [] : [latencyMs]))
    .sort((a, b) => a - b);
  const rank = (share: number) => times[Math.max(0, Math.ceil(times.length * share) - 1)];
  const [p50, p95] = [rank(0.5), rank(0.95)];
  return p50 === undefined || p95 === undefined ? null : { p50, p95, of: times.length };
}

export function spendOf(answers: readonly Pick<Answer, "pricing" | "nano">[]): SpendView {
  const spend = { priced: 0, free: 0, unpriced: 0, unanswered: 0, nano: 0n };
  for (const { pricing, nano } of answers) {
    spend[pricing] += 1;
    spend.nano += nano ?? 0n;
  }
  return spend;
}

/** The expected decision of each recorded call: each person's newest label counts, and they must agree. */
export function expectedOf(
  labels: readonly { about: string; personId: string; expected: Decision; at: Date }[],
): Map<string, Expected> {
  const words = new Map<string, Map<string, { expected: Decision; at: Date }>>();
  for (const { about, personId, expected, at } of labels) {
    const people = words.get(about) ?? new Map<string, { expected: Decision; at: Date }>();
    const before = people.get(personId);
    if (!before || before.at <= at) people.set(personId, { expected, at });
    words.set(about, people);
  }
  return new Map(
    [...words].map(([about, people]): [string, Expected] => {
      const [first, ...others] = new Set([...people.values()].map(({ expected }) => expected));
      return [about, first !== undefined && others.length === 0 ? first : "disputed"];
    }),
  );
}

/** The most frequent answer; `split` when two are as frequent, null when none was given. */
export function majorityVerdict(verdicts: readonly string[]): Decision | "split" | "other" | null {
  const counts = new Map<string, number>();
  for (const verdict of verdicts) {
    if (verdict === "failed") continue;
    const word = decisionOf(verdict) ?? "other";
    counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const [first, second] = [...counts].sort(([, a], [, b]) => b - a);
  if (!first) return null;
  if (second && second[1] === first[1]) return "split";
  return DECISIONS.find((known) => known === first[0]) ?? "other";
}
