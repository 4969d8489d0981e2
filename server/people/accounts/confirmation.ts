/**
 * Confirmations: whoever is signed in shows their password or a code once more, in the same browser, for the acts that ask for
 * it (access/step-up.ts). Both the proof and the failed try are entries of the record, in the workspace that they look at.
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

/** The proof that a route takes of whoever is signed in; null when it takes none. A code proves nothing before its factor is on. */
export function confirmationBy(path: string, hasSecondFactor: boolean): string | null {
  if (path.startsWith("/two-factor/") && !hasSecondFactor) return null;
  return HOW_BY_PATH.get(path) ?? null;
}

export interface AccountAttempt extends Attempt {
  /** Absent where nobody is signed in, or where nothing is confirmed. */
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

/** A wrong password or code of whoever is signed in: somebody else may sit at their browser. */
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
