import { sha256 } from "../platform/secrets.ts";
import { indexKeyText, JUDGE_KEY_MAX } from "../recording/index.ts";

/** A judge's policy, hook or model as stored in records and sums. */
export const keyOf = (text: string): string => indexKeyText(text, JUDGE_KEY_MAX);

/**
 * The account under which a judge's use is counted; a connection's account is its id. The same for a name as written
 * and as recorded.
 */
export const judgeAccount = (policy: string, hook: string): string =>
  `judge ${sha256(`${keyOf(policy)}\n${keyOf(hook)}`)
    .toString("hex")
    .slice(0, 32)}`;

/** Caps count in days of UTC, everywhere the same. */
export const dayOf = (nowMs: number): string => new Date(nowMs).toISOString().slice(0, 10);
