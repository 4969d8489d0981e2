/** Letting people in: a link that works once, for a week, for one address and one role. */
import type { Administrator, PersonActor } from "../access/actor.ts";
import { requireMay } from "../access/permissions.ts";
import { role as roleSchema } from "../access/schema.ts";
import { recordAudit } from "../audit/record.ts";
import { AppError } from "../errors/app-error.ts";
import type { Database, Tx } from "../platform/db.ts";
import { randomToken, uuidv7 } from "../platform/ids.ts";
import { type Secrets, sha256 } from "../platform/secrets.ts";
import type { Accounts } from "./accounts/accounts.ts";
import { sendMail } from "./installation/mail.ts";
import * as invitations from "./invitation-repository.ts";
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

const VALID_MS = 7 * 24 * 3_600_000;

export interface PeopleWorld {
  readonly db: Database;
  readonly url: string;
  readonly secrets: Pick<Secrets, "credentialKey">;
  readonly accounts: Accounts;
}

/** Invites an address, or anew; an earlier invitation of it opens nothing any more. */
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
      expiresAt: new Date(now.getTime() + VALID_MS),
    });
    const { email, role } = input;
    await recordAudit(tx, actor, {
      kind: "invitation_created",
      version: 1,
      by: actor.name,
      invitation: id,
      email,
      role,
    });
    return people.findWorkspaceById(tx, actor.workspaceId);
  });
  const link = `${world.url}/invite?token=${token}`;
  const text = `${actor.name} invites you to ${workspace?.name ?? "Quarterdeck"} as ${input.role}.\n\nThis link lets you in, once, within a week:\n\n${link}`;
  try {
    const letter = { to: input.email, subject: "Your invitation to Quarterdeck", text };
    return { link, isMailed: await sendMail(world.db, world.secrets.credentialKey, letter), mailProblem: null };
  } catch (error) {
    // The invitation stands; its link can still be handed over.
    return { link, isMailed: false, mailProblem: error instanceof Error ? error.message : "The mail did not leave." };
  }
}

export async function listInvitations(db: Database, workspaceId: string): Promise<InvitationView[]> {
  const rows = await invitations.listOpen(db.prisma, workspaceId, new Date());
  return rows.map(({ id, email, role, invitedBy, createdAt, expiresAt }) => ({
    id,
    email,
    role: roleSchema.parse(role),
    invitedBy,
    createdAt,
    expiresAt,
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

/** What a link leads to. Errors: `invitation_spent`. */
export async function openInvitation(db: Database, { token }: InvitationByToken): Promise<OpenInvitationView> {
  const found = await invitations.findOpen(db.prisma, sha256(token), new Date());
  if (!found) throw new AppError("invitation_spent");
  const known = await people.findPersonByEmail(db.prisma, found.email);
  return {
    workspace: found.workspace.name,
    email: found.email,
    role: roleSchema.parse(found.role),
    isKnown: known !== null,
  };
}

/**
 * Joins the workspace: as somebody new, with an account of their own, or as whoever is signed in and has that address.
 * The address is as good as the invitation: only its holder, or whom the admin handed the link, opens it.
 *
 * Errors: `invitation_spent`; `not_signed_in` when the address is somebody's who is not signed in.
 */
export async function acceptInvitation(
  world: PeopleWorld,
  actor: PersonActor | null,
  { token, account }: AcceptInvitation,
): Promise<void> {
  await world.db.prisma.$transaction(
    async (tx) => {
      const now = new Date();
      const found = await invitations.findOpen(tx, sha256(token), now);
      if (!found || !(await invitations.accept(tx, found.workspaceId, found.id, now)))
        throw new AppError("invitation_spent");
      const { workspaceId, id, email, role } = found;
      const personId = await whoJoins(world, tx, actor, email, account);
      if (await people.findMembership(tx, workspaceId, personId)) throw new AppError("invitation_spent");
      await people.insertMembership(tx, workspaceId, personId, role);
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

async function whoJoins(
  { accounts }: PeopleWorld,
  tx: Tx,
  actor: PersonActor | null,
  email: string,
  account: AcceptInvitation["account"],
): Promise<string> {
  const known = await people.findPersonByEmail(tx, email);
  if (known) {
    if (known.id === actor?.id) return known.id;
    throw new AppError("not_signed_in", undefined, { says: `Sign in as ${email} first, then open the link again.` });
  }
  if (!account) throw new AppError("invalid_input", undefined, { says: "Write your name and choose a password." });
  const id = uuidv7();
  await people.insertPerson(tx, { id, name: account.name, email, emailVerified: true });
  await accounts.givePassword(tx, id, account.password);
  return id;
}

async function requireOutside(tx: Tx, workspaceId: string, email: string): Promise<void> {
  const person = await people.findPersonByEmail(tx, email);
  if (person && (await people.findMembership(tx, workspaceId, person.id)))
    throw new AppError("name_taken", undefined, { says: `${email} is in this workspace already.` });
}
