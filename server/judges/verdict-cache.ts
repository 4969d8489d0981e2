/**
 * The verdicts of this process that may be used again. A key covers the whole question and the version of the workspace's settings,
 * so a change of a connection, a cap or a policy leaves no entry that answers. Nothing is kept for a failure.
 */
import type { EvaluatorQuestion, ModelQuestion } from "@quarterdeck/hooks";
import { printExactJson } from "@quarterdeck/hooks/contract/exact-json";
import type { ResolvedEvaluator } from "@quarterdeck/hooks/contract/resolved-evaluator";
import { LRUCache } from "lru-cache";
import { sha256 } from "../platform/secrets.ts";

/** A wrong allow does harm, and a wrong denial costs a retry: an allow expires sooner. */
export const ALLOW_TTL_MS = 5 * 60_000;
export const OTHER_TTL_MS = 30 * 60_000;
const ENTRIES_MAX = 5_000;
const BYTES_MAX = 16 * 1_048_576;
const REPLY_CHARS_MAX = 16_384;

export interface KeptVerdict {
  /** The model's reply, verbatim. */
  readonly text: string;
  /** In the provider's words; undefined when it did not say. */
  readonly model: string | undefined;
}

export interface VerdictCache {
  find(key: string): KeptVerdict | null;
  keep(key: string, verdict: KeptVerdict, isAllow: boolean): void;
}

/** `now`: milliseconds on a monotonic clock, for the expiry. */
export function createVerdictCache(now: () => number): VerdictCache {
  const entries = new LRUCache<string, KeptVerdict>({
    max: ENTRIES_MAX,
    maxSize: BYTES_MAX,
    // Two bytes a character, and the entry itself.
    sizeCalculation: ({ text }, key) => 2 * (text.length + key.length) + 200,
    perf: { now },
    ttlResolution: 0,
  });
  return {
    find: (key) => entries.get(key) ?? null,
    keep(key, { text, model }, isAllow) {
      if (text.length > REPLY_CHARS_MAX) return;
      entries.set(key, { text, model }, { ttl: isAllow ? ALLOW_TTL_MS : OTHER_TTL_MS });
    },
  };
}

export interface CacheScope {
  readonly workspaceId: string;
  /** The version of the workspace's connections and caps. */
  readonly version: string;
}

/**
 * The key of a question: the judge by policy, revision and place, the model, and the text without its random mark. Null for a question
 * that cannot be repeated, such as one for plain text.
 */
export function questionKey(question: ModelQuestion, { workspaceId, version }: CacheScope): string | null {
  const { asker, model, system, user, schema, boundary } = question;
  const { policyId, policy, revision } = asker.origin;
  const judge = policyId ?? policy;
  if (schema === undefined || judge === undefined) return null;
  const text = boundary === undefined ? user : user.replaceAll(boundary, "");
  const parts = [workspaceId, version, judge, revision, asker.path, model, schema.name, system, text];
  return sha256(JSON.stringify(parts)).toString("hex");
}

/** The same for an evaluator: its definition and the state that it is asked about. Null without a policy. */
export function evaluationKey(
  { origin, path }: EvaluatorQuestion["asker"],
  evaluator: ResolvedEvaluator,
  state: EvaluatorQuestion["state"],
  { workspaceId, version }: CacheScope,
): string | null {
  const policy = origin.policyId ?? origin.policy;
  if (policy === undefined) return null;
  const parts = [workspaceId, version, policy, origin.revision, path, evaluator, state];
  return sha256(`evaluation ${printExactJson(parts)}`).toString("hex");
}
