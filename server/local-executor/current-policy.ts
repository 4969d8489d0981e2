/** The current policy: the cached one while it is fresh, else the console's answer, or the last known good one. */
import { type KeyObject, randomBytes } from "node:crypto";
import { EXECUTOR_POLICY_TYPE, type PolicyAttestation } from "../access/local-executor-schema.ts";
import { keyFingerprint, readAttestation, sha256Of } from "./attestation.ts";
import { type Answer, type ConsoleClient, isAwayStatus, refusalOf } from "./console-client.ts";
import { ConsoleAway, Trouble } from "./errors.ts";
import { executorHeader } from "./executor-header.ts";
import { type Policy, policyOf } from "./policy.ts";
import { type Cached, CLOCK_SKEW_MS, holdsPolicyOf, readCache, writeCache } from "./policy-cache.ts";
import { refusedHeader } from "./refused-events.ts";
import type { Settings } from "./settings.ts";
import { FORGED, pinnedKey } from "./signature.ts";
import type { StateDirectory } from "./state-directory.ts";

/**
 * The console is not asked again within this time: a burst of calls costs one request, and a published policy takes
 * effect this much later.
 */
export const FRESH_MS = 2_000;
const POLICY_TIMEOUT_MS = 5_000;

export interface Sources {
  readonly settings: Settings;
  readonly console: () => Promise<ConsoleClient>;
  readonly now: () => number;
}

export interface Current {
  readonly policy: Policy;
  /** The console could not confirm it just now. */
  readonly isAway: boolean;
}

/**
 * Errors: `ConsoleAway` if the console is away and no cached policy is young enough; a `Trouble` if the console refuses
 * us, or if its policy or the cached one is not signed for this agent now. A refused policy leaves the cached one
 * unchanged.
 */
export async function currentPolicy(sources: Sources, freshMs: number = FRESH_MS): Promise<Current> {
  const { settings, now } = sources;
  const { state, policyAgeMsMax } = settings;
  const trusted = pinnedKey(settings.trustKey);
  const { cached, trouble } = readKept(state, trusted, now());
  if (cached && cached.checkedAgeMs < freshMs && cached.ageMs <= policyAgeMsMax)
    return { policy: cached.policy, isAway: false };
  try {
    return { policy: await fetchPolicy(sources, trusted, cached), isAway: false };
  } catch (error) {
    if (!(error instanceof ConsoleAway)) throw error;
    if (trouble) throw trouble;
    if (!cached)
      throw new ConsoleAway(
        `${error.message} No policy was fetched with this key before. Start the console or check QUARTERDECK_URL.`,
      );
    if (cached.ageMs <= policyAgeMsMax) return { policy: cached.policy, isAway: true };
    throw new ConsoleAway(`${error.message} ${whyTooOld(cached, policyAgeMsMax, now())}`);
  }
}

function whyTooOld({ attestation: { iat } }: Cached, policyAgeMsMax: number, nowMs: number): string {
  if (iat * 1_000 > nowMs + CLOCK_SKEW_MS)
    return "The last policy is dated ahead of this machine's clock. Set the clock, or start the console.";
  return `The last policy is older than ${inWords(policyAgeMsMax)} and holds no more. Start the console, or set QUARTERDECK_POLICY_MAX_AGE.`;
}

/** A stored policy that cannot be trusted is fetched anew; only when that fails does it matter. */
function readKept(state: StateDirectory, key: KeyObject, nowMs: number): { cached: Cached | null; trouble?: Trouble } {
  try {
    return { cached: readCache(state, key, nowMs) };
  } catch (error) {
    if (error instanceof Trouble) return { cached: null, trouble: error };
    throw error;
  }
}

async function fetchPolicy(
  { settings, console, now }: Sources,
  trusted: KeyObject,
  cached: Cached | null,
): Promise<Policy> {
  const { state } = settings;
  const client = await console();
  // An answer with this nonce was made for this request: no earlier answer is accepted, whatever the clocks are.
  const nonce = randomBytes(16).toString("base64url");
  const refused = refusedHeader(state.dir);
  const answer = await client.ask({
    method: "GET",
    path: "/api/v1/policy",
    headers: {
      accept: EXECUTOR_POLICY_TYPE,
      "quarterdeck-nonce": nonce,
      ...executorHeader(settings),
      ...(refused && { "quarterdeck-refused": refused }),
      ...(cached && { "if-none-match": cached.etag, "quarterdeck-sequence": String(cached.attestation.sequence) }),
    },
    timeoutMs: POLICY_TIMEOUT_MS,
  });
  if (isAwayStatus(answer.status)) throw new ConsoleAway(refusalOf(answer));
  const body = answer.status === 304 && cached ? cached.body : answer.body;
  if (answer.status !== 200 && body !== cached?.body)
    throw new Trouble(`${refusalOf(answer)} There is no policy to go by.`);
  const token = tokenIn(answer);
  const attestation = readAttestation(token, trusted);
  checkAnswer(attestation, keyFingerprint(settings.bearer), nonce);
  if (sha256Of(body) !== attestation.sha256) throw new Trouble(FORGED);
  const policy = policyOf(body, now());
  if (policy.agent !== attestation.sub) throw new Trouble(FOREIGN);
  state.claim(attestation, (dir) => holdsPolicyOf(dir, attestation.sub, trusted));
  const seen = cached && state.isOf(cached.attestation) ? cached.attestation.sequence : 0;
  if (attestation.sequence < seen) throw new Trouble(older(attestation.sequence, seen));
  // Read again: another process, or an earlier key of this agent, may have seen more.
  const kept = readKept(state, trusted, now()).cached;
  if (kept && attestation.sequence < kept.attestation.sequence) {
    if (kept.checkedAgeMs < POLICY_TIMEOUT_MS) return kept.policy;
    throw new Trouble(older(attestation.sequence, kept.attestation.sequence));
  }
  const etag = typeof answer.headers.etag === "string" ? answer.headers.etag : "";
  writeCache(state.dir, { etag, token, body });
  return policy;
}

function tokenIn({ headers }: Answer): string {
  const { "quarterdeck-attestation": token, "quarterdeck-signature": signature } = headers;
  if (typeof token === "string" && token !== "") return token;
  throw new Trouble(
    signature === undefined
      ? "The policy is not signed, so it is refused."
      : "The policy is signed, but neither dated nor addressed, so it is refused: the console is older than this program. Update the console, or download the program from it again.",
  );
}

const FOREIGN =
  "The policy was signed for another agent or another key, so it is refused. Check who answers at QUARTERDECK_URL.";

function checkAnswer({ key, nonce }: PolicyAttestation, ownKey: string, ownNonce: string): void {
  if (key !== ownKey) throw new Trouble(FOREIGN);
  if (nonce !== ownNonce)
    throw new Trouble(
      "The policy is an answer to an earlier question, so it is refused: somebody between this machine and the console plays it back. Check who answers at QUARTERDECK_URL.",
    );
}

const older = (stated: number, seen: number): string =>
  `The policy is older than the one this machine has seen (sequence ${stated} after ${seen}), so it is refused. If the console's database was put back from a backup, restart the console.`;

function inWords(ms: number): string {
  const hours = ms / 3_600_000;
  return hours >= 1 ? `${Math.round(hours)} h` : `${Math.round(ms / 1_000)} s`;
}
