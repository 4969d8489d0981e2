/**
 * The answer keys of all agents, derived from one secret of the installation and cached, since hook questions are
 * frequent.
 */
import { LRUCache } from "lru-cache";
import { deriveAnswerKey } from "./answer-mac.ts";

const REMEMBERED_MAX = 10_000;

export interface AnswerKeys {
  /** The answer key for a bearer, valid or not. */
  of(bearer: string): string;
  /** A new bearer with its answer key: the key as its agent gets it. */
  complete(bearer: string): string;
}

export function createAnswerKeys(secret: Uint8Array): AnswerKeys {
  const known = new LRUCache<string, string>({ max: REMEMBERED_MAX });
  function of(bearer: string): string {
    const remembered = known.get(bearer);
    if (remembered !== undefined) return remembered;
    const derived = deriveAnswerKey(secret, bearer);
    known.set(bearer, derived);
    return derived;
  }
  return {
    of,
    complete: (bearer) => `${bearer}_${of(bearer)}`,
  };
}
