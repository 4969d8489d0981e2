/** The two parts of an agent's key: the one that is sent, and the one that answers are signed with, which never leaves the machine. */

export interface AgentKey {
  readonly bearer: string;
  /** Null in a key of the older form. */
  readonly answerKey: string | null;
}

const TWO_PARTS = /^(.+)_([0-9a-f]{64})$/;

export function splitAgentKey(key: string): AgentKey {
  const [, bearer, answerKey] = TWO_PARTS.exec(key) ?? [];
  return bearer === undefined || answerKey === undefined ? { bearer: key, answerKey: null } : { bearer, answerKey };
}
