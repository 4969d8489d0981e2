/** Letting people in: a link that works once, for a week, for one address and one role. */
import type { Actor, Administrator, PersonActor } from "../access/actor.ts";
import { requireMay } from "../access/permissions.ts";
import { type PageById, role as roleSchema } from "../access/role-schema.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { AppError } from "../errors/app-error.ts";
import type { Database, Tx } from "../platform/db.ts";
import { randomToken, uuidv7 } from "../platform/ids.ts";
import { type Secrets, sha256 } from "../platform/secrets.ts";
import type { Accounts } from "./accounts/accounts.ts";
import type { Mailer } from "./installation/mail.ts";
import * as invitations from "./invitation-repository.ts";
import { accessEnd, DAY_MS, inviterOf, isInvitationValid, makerOf } from "./link-makers.ts";
import * as people from "./repository.ts";
import type {
  AcceptInvitation,
  InvitationById,
  InvitationByToken,
  InvitationView,
  Invite,
  InvitedView,
  OpenInvitationView,
} from "./schema.ts";
import { isAddressInvitedEverywhere, transferAccount } from "./transfer-account.ts";

const VALID_MS = 7 * DAY_MS;

export interface PeopleWorld {
  readonly db: Database;
  readonly url: string;
  readonly secrets: Pick<Secrets, "credentialKey">;
  readonly accounts: Accounts;
  readonly mailer: Mailer;
}

/** Invites an address, or invites it again; its earlier invitation becomes invalid. */
export async function invite(world: PeopleWorld, actor: Administrator, input: Invite): Promise<InvitedView> {
  if (input.role === "owner") requireMay(actor, "owner:manage");
  const token = randomToken();
  const id = uuidv7();
  const workspace = await world.db.prisma.$transaction(async (tx) => {
    await requireOutside(tx, actor.workspaceId, input.email);
    const now = new Date();
    await invitations.withdrawByEmail(tx, actor.workspaceId, input.email, now);
    await invitations.insert(tx, actor.workspaceId, {
      id,
      tokenSha256: sha256(token),
      email: input.email,
      role: input.role,
      invitedBy: actor.name,
      maker: makerOf(actor),
      expiresAt: new Date(now.getTime() + VALID_MS),
      accessDays: input.accessDays ?? null,
    });
    const { email, role, accessDays = null } = input;
    await recordAudit(tx, actor, {
      kind: "invitation_created",
      version: 2,
      by: actor.name,
      invitation: id,
      email,
      role,
      accessDays,
    });
    return people.findWorkspaceById(tx, actor.workspaceId);
  });
  const link = `${world.url}/invite?token=${token}`;
  const text = `${actor.name} invites you to ${workspace?.name ?? "Quarterdeck"} as ${input.role}.\n\nThis link lets you in, once, within a week:\n\n${link}`;
  const letter = { to: input.email, subject: "Your invitation to Quarterdeck", text };
  try {
    if (!(await world.mailer.send(letter))) return { link, isMailed: false, mailProblem: null };
  } catch (error) {
    // The invitation is valid; its link can still be handed over.
    return { link, isMailed: false, mailProblem: error instanceof Error ? error.message : "The e-mail was not sent." };
  }
  // The link was only mailed and not shown to its creator, so opening it proves that the person received the mail.
  await invitations.markLinkMailedOnly(world.db.prisma, actor.workspaceId, id);
  return { link: null, isMailed: true, mailProblem: null };
}

/** A page of open invitations, the newest first. */
export async function listInvitations(db: Database, workspaceId: string, page?: PageById): Promise<InvitationView[]> {
  const rows = await invitations.listOpen(db.prisma, workspaceId, new Date(), page?.cursor ?? null);
  return rows.map(({ id, email, role, invitedBy, createdAt, expiresAt, accessDays }) => ({
    id,
    email,
    role: roleSchema.parse(role),
    invitedBy,
    createdAt,
    expiresAt,
    accessDays,
  }));
}

export async function withdrawInvitation(db: Database, actor: Administrator, input: InvitationById): Promise<void> {
  await db.prisma.$transaction(async (tx) => {
    const withdrawn = await invitations.withdraw(tx, actor.workspaceId, input.invitationId, new Date());
    if (!withdrawn) throw new AppError("invitation_spent");
    await recordAudit(tx, actor, {
      kind: "invitation_withdrawn",
      version: 1,
      by: actor.name,
      invitation: withdrawn.id,
      email: withdrawn.email,
    });
  });
}

/** The invitation that a link leads to, and how to join by it. Errors: `invitation_spent`. */
export async function openInvitation(
  db: Database,
  actor: Actor | null,
  { token }: InvitationByToken,
): Promise<OpenInvitationView> {
  const found = await openByToken(db.prisma, token, new Date());
  const { email, role, workspace, accessDays } = found;
  return {
    workspace: workspace.name,
    email,
    role: roleSchema.parse(role),
    accessDays,
    joinBy: await howToJoin(db.prisma, actor, found),
  };
}

