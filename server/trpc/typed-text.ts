/**
 * Masks secrets in texts that people type, before a service sees them: so no row, audit entry, notice, webhook or
 * backup holds them. The table classifies every text of every mutation as masked or not.
 */
import { redactText } from "@quarterdeck/hooks";

/** Members of an input that hold a person's text: they are masked at any depth. */
export const MASKED_FIELDS: ReadonlySet<string> = new Set([
  ...["reason", "note", "comment", "body", "words", "duringFreeze", "name", "query", "text", "label"],
]);

/**
 * These texts stay as they were sent: identifiers and addresses that must be exact, credentials that are sealed or
 * hashed, and texts that a program reads, where a marker would change the program.
 */
export const KEPT_FIELDS: ReadonlySet<string> = new Set([
  ...[
    "token",
    "fallback",
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
    "userCode",
    "timeZone",
    "first",
    "last",
    "keys",
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
  ...["verdict", "session", "rule", "group", "team", "event", "time"],
  ...["assignee", "keyword", "path", "sample", "ticket", "key", "digest"],
  ...["address", "index", "bucket", "region", "prefix", "accessKeyId", "ca", "secret"],
]);

/** Mutations whose service refuses texts with secrets, because an agent waits for the answer (server/approvals). */
const REFUSES_SECRETS: ReadonlySet<string> = new Set(["approvals.answer"]);
/** Searches and previews store nothing, and are for the very words. */
const STORES_NOTHING: ReadonlySet<string> = new Set(["decisions.evidence", "maskingSettings.preview"]);

/** True for a mutation whose input is masked. Agents' input is masked when it is recorded. */
export const isMaskedPath = (path: string): boolean =>
  !path.startsWith("agent.") && !REFUSES_SECRETS.has(path) && !STORES_NOTHING.has(path);

/** Names that other things are found by: the workspace's own masking keeps them. */
const NAMES: ReadonlySet<string> = new Set(["name", "label", "query"]);

/** The input with the words in it masked, by `mask` except for names; the same input when there is nothing to mask. */
export function maskTypedText(input: unknown, mask: (text: string) => string = redactText): unknown {
  if (typeof input !== "object" || input === null) return input;
  if (Array.isArray(input)) {
    const safe = input.map((one) => maskTypedText(one, mask));
    return safe.every((one, index) => one === input[index]) ? input : safe;
  }
  if (Object.getPrototypeOf(input) !== Object.prototype) return input;
  const members = Object.entries(input);
  const safe = members.map(([key, value]): [string, unknown] => [
    key,
    typeof value === "string" && MASKED_FIELDS.has(key)
      ? (NAMES.has(key) ? redactText : mask)(value)
      : maskTypedText(value, mask),
  ]);
  return safe.every(([, value], index) => value === members[index]?.[1]) ? input : Object.fromEntries(safe);
}
