/**
 * Recent answers of queries, for viewers that ask the same after the same change. A viewer names the changes that it
 * has heard of. An answer serves it only if it began after all of them, and after the viewer's own last change. Queries
 * without that name, such as scripts', always have an answer that begins after them.
 */
import type { ChangePosition, Heard } from "../access/heard-schema.ts";

/** Bounds what an unannounced change, or the clock, may do to an answer. */
const KEPT_MS = 2_000;
const LIMITS: AnswerLimits = { answersMax: 1_000, bytesMax: 32 * 1024 * 1024, answerBytesMax: 1024 * 1024 };

export interface AnswerLimits {
  readonly answersMax: number;
  /** The estimated size of all kept answers. */
  readonly bytesMax: number;
  readonly answerBytesMax: number;
}

export interface RecentAnswers<Answer> {
  /** An answer that may still be under way, or null. */
  find(question: string, heard: Heard): Promise<Answer> | null;
  /** `position`: the changes that this process had received before the answer began. */
  keep(question: string, position: ChangePosition, answer: Promise<Answer>): void;
  /** The kept answers and their estimated bytes. */
  size(): { readonly answers: number; readonly bytes: number };
}

interface Kept<Answer> {
  readonly position: ChangePosition;
  readonly beganMs: number;
  readonly answer: Promise<Answer>;
  /** Zero while the answer is under way. */
  bytes: number;
}

export interface AnswerRules<Answer> {
  /** The part of an answer that is measured; undefined for a failure, which is not kept. */
  readonly measured: (answer: Answer) => unknown;
  readonly nowMs?: () => number;
  readonly limits?: AnswerLimits;
}

export function createRecentAnswers<Answer>({
  measured,
  nowMs = () => performance.now(),
  limits = LIMITS,
}: AnswerRules<Answer>): RecentAnswers<Answer> {
  /** The answer that began last for each question, in the order in which they began. */
  const kept = new Map<string, Kept<Answer>>();
  let bytes = 0;

  function drop(question: string, one: Kept<Answer>): void {
    if (kept.get(question) !== one) return;
    kept.delete(question);
    bytes -= one.bytes;
  }

  /** The oldest answers leave first. */
  function trim(): void {
    for (const [question, one] of kept) {
      const isWithin = kept.size <= limits.answersMax && bytes <= limits.bytesMax;
      if (isWithin && nowMs() - one.beganMs <= KEPT_MS) return;
      drop(question, one);
    }
  }

  function measure(question: string, one: Kept<Answer>, answer: Answer): void {
    if (kept.get(question) !== one) return;
    const value = measured(answer);
    const size = value === undefined ? null : estimateBytes(value, limits.answerBytesMax);
    if (size === null) drop(question, one);
    else {
      one.bytes = size;
      bytes += size;
      trim();
    }
  }

  return {
    find(question, heard) {
      const one = kept.get(question);
      if (one === undefined) return null;
      const ageMs = nowMs() - one.beganMs;
      const isAfterChanges = one.position.node === heard.node && one.position.sequence >= heard.sequence;
      const isAfterOwn = heard.changedAgoMs === null || ageMs < heard.changedAgoMs;
      return isAfterChanges && isAfterOwn && ageMs <= KEPT_MS ? one.answer : null;
    },
    keep(question, position, answer) {
      const former = kept.get(question);
      if (former !== undefined) drop(question, former);
      const one: Kept<Answer> = { position, beganMs: nowMs(), answer, bytes: 0 };
      kept.set(question, one);
      trim();
      answer.then(
        (given) => measure(question, one, given),
        () => drop(question, one),
      );
    },
    size: () => ({ answers: kept.size, bytes }),
  };
}

/** Bytes of a member without its text: a slot, a header, a boxed number. */
const MEMBER_BYTES = 32;

/** The estimated bytes of a value in memory; null above `max`, without reading further. */
export function estimateBytes(value: unknown, max: number): number | null {
  let bytes = 0;
  const left: unknown[] = [value];
  while (left.length > 0) {
    const one = left.pop();
    bytes += MEMBER_BYTES + (typeof one === "string" ? 2 * one.length : 0);
    if (bytes + MEMBER_BYTES * left.length > max) return null;
    if (typeof one === "object" && one !== null) for (const member of Object.values(one)) left.push(member);
  }
  return bytes;
}