/**
 * Joins the workspace: as a new person with a new account, or as the signed-in person with that address. The address is
 * proven if the link was mailed and not shown (docs/adr/0029-proof-of-an-address.md).
 *
 * Errors: `invitation_spent`; `not_signed_in` when the address belongs to an account that is not signed in.
 */
export async function acceptInvitation(
  world: PeopleWorld,
  actor: PersonActor | null,
  { token, account }: AcceptInvitation,
): Promise<void> {
  await world.db.prisma.$transaction(
    async (tx) => {
      const now = new Date();
      const found = await openByToken(tx, token, now);
      await people.lockAddress(tx, found.email);
      if (!(await invitations.accept(tx, found.workspaceId, found.id, now))) throw new AppError("invitation_spent");
      const { workspaceId, id, email, role } = found;
      const personId = await whoJoins(world, tx, { actor, invitation: found, account });
      if (await people.findMembership(tx, workspaceId, personId)) throw new AppError("invitation_spent");
      const membership = { invitedById: inviterOf(found), endsAt: accessEnd(found, now) };
      await people.insertMembership(tx, workspaceId, personId, role, membership);
      const by = account?.name ?? actor?.name ?? email;
      await recordAudit(
        tx,
        { kind: "person", id: personId, name: by, workspaceId, ...(actor?.from && { from: actor.from }) },
        {
          kind: "invitation_accepted",
          version: 1,
          by,
          invitation: id,
          person: personId,
          email,
          role,
        },
      );
    },
    { timeout: 15_000 }, // a password is hashed on the way
  );
}

/**
 * Returns the open invitation of this token if its creator may still invite with this role. Errors: `invitation_spent`.
 */
async function openByToken(tx: Tx, token: string, now: Date) {
  const found = await invitations.findOpen(tx, sha256(token), now);
  if (!found || !(await isInvitationValid(tx, found))) throw new AppError("invitation_spent");
  return found;
}

type OpenInvitation = Awaited<ReturnType<typeof openByToken>>;
type Joining = Pick<OpenInvitation, "workspaceId" | "email" | "makerKind" | "makerId" | "isMailedOnly">;

async function howToJoin(tx: Tx, actor: Actor | null, invitation: Joining): Promise<OpenInvitationView["joinBy"]> {
  const known = await people.findPersonByEmail(tx, invitation.email);
  if (!known) return "account";
  const isTrusted = known.emailVerified || (await isKnownToMaker(tx, invitation, known.id));
  if (actor?.kind === "person" && actor.id === known.id && isTrusted) return "session";
  // The maker of a link that they saw must not learn about people whom they cannot see.
  if (!invitation.isMailedOnly && !(await isKnownToMaker(tx, invitation, known.id))) return "account";
  if (isTrusted || !invitation.isMailedOnly || !(await isAddressInvitedEverywhere(tx, known))) return "sign_in";
  return "new_password";
}

async function whoJoins(
  { accounts }: PeopleWorld,
  tx: Tx,
  joining: { actor: PersonActor | null; invitation: Joining; account: AcceptInvitation["account"] },
): Promise<string> {
  const { actor, invitation, account } = joining;
  const { email, isMailedOnly } = invitation;
  const known = await people.findPersonByEmail(tx, email);
  if (!known) {
    if (!account) throw new AppError("invalid_input", undefined, { says: "Enter your name and choose a password." });
    const id = uuidv7();
    await people.insertPerson(tx, { id, name: account.name, email, emailVerified: isMailedOnly });
    await accounts.givePassword(tx, id, account.password);
    return id;
  }
  const isTrusted = known.emailVerified || (await isKnownToMaker(tx, invitation, known.id));
  if (known.id === actor?.id && isTrusted) return known.id;
  if (!isTrusted && account && isMailedOnly && (await isAddressInvitedEverywhere(tx, known))) {
    await transferAccount(tx, known.id, "invitation by mail");
    await people.updatePerson(tx, known.id, { name: account.name });
    await accounts.givePassword(tx, known.id, account.password);
    return known.id;
  }
  const says = isTrusted
    ? `Sign in as ${email} first, then open the link again.`
    : `The address ${email} is not verified. Sign in through your company's provider, or set a new password by mail on the sign-in page. Then open the link again.`;
  throw new AppError("not_signed_in", undefined, { says });
}

/** True when the invitation's maker is in a workspace with the person, and so knows whose account it is. */
async function isKnownToMaker(tx: Tx, { makerKind, makerId }: Joining, personId: string): Promise<boolean> {
  if (makerKind === "script") return true;
  if (makerKind !== "person" || makerId === null) return false;
  const own = new Set((await people.listMemberships(tx, makerId)).map(({ workspaceId }) => workspaceId));
  return (await people.listMemberships(tx, personId)).some(({ workspaceId }) => own.has(workspaceId));
}

async function requireOutside(tx: Tx, workspaceId: string, email: string): Promise<void> {
  const person = await people.findPersonByEmail(tx, email);
  if (person && (await people.findMembership(tx, workspaceId, person.id)))
    throw new AppError("name_taken", undefined, { says: `${email} is already in this workspace.` });
}
