/**
 * Texts that people type into a change, without the secrets in them: before a service sees them, and so in no row, entry of
 * the chain, notice, webhook or backup. The table says of every text of every mutation if it is masked.
 */
import { redactText } from "@quarterdeck/hooks";

/** Members of an input that hold words of a person: they are masked, however deep they lie. */
export const MASKED_FIELDS: ReadonlySet<string> = new Set([
  ...["reason", "note", "comment", "body", "words", "duringFreeze", "name", "query", "text", "label"],
]);

/**
 * Other texts are kept as they were sent: identifiers and addresses that have to be exact, credentials that are sealed or
 * hashed, and texts that a program reads, in which a marker would be another program.
 */
export const KEPT_FIELDS: ReadonlySet<string> = new Set([
  ...[
    "token",
    "email",
    "emails",
    "password",
    "person",
    "user",
    "from",
    "to",
    "host",
    "issuer",
    "clientId",
    "clientSecret",
  ],
  ...[
    "id",
    "sessionId",
    "agent",
    "agentName",
    "policy",
    "hook",
    "packId",
    "tool",
    "pattern",
    "namePattern",
    "tag",
    "tags",
  ],
  ...[
    "month",
    "timeZone",
    "usd",
    "baseUrl",
    "credential",
    "url",
    "webhookUrl",
    "model",
    "modelId",
    "schema",
    "template",
  ],
  ...[
    "source",
    "file",
    "input",
    "editedInput",
    "commands",
    "message",
    "context",
    "rewritten",
    "hooks",
    "reply",
    "typed",
  ],
  ...["verdict", "session", "rule", "group", "team"],
]);

/** Words of an answer that hold a secret are refused by their service, for an agent waits for them (server/approvals). */
const REFUSES_SECRETS: ReadonlySet<string> = new Set(["approvals.answer"]);
/** Searches and previews store nothing, and are for the very words. */
const STORES_NOTHING: ReadonlySet<string> = new Set(["decisions.evidence"]);

/** True for a mutation whose input is masked. What agents send is masked where it is recorded. */
export const isMaskedPath = (path: string): boolean =>
  !path.startsWith("agent.") && !REFUSES_SECRETS.has(path) && !STORES_NOTHING.has(path);

/** The input with the words in it masked; the same input when they hold no secret. */
export function maskTypedText(input: unknown): unknown {
  if (typeof input !== "object" || input === null) return input;
  if (Array.isArray(input)) {
    const safe = input.map(maskTypedText);
    return safe.every((one, index) => one === input[index]) ? input : safe;
  }
  if (Object.getPrototypeOf(input) !== Object.prototype) return input;
  const members = Object.entries(input);
  const safe = members.map(([key, value]): [string, unknown] => [
    key,
    typeof value === "string" && MASKED_FIELDS.has(key) ? redactText(value) : maskTypedText(value),
  ]);
  return safe.every(([, value], index) => value === members[index]?.[1]) ? input : Object.fromEntries(safe);
}
