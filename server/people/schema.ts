import { z } from "zod";
import { role } from "../access/role-schema.ts";

export const signIn = z.strictObject({ token: z.string().min(16).max(200) });
export type SignIn = z.infer<typeof signIn>;
/** The link was taken. */
export const signedInView = z.strictObject({
  /** A code of the second factor is missing. */
  asksSecondFactor: z.boolean(),
  /** Set for an account without another way to sign in: it must set a password, with the known address. */
  firstPassword: z.strictObject({ email: z.string().nullable() }).nullable(),
});

export const whoamiView = z.strictObject({
  kind: z.enum(["person", "script", "service"]),
  name: z.string(),
  workspace: z.string(),
  /** True if anything in the workspace is demo data. */
  hasDemo: z.boolean(),
});
export type WhoamiView = z.infer<typeof whoamiView>;

export const permissionView = z.strictObject({
  name: z.string(),
  isGranted: z.boolean(),
  /** The roles that hold it. */
  roles: z.array(role),
  /** The reason for a refusal that no role changes. */
  reason: z.string().nullable(),
});

export const meView = z.strictObject({
  kind: z.enum(["person", "script", "service"]),
  id: z.string(),
  name: z.string(),
  /** Absent until the person names one. */
  email: z.string().nullable(),
  role,
  workspaceId: z.uuid(),
  workspaces: z.array(z.strictObject({ id: z.uuid(), name: z.string(), role })),
  permissions: z.array(permissionView),
});
export type MeView = z.infer<typeof meView>;

/** The browser's session cookie; over https its name carries the prefix of `HOST_PREFIX`. */
export const SESSION_COOKIE = "quarterdeck_session";
/** A browser restricts such a cookie to the host that set it, over TLS only. */
export const HOST_PREFIX = "__Host-";

export const memberView = z.strictObject({
  personId: z.uuid(),
  name: z.string(),
  email: z.string().nullable(),
  /** True if mail or the sign-on provider has proven it; see docs/adr/0029-proof-of-an-address.md. */
  isAddressProven: z.boolean(),
  role,
  hasSecondFactor: z.boolean(),
  joinedAt: z.date(),
  /** When the access ends by itself; null without an end. */
  endsAt: z.date().nullable(),
  /** When one of their browsers was last here; null when none is signed in. */
  lastSeenAt: z.date().nullable(),
  isYou: z.boolean(),
});
export type MemberView = z.infer<typeof memberView>;

export const personById = z.strictObject({ personId: z.uuid() });
export type PersonById = z.infer<typeof personById>;

const accessDays = z.number().int().min(1).max(365, "Access lasts at most 365 days more.");

/** Days that are added to the access of a member, after its present end; null for no end. */
export const extendAccess = z.strictObject({ personId: z.uuid(), days: accessDays.nullable() });
export type ExtendAccess = z.infer<typeof extendAccess>;

export const setRole = z.strictObject({ personId: z.uuid(), role });
export type SetRole = z.infer<typeof setRole>;

