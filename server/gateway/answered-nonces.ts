/**
 * The nonces for which this process has signed a verdict. A proxy may repeat a question, but gets only one signed
 * verdict for it: it cannot ask again until it gets a milder one.
 */
import { LRUCache } from "lru-cache";
import { sha256 } from "../platform/secrets.ts";

/** The number of nonces within a relay's longest timeout at a thousand a second; about 15 MB. */
const REMEMBERED_MAX = 100_000;
const DIGEST_BYTES = 16;

export interface AnsweredNonces {
  /** True for the first verdict to this nonce of this bearer. */
  take(bearer: string, nonce: string): boolean;
}

export function createAnsweredNonces(max = REMEMBERED_MAX): AnsweredNonces {
  const taken = new LRUCache<string, true>({ max });
  return {
    take(bearer, nonce) {
      const name = sha256(`${bearer} ${nonce}`).toString("base64", 0, DIGEST_BYTES);
      if (taken.has(name)) return false;
      taken.set(name, true);
      return true;
    },
  };
}
