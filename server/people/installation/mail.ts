/** The mail server that invitations and reset links go out by. Without one, an admin copies the link. */
import { isIP } from "node:net";
import type { Administrator } from "../../access/actor.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import { AppError } from "../../errors/app-error.ts";
import type { Database } from "../../platform/db.ts";
import { type AddressRule, addressRule, VARIABLES } from "../../platform/outgoing/address-rule.ts";
import { PrivateAddressError } from "../../platform/outgoing/guarded-lookup.ts";
import { connectGuarded } from "../../platform/outgoing/guarded-socket.ts";
import { inInstallation } from "../../platform/scope.ts";
import { opened, type Secrets, sealed } from "../../platform/secrets.ts";
import { findPerson } from "../repository.ts";
import { type MailView, type SaveMail, storedMail } from "../schema.ts";
import * as settings from "./repository.ts";
import { requireFirstWorkspace } from "./require-first-workspace.ts";

const NAME = "mail";
const CONNECT_MS = 10_000;
const SILENT_MS = 15_000;
const ANSWER_BYTES_MAX = 64 * 1024;
const boundTo = (host: string) => `mail ${host}`;

export interface Letter {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The same in every attempt of one letter, so that who gets it twice can know; made up when absent. */
  readonly messageId?: string;
}

export interface Mailer {
  /** False when no mail server is set. Errors: `mail_failed`. */
  send(letter: Letter): Promise<boolean>;
  /**
   * Connects to the mail server without sending anything; null when no server is set. A failure is only its code
   * (`ECONNECTION`, `EAUTH`): its readers need not know the server.
   */
  probe(): Promise<{ failure: string | null } | null>;
  readonly addresses: AddressRule;
}

export interface MailerOptions {
  readonly db: Database;
  readonly credentialKey: Buffer;
  /** As QUARTERDECK_ALLOW_PRIVATE_MAIL is written; undefined when it is not set. */
  readonly privateMail: string | undefined;
}

/** Errors: a StartupError when `privateMail` is not a list of hosts and ranges. */
export function createMailer({ db, credentialKey, privateMail }: MailerOptions): Mailer {
  const addresses = addressRule(privateMail ?? "none", VARIABLES.mail);
  const open = () => openMail(db, credentialKey, addresses);
  return {
    addresses,
    async send(letter) {
      const server = await open();
      if (!server) return false;
      const { host, from, transport } = server;
      try {
        await transport.sendMail({ from, ...letter });
        return true;
      } catch (cause) {
        const says = `The mail server ${host} did not accept the message: ${reasonOf(cause)}`;
        throw new AppError("mail_failed", undefined, { cause, says });
      } finally {
        transport.close();
      }
    },
    async probe() {
      const server = await open();
      if (!server) return null;
      try {
        await server.transport.verify();
        return { failure: null };
      } catch (cause) {
        return { failure: codeOf(cause) || "no answer" };
      } finally {
        server.transport.close();
      }
    },
  };
}

/**
 * The reason in our own words. It never quotes the server's answer: any service may listen there, and its greeting must
 * not leak.
 */
function reasonOf(cause: unknown): string {
  if (cause instanceof PrivateAddressError) return cause.message;
  const code = codeOf(cause);
  const status = cause instanceof Error && "responseCode" in cause ? Number(cause.responseCode) : Number.NaN;
  const says = REASONS.get(code) ?? "it could not be reached.";
  return status >= 400 && status <= 599 ? `${says.slice(0, -1)} (SMTP ${status}).` : says;
}

function codeOf(cause: unknown): string {
  if (cause instanceof PrivateAddressError) return "EPRIVATE";
  return cause instanceof Error && "code" in cause ? String(cause.code) : "";
}

const REASONS = new Map([
  ["EAUTH", "wrong user name or password."],
  ["EENVELOPE", "it refused the sender or the recipient."],
  ["EMESSAGE", "it refused the message."],
  ["EPROTOCOL", "the server is not a mail server."],
  ["ETLS", "the encrypted connection failed. Check whether this port needs TLS, STARTTLS or neither."],
  ["ETIMEDOUT", "it did not answer in time."],
  ["EDNS", "unknown host name."],
  ["ENOTFOUND", "unknown host name."],
  ["ECONNREFUSED", "no server listens on this port."],
]);

/** True when a mail server is set. */
export const hasMail = async (db: Database): Promise<boolean> =>
  (await inInstallation(() => settings.findSetting(db.prisma, NAME))) !== null;

async function openMail(db: Database, credentialKey: Buffer, rule: AddressRule) {
  const row = await settings.findSetting(db.prisma, NAME);
  if (!row) return null;
  const { host, port, security, user, from } = storedMail.parse(row.value);
  const pass = row.sealed === null ? null : opened(credentialKey, boundTo(host), row.sealed);
  const { createTransport } = await import("nodemailer");
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
    maxResponseSize: ANSWER_BYTES_MAX,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(isIP(host) === 0 ? { tls: { servername: host } } : {}),
    // The library's own lookup is not ours to check.
    getSocket: (_options, done) => {
      connectGuarded(rule, { host, port }, { timeoutMs: CONNECT_MS }).then(
        (connection) => done(null, { connection }),
        (error: Error) => done(error, false),
      );
    },
  });
  return { host, from, transport };
}

export async function mail(db: Database, actor: Administrator): Promise<MailView> {
  await requireFirstWorkspace(db.prisma, actor);
  const row = await settings.findSetting(db.prisma, NAME);
  return row ? { ...storedMail.parse(row.value), hasPassword: row.sealed !== null } : null;
}

export async function saveMail(
  db: Database,
  { secrets, mailer }: { readonly secrets: Pick<Secrets, "credentialKey">; readonly mailer: Mailer },
  actor: Administrator,
  { password, ...value }: SaveMail,
): Promise<void> {
  await db.prisma.$transaction(async (tx) => {
    await requireFirstWorkspace(tx, actor);
    const row = await settings.findSetting(tx, NAME);
    const before = row && storedMail.parse(row.value);
    // A password is sent only to the server that it was set for.
    const isSame = before?.host === value.host;
    const says = mailer.addresses.hostRefusal(value.host.toLowerCase());
    if (says !== null) throw new AppError("invalid_input", undefined, { says, pointer: "/host" });
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
export async function testMail(db: Database, mailer: Mailer, actor: Administrator): Promise<{ to: string }> {
  await requireFirstWorkspace(db.prisma, actor);
  const to = (await findPerson(db.prisma, actor.kind === "person" ? actor.id : NOBODY))?.email;
  if (!to) throw new AppError("invalid_input", undefined, { says: "Add your e-mail address first." });
  const text = "This is a test message from Quarterdeck. Invitations and reset links are sent the same way.";
  if (!(await mailer.send({ to, subject: "Quarterdeck can send mail", text })))
    throw new AppError("invalid_input", undefined, { says: "Save a mail server first." });
  return { to };
}

const NOBODY = "00000000-0000-0000-0000-000000000000";
