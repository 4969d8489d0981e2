/** The mail server that invitations and reset links go out by. Without one, an admin copies the link. */
import { createTransport } from "nodemailer";
import type { Administrator } from "../../access/actor.ts";
import { recordAudit } from "../../audit/record.ts";
import { AppError } from "../../errors/app-error.ts";
import type { Database } from "../../platform/db.ts";
import { inInstallation } from "../../platform/scope.ts";
import { opened, type Secrets, sealed } from "../../platform/secrets.ts";
import { findPerson } from "../repository.ts";
import { type MailView, type SaveMail, storedMail } from "../schema.ts";
import { requireHome } from "./home.ts";
import * as settings from "./repository.ts";

const NAME = "mail";
const CONNECT_MS = 10_000;
const SILENT_MS = 15_000;
const boundTo = (host: string) => `mail ${host}`;

export interface Letter {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Whether it was sent: false when no mail server is set. Errors: `mail_failed`, in the server's own words. */
export async function sendMail(db: Database, credentialKey: Buffer, letter: Letter): Promise<boolean> {
  const server = await openMail(db, credentialKey);
  if (!server) return false;
  const { host, from, transport } = server;
  try {
    await transport.sendMail({ from, ...letter });
    return true;
  } catch (cause) {
    throw new AppError("mail_failed", undefined, {
      cause,
      says: `The mail server ${host} did not take the mail: ${wordsOf(cause)}`,
    });
  } finally {
    transport.close();
  }
}

/**
 * Whether the mail server takes us in, without sending anything; null when none is set. A failure is its code alone
 * (`ECONNECTION`, `EAUTH`): those who may read it need not know the server.
 */
export async function probeMail(db: Database, credentialKey: Buffer): Promise<{ failure: string | null } | null> {
  const server = await openMail(db, credentialKey);
  if (!server) return null;
  try {
    await server.transport.verify();
    return { failure: null };
  } catch (cause) {
    return { failure: cause instanceof Error && "code" in cause ? String(cause.code) : "no answer" };
  } finally {
    server.transport.close();
  }
}

const wordsOf = (cause: unknown): string => (cause instanceof Error ? cause.message.slice(0, 200) : "no answer");

/** Whether a mail server is set at all. */
export const hasMail = async (db: Database): Promise<boolean> =>
  (await inInstallation(() => settings.findSetting(db.prisma, NAME))) !== null;

async function openMail(db: Database, credentialKey: Buffer) {
  const row = await settings.findSetting(db.prisma, NAME);
  if (!row) return null;
  const { host, port, security, user, from } = storedMail.parse(row.value);
  const pass = row.sealed === null ? null : opened(credentialKey, boundTo(host), row.sealed);
  const transport = createTransport({
    host,
    port,
    secure: security === "tls",
    requireTLS: security === "starttls",
    ignoreTLS: security === "none",
    ...(user === "" ? {} : { auth: { user, pass: pass ?? "" } }),
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return { host, from, transport };
}

export async function mail(db: Database, actor: Administrator): Promise<MailView> {
  await requireHome(db.prisma, actor);
  const row = await settings.findSetting(db.prisma, NAME);
  return row ? { ...storedMail.parse(row.value), hasPassword: row.sealed !== null } : null;
}

export async function saveMail(
  db: Database,
  secrets: Pick<Secrets, "credentialKey">,
  actor: Administrator,
  { password, ...value }: SaveMail,
): Promise<void> {
  await db.prisma.$transaction(async (tx) => {
    await requireHome(tx, actor);
    const before = await settings.findSetting(tx, NAME);
    // A password goes to the server it was given for, and nowhere else.
    const isSame = before !== null && storedMail.parse(before.value).host === value.host;
    const kept =
      password === undefined
        ? isSame
          ? undefined
          : null
        : sealed(secrets.credentialKey, boundTo(value.host), password);
    await settings.saveSetting(tx, NAME, { value, sealed: kept, updatedBy: actor.name });
    await recordAudit(tx, actor, {
      kind: "mail_saved",
      version: 1,
      by: actor.name,
      host: value.host,
      from: value.from,
      password: password === undefined ? (isSame ? "kept" : "none") : "set",
    });
  });
}

/** A letter to oneself. Errors: `mail_failed`; `invalid_input` without an address or a server. */
export async function testMail(db: Database, credentialKey: Buffer, actor: Administrator): Promise<{ to: string }> {
  await requireHome(db.prisma, actor);
  const to = (await findPerson(db.prisma, actor.kind === "person" ? actor.id : NOBODY))?.email;
  if (!to) throw new AppError("invalid_input", undefined, { says: "Give yourself an e-mail address first." });
  const text = "This is how mail from Quarterdeck arrives. Invitations and reset links will, too.";
  if (!(await sendMail(db, credentialKey, { to, subject: "Quarterdeck can send mail", text })))
    throw new AppError("invalid_input", undefined, { says: "Save a mail server first." });
  return { to };
}

const NOBODY = "00000000-0000-0000-0000-000000000000";
