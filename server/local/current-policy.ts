/** The policy that holds now: the cached one while it is fresh, what the console says, or the last known good. */
import type { KeyObject } from "node:crypto";
import { type ConsoleClient, isAwayStatus, refusalOf } from "./console-client.ts";
import { type Policy, policyOf } from "./policy.ts";
import { type Cached, confirmCache, readCache, writeCache } from "./policy-cache.ts";
import { EXECUTOR_POLICY_TYPE } from "./schema.ts";
import { checkSignature } from "./signature.ts";
import { ConsoleAway, Trouble } from "./trouble.ts";

/** So long nobody asks again: a burst of calls costs one question, and a published policy holds this much later. */
export const FRESH_MS = 2_000;
const POLICY_TIMEOUT_MS = 5_000;

export interface Sources {
  readonly dir: string;
  readonly key: KeyObject;
  readonly policyAgeMsMax: number;
  readonly console: () => Promise<ConsoleClient>;
  readonly now: () => number;
}

export interface Current {
  readonly policy: Policy;
  /** The console could not confirm it just now. */
  readonly isAway: boolean;
}

/**
 * Errors: `ConsoleAway` when the console is and nothing kept is young enough; a `Trouble` when it refuses us or what it
 * gives, or what is kept, is not what it signed.
 */
export async function currentPolicy(sources: Sources, freshMs: number = FRESH_MS): Promise<Current> {
  const { dir, key, now, policyAgeMsMax } = sources;
  const kept = readKept(dir, key, now());
  if (kept.cached && kept.cached.ageMs < freshMs) return { policy: kept.cached.policy, isAway: false };
  try {
    return { policy: await fetchPolicy(sources, kept.cached), isAway: false };
  } catch (error) {
    if (!(error instanceof ConsoleAway)) throw error;
    if (kept.trouble) throw kept.trouble;
    if (!kept.cached)
      throw new ConsoleAway(
        `${error.message} No policy was fetched before. Start the console or check QUARTERDECK_URL.`,
      );
    if (kept.cached.ageMs <= policyAgeMsMax) return { policy: kept.cached.policy, isAway: true };
    throw new ConsoleAway(
      `${error.message} The last policy is older than ${inWords(policyAgeMsMax)} and holds no more. Start the console, or set QUARTERDECK_POLICY_MAX_AGE.`,
    );
  }
}

/** What cannot be trusted is fetched anew; only when that fails does it matter. */
function readKept(dir: string, key: KeyObject, nowMs: number): { cached: Cached | null; trouble?: Trouble } {
  try {
    return { cached: readCache(dir, key, nowMs) };
  } catch (error) {
    if (error instanceof Trouble) return { cached: null, trouble: error };
    throw error;
  }
}

async function fetchPolicy({ dir, key, console, now }: Sources, cached: Cached | null): Promise<Policy> {
  const client = await console();
  const answer = await client.ask({
    method: "GET",
    path: "/api/v1/policy",
    headers: { accept: EXECUTOR_POLICY_TYPE, ...(cached && { "if-none-match": cached.etag }) },
    timeoutMs: POLICY_TIMEOUT_MS,
  });
  const askedMs = now();
  if (answer.status === 304 && cached) {
    confirmCache(dir, askedMs);
    return cached.policy;
  }
  if (isAwayStatus(answer.status)) throw new ConsoleAway(refusalOf(answer));
  if (answer.status !== 200) throw new Trouble(`${refusalOf(answer)} There is no policy to go by.`);
  const { etag = "", "quarterdeck-signature": stated } = answer.headers;
  const signature = typeof stated === "string" ? stated : "";
  checkSignature(answer.body, signature, key);
  const policy = policyOf(answer.body);
  if (cached && cached.policy.agent !== policy.agent)
    throw new Trouble("The policy is another agent's, so it is refused. Check who answers at QUARTERDECK_URL.");
  writeCache(dir, { etag, signature, body: answer.body });
  return policy;
}

function inWords(ms: number): string {
  const hours = ms / 3_600_000;
  return hours >= 1 ? `${Math.round(hours)} h` : `${Math.round(ms / 1_000)} s`;
}
