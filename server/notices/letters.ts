/**
 * Mails with notices: one for all due notices of a person, and at most one a minute. Everything is checked again at
 * sending time: membership, permission, choices, quiet hours, and whether the call still waits.
 */
import { createHash } from "node:crypto";
import { truncateText } from "@quarterdeck/hooks/contract/truncate-text";
import { AppError } from "../errors/app-error.ts";
import type { Mailer } from "../people/index.ts";
import type { Clock } from "../platform/clock.ts";
import type { Pool } from "../platform/db.ts";
import { inInstallation, inWorkspace } from "../platform/scope.ts";
import { inertText } from "../webhooks/index.ts";
import { isPermitted } from "./addressees.ts";
import * as letters from "./letters-repository.ts";
import { choicesOf } from "./make-notices.ts";
import { isQuiet, quietEnd } from "./quiet-hours.ts";
import { findPerson } from "./repository.ts";
import { NOTICE_KINDS, type NoticeChoices } from "./schema.ts";

const MINUTE_MS = 60_000;
/** Until the next attempt; after the last one it is given up. */
const PAUSES_MS = [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 120 * MINUTE_MS];
const HOLD_MS = 2 * MINUTE_MS;
/** Time limit of one mail: the mail server's own timeouts only end a silence. Less than `HOLD_MS`. */
const LETTER_MS = 30_000;
const PEOPLE_AT_ONCE = 10;
/** Notices per mail. The rest is sent with the next one. */
const NOTICES_MAX = 50;
const TITLE_CHARS_MAX = 200;
const SAYS_CHARS_MAX = 500;

export interface LettersWorld {
  readonly pool: Pool;
  readonly clock: Clock;
  readonly mailer: Pick<Mailer, "send">;
  /** Where people reach this installation. */
  readonly url: string;
  /** The time limit of a mail, in milliseconds. */
  readonly letterMs?: number;
}

export async function sendLetters(world: LettersWorld): Promise<void> {
  const now = new Date(world.clock.now());
  const before = new Date(now.getTime() - MINUTE_MS);
  const people = await inInstallation(() => letters.claimPeople(world.pool, { now, before, limit: PEOPLE_AT_ONCE }));
  await Promise.all(people.map((one) => inWorkspace(one.workspaceId, () => sendTo(world, one, now))));
}

async function sendTo(world: LettersWorld, addressee: letters.Addressee, now: Date): Promise<void> {
  const { pool } = world;
  const { workspaceId, personId } = addressee;
  const heldUntil = new Date(now.getTime() + HOLD_MS);
  const [person, due] = [
    await findPerson(pool, workspaceId, personId),
    await letters.takeDue(pool, addressee, { now, heldUntil, limit: NOTICES_MAX }),
  ];
  if (person === null) return;
  const choices = choicesOf(person.choices);
  const { address, isProven } = person;
  const isWanted = (row: letters.DueRow) =>
    address !== null && isProven && !row.isOver && isChosen(choices, row.kind) && isPermitted(row.kind, person.role);
  const wanted = due.filter(isWanted);
  await letters.setMail(pool, addressee, keysOf(due.filter((row) => !isWanted(row))), { mail: "dropped" });
  const { quiet } = choices;
  const isHeld = (row: letters.DueRow) => !row.isUrgent && isQuiet(quiet, now);
  if (quiet !== null && isQuiet(quiet, now)) {
    const at = quietEnd(quiet, now);
    await letters.setMail(pool, addressee, keysOf(wanted.filter(isHeld)), { mail: "waiting", at, isAttempt: false });
  }
  const sent = wanted.filter((row) => !isHeld(row));
  if (sent.length === 0 || address === null) return letters.release(pool, addressee);
  await letters.setMail(pool, addressee, keysOf(sent), await attempt(world, address, sent, now));
}

async function attempt(world: LettersWorld, to: string, sent: readonly letters.DueRow[], now: Date) {
  const { mailer, url, letterMs = LETTER_MS } = world;
  try {
    const isSent = await withinTime(mailer.send({ to, ...letterOf(sent, url) }), letterMs);
    return isSent ? ({ mail: "sent" } as const) : ({ mail: "failed", error: "No mail server is set." } as const);
  } catch (error) {
    const pauseMs = PAUSES_MS[Math.max(...sent.map(({ attempts }) => attempts)) - 1];
    if (pauseMs !== undefined)
      return { mail: "waiting", at: new Date(now.getTime() + pauseMs), isAttempt: true } as const;
    const words = error instanceof AppError ? error.message : "The e-mail could not be sent.";
    return { mail: "failed", error: truncateText(words, SAYS_CHARS_MAX) } as const;
  }
}

/** Errors: `mail_failed` after `ms` milliseconds. The mail may still arrive: the next attempt has the same id. */
async function withinTime(sending: Promise<boolean>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new AppError("mail_failed", `no answer within ${ms} ms`)), ms).unref();
  });
  try {
    return await Promise.race([sending, late]);
  } finally {
    clearTimeout(timer);
  }
}

const keysOf = (rows: readonly letters.DueRow[]): readonly string[] => rows.map(({ key }) => key);

/** A test uses every channel in use. */
const isChosen = ({ ways }: NoticeChoices, kind: string): boolean =>
  NOTICE_KINDS.some((one) => (one === kind || kind === "test") && ways[one].includes("mail"));

/** The same notices make the same letter, which mail servers and readers know by its id. */
export function letterOf(rows: readonly letters.DueRow[], url: string) {
  const [first] = rows;
  const title = first?.title ?? "";
  const parts = rows.map(({ title: own, says, path }) =>
    [inertText(own, TITLE_CHARS_MAX), ...(says === "" ? [] : [inertText(says, SAYS_CHARS_MAX)]), `${url}${path}`].join(
      "\n",
    ),
  );
  const foot = `Links require sign-in. Opening a link neither allows nor denies a call.\nE-mail preferences: ${url}/settings/notifications`;
  const id = createHash("sha256")
    .update(JSON.stringify(keysOf(rows)))
    .digest("hex");
  return {
    subject: rows.length > 1 ? `Quarterdeck: ${title}, and ${rows.length - 1} more` : `Quarterdeck: ${title}`,
    text: [...parts, foot].join("\n\n"),
    messageId: `<${id.slice(0, 32)}@${URL.canParse(url) ? new URL(url).hostname : "quarterdeck"}>`,
  };
}
