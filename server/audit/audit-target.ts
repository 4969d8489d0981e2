/** The possible targets of an entry, the closest first: a key is found under its agent. */
const ABOUT = [
  "policy",
  "connection",
  "agent",
  "person",
  "service",
  "group",
  "approval",
  "prompt",
  "hold",
  "webhook",
  "stream",
  "alert",
  "budget",
] as const;

/** `policy/<id>`; null when an entry is about no one thing. */
export function auditTargetOf(fields: Readonly<Record<string, unknown>>): string | null {
  for (const name of ABOUT) {
    const id = fields[name];
    if (typeof id === "string" && id !== "") return `${name}/${id}`;
  }
  return null;
}