export const workspaceName = z
  .string()
  .trim()
  .min(1, "Enter a name.")
  .max(64, "A name has at most 64 characters.")
  .regex(/^[\p{L}\p{N}][\p{L}\p{N} ._'&-]*$/u, "Use letters, digits, spaces, dots, dashes and underscores.");

export const createWorkspace = z.strictObject({ name: workspaceName });
export type CreateWorkspace = z.infer<typeof createWorkspace>;

export const workspaceById = z.strictObject({ workspaceId: z.uuid() });
export type WorkspaceById = z.infer<typeof workspaceById>;

const email = z
  .string()
  .trim()
  .toLowerCase()
  .max(254, "An e-mail address has at most 254 characters.")
  .pipe(z.email("Enter an e-mail address such as ada@example.org."));
const password = z
  .string()
  .min(12, "A password has at least 12 characters.")
  .max(128, "A password has at most 128 characters.");
const personName = z
  .string()
  .trim()
  .min(1, "Enter your name.")
  .max(64, "A name has at most 64 characters.")
  .regex(/^[\p{L}\p{N}][\p{L}\p{N} .,'_-]*$/u, "Use letters, digits, spaces, dots, dashes and apostrophes.");
const INCOMPLETE_LINK = "This link is incomplete. Open it as it was sent, or copy the whole link.";
const linkToken = z.string().min(16, INCOMPLETE_LINK).max(200, INCOMPLETE_LINK);

/** The first password of a person who signed in by a link, with the address to sign in with. */
export const setPassword = z.strictObject({ email, password });
export type SetPassword = z.infer<typeof setPassword>;

export const rename = z.strictObject({ name: personName });
export type Rename = z.infer<typeof rename>;

export const securityView = z.strictObject({
  name: z.string(),
  email: z.string().nullable(),
  hasPassword: z.boolean(),
  hasSecondFactor: z.boolean(),
  hasSignOn: z.boolean(),
  sessions: z.array(
    z.strictObject({
      id: z.uuid(),
      createdAt: z.date(),
      lastSeenAt: z.date(),
      ip: z.string().nullable(),
      userAgent: z.string().nullable(),
      isThis: z.boolean(),
    }),
  ),
});
export type SecurityView = z.infer<typeof securityView>;

export const sessionById = z.strictObject({ sessionId: z.uuid() });
export type SessionById = z.infer<typeof sessionById>;

/** The ways in that the sign-in page offers. */
export const waysInView = z.strictObject({
  /** The text of the sign-on button; null without a provider. */
  signOn: z.string().nullable(),
  /** True if at least one account has a password: until then, people sign in by a link. */
  hasPasswords: z.boolean(),
});
export type WaysInView = z.infer<typeof waysInView>;

export const invite = z
  .strictObject({
    email,
    role,
    /** Days of access from the day the person joins; without an end when absent. */
    accessDays: accessDays.optional(),
  })
  .refine((asked) => asked.role !== "owner" || asked.accessDays === undefined, {
    path: ["accessDays"],
    error: "An owner's access has no end.",
  });
export type Invite = z.infer<typeof invite>;

export const invitedView = z.strictObject({
  /**
   * Shown once: anyone who opens it joins. Null when it was mailed: then it proves the address, because only the
   * recipient has it.
   */
  link: z.string().nullable(),
  isMailed: z.boolean(),
  /** The reason why the mail did not leave, when one was tried. */
  mailProblem: z.string().nullable(),
});
export type InvitedView = z.infer<typeof invitedView>;

export const invitationView = z.strictObject({
  id: z.uuid(),
  email: z.string(),
  role,
  invitedBy: z.string(),
  createdAt: z.date(),
  expiresAt: z.date(),
  /** Days of access from the day the person joins; null without an end. */
  accessDays: z.number().nullable(),
});
export type InvitationView = z.infer<typeof invitationView>;
export const invitationById = z.strictObject({ invitationId: z.uuid() });
export type InvitationById = z.infer<typeof invitationById>;

export const invitationByToken = z.strictObject({ token: linkToken });
export type InvitationByToken = z.infer<typeof invitationByToken>;
export const openInvitationView = z.strictObject({
  workspace: z.string(),
  email: z.string(),
  role,
  /** Days of access from the day the person joins; null without an end. */
  accessDays: z.number().nullable(),
  /**
   * The way to join. `account`: with a name and a password, or by signing in if the address already has an account,
   * which is not revealed. `session`: as the signed-in person. `sign_in`: by signing in with the address.
   * `new_password`: the account's address was never proven; a password set here gives the account to the holder of this
   * link.
   */
  joinBy: z.enum(["account", "session", "sign_in", "new_password"]),
});
export type OpenInvitationView = z.infer<typeof openInvitationView>;

/** With `account` for a new person; without it for a signed-in person. */
export const acceptInvitation = z.strictObject({
  token: linkToken,
  account: z.strictObject({ name: personName, password }).optional(),
});
export type AcceptInvitation = z.infer<typeof acceptInvitation>;

export const resetLinkView = z.strictObject({ link: z.string() });

/** Https, or this machine. */
const issuer = z
  .url({ protocol: /^https?$/, error: "Enter the provider's address, such as https://login.example.org." })
  .max(500)
  .refine((url) => {
    const { protocol, hostname } = new URL(url);
    return protocol === "https:" || ["127.0.0.1", "localhost", "[::1]"].includes(hostname);
  }, "The provider's address must use https.");

export const storedSignOn = z.strictObject({
  label: z.string().trim().min(1, "Enter the button's label.").max(40),
  issuer,
  clientId: z.string().trim().min(1, "Enter the client id.").max(200),
});
export const saveSignOn = storedSignOn.extend({
  /** Absent: keeps the stored secret. */
  clientSecret: z.string().min(1).max(500).optional(),
});
export type SaveSignOn = z.infer<typeof saveSignOn>;
export const signOnView = z.strictObject({
  /** The callback URL that the provider must allow. */
  callbackUrl: z.string(),
  provider: storedSignOn.extend({ hasSecret: z.boolean() }).nullable(),
});
export type SignOnView = z.infer<typeof signOnView>;

export const storedMail = z.strictObject({
  host: z
    .string()
    .trim()
    .regex(/^[A-Za-z0-9.:-]{1,253}$/, "Enter the server's name, such as smtp.example.org."),
  port: z.int().min(1).max(65_535),
  security: z.enum(["tls", "starttls", "none"]),
  user: z.string().trim().max(200),
  from: email,
});
export const saveMail = storedMail.extend({ password: z.string().min(1).max(500).optional() });
export type SaveMail = z.infer<typeof saveMail>;
export const mailView = storedMail.extend({ hasPassword: z.boolean() }).nullable();
export type MailView = z.infer<typeof mailView>;

export const serviceView = z.strictObject({
  id: z.uuid(),
  name: z.string(),
  role,
  createdAt: z.date(),
  tokens: z.array(
    z.strictObject({
      id: z.uuid(),
      hint: z.string(),
      createdAt: z.date(),
      expiresAt: z.date(),
      revokedAt: z.date().nullable(),
      lastUsedAt: z.date().nullable(),
    }),
  ),
});
export type ServiceView = z.infer<typeof serviceView>;

const serviceRole = z.enum(["viewer", "approver", "author", "admin", "auditor"]);
/** Nobody answers for an ownership that no person has. */
export const SERVICE_ROLES = serviceRole.options;
export const createService = z.strictObject({
  name: z
    .string()
    .trim()
    .min(1, "Enter a name.")
    .max(64, "A name has at most 64 characters.")
    .regex(/^[\p{L}\p{N}][\p{L}\p{N} ._-]*$/u, "Use letters, digits, spaces, dots, dashes and underscores."),
  role: serviceRole,
});
export type CreateService = z.infer<typeof createService>;
export const serviceById = z.strictObject({ serviceId: z.uuid() });
export type ServiceById = z.infer<typeof serviceById>;
export const createToken = z.strictObject({ serviceId: z.uuid(), days: z.int().min(1).max(730) });
export type CreateToken = z.infer<typeof createToken>;
export const tokenById = z.strictObject({ serviceId: z.uuid(), tokenId: z.uuid() });
export type TokenById = z.infer<typeof tokenById>;
/** Shown this once. */
export const createdTokenView = z.strictObject({ tokenId: z.uuid(), token: z.string() });
export type CreatedTokenView = z.infer<typeof createdTokenView>;
