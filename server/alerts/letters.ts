/**
 * Mails about alerts, sent by the installation's mail server. They are queued in the row of the change that they
 * report.
 */
import { AppError } from "../errors/app-error.ts";
import type { Mailer } from "../people/index.ts";
import type { Clock } from "../platform/clock.ts";
import type { Database } from "../platform/db.ts";
import { inInstallation } from "../platform/scope.ts";
import * as alerts from "./repository.ts";

const HOLD_SECONDS = 120;
const LETTERS_AT_ONCE = 10;
const PAUSES_MS = [60_000, 300_000, 1_800_000, 7_200_000];

export interface Posting {
  readonly db: Database;
  readonly clock: Clock;
  readonly mailer: Pick<Mailer, "send">;
  readonly url: string;
}

export function sendLetters({ db, clock, mailer, url }: Posting): Promise<void> {
  return inInstallation(async () => {
    for (const letter of await alerts.claimLetters(db.pool, new Date(clock.now()), HOLD_SECONDS, LETTERS_AT_ONCE)) {
      const { name, severity, state, says, to, attempts } = letter;
      const what = state === "firing" ? `${severity}: ${name} fires` : `resolved: ${name}`;
      const text = `${says}\n\n${url}/alerts`;
      let error: string | null = null;
      let pauseMs: number | undefined;
      try {
        const isSent = await mailer.send({ to: to.join(", "), subject: `Quarterdeck: ${what}`, text });
        if (!isSent) error = "No mail server is set.";
      } catch (failure) {
        error = failure instanceof AppError ? failure.message : "The mail could not be sent.";
        pauseMs = PAUSES_MS[attempts - 1];
      }
      const nextAt = pauseMs === undefined ? null : new Date(clock.now() + pauseMs);
      await alerts.recordMailResult(db.pool, letter, error, nextAt);
    }
  });
}
