/**
 * Confirmations: for some acts (access/step-up.ts), a signed-in person enters their password or a code again, in the
 * same browser. Both confirmations and failed attempts are entries of the audit record, in the current workspace.
 */
import { recordAudit } from "../../audit/record-audit.ts";
import type { Database } from "../../platform/db.ts";
import type { sessionOf } from "../session.ts";
import type { Attempt } from "./attempts.ts";

const HOW_BY_PATH: ReadonlyMap<string, string> = new Map([
  ["/verify-password", "password"],
  ["/two-factor/verify-totp", "second factor"],
  ["/two-factor/verify-backup-code", "recovery code"],
]);

/**
 * The proof of identity that a route accepts from a signed-in person, or null. A code proves nothing until the second
 * factor is on.
 */
export function confirmationBy(path: string, hasSecondFactor: boolean): string | null {
  if (path.startsWith("/two-factor/") && !hasSecondFactor) return null;
  return HOW_BY_PATH.get(path) ?? null;
}

export interface AccountAttempt extends Attempt {
  /** Absent when no person is signed in, or the call confirms nothing. */
  readonly confirms?: {
    readonly personId: string;
    readonly name: string;
    readonly workspaceId: string;
    readonly how: string;
  };
}

type Session = NonNullable<Awaited<ReturnType<typeof sessionOf>>>;

/** The confirmation that a call of this session is a try at. */
export function confirmationOf(
  path: string,
  { personId, workspaceId, membership }: Session,
): Pick<AccountAttempt, "confirms"> {
  const { name, twoFactorEnabled } = membership.person;
  const how = confirmationBy(path, twoFactorEnabled);
  return how === null ? {} : { confirms: { personId, name, workspaceId, how } };
}

/** Records a wrong password or code in a signed-in session: another person may be using the browser. */
export async function recordFailedConfirmation(db: Database, { confirms, from }: AccountAttempt): Promise<void> {
  if (!confirms) return;
  const { personId, name, workspaceId, how } = confirms;
  const who = { kind: "person", id: personId, name, workspaceId, from } as const;
  const entry = {
    kind: "account_used",
    version: 1,
    by: name,
    person: personId,
    act: "confirmation_failed",
    how,
  } as const;
  await db.prisma.$transaction((tx) => recordAudit(tx, who, entry));
}
