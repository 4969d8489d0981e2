import { z } from "zod";
import { role } from "../access/schema.ts";

export const signIn = z.strictObject({ token: z.string().min(16).max(200) });
export type SignIn = z.infer<typeof signIn>;

export const whoamiView = z.strictObject({
  kind: z.enum(["person", "script", "service"]),
  name: z.string(),
  workspace: z.string(),
  /** Whether anything in the workspace is demo data. */
  hasDemo: z.boolean(),
});
export type WhoamiView = z.infer<typeof whoamiView>;

export const permissionView = z.strictObject({
  name: z.string(),
  isGranted: z.boolean(),
  /** Who holds it. */
  roles: z.array(role),
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
/** A browser keeps such a cookie to the very host that set it, over TLS alone. */
export const HOST_PREFIX = "__Host-";

export const memberView = z.strictObject({
  personId: z.uuid(),
  name: z.string(),
  email: z.string().nullable(),
  role,
  hasSecondFactor: z.boolean(),
  joinedAt: z.date(),
  /** When one of their browsers was last here; null when none is signed in. */
  lastSeenAt: z.date().nullable(),
  isYou: z.boolean(),
});
export type MemberView = z.infer<typeof memberView>;

export const personById = z.strictObject({ personId: z.uuid() });
export type PersonById = z.infer<typeof personById>;

export const setRole = z.strictObject({ personId: z.uuid(), role });
export type SetRole = z.infer<typeof setRole>;

export const workspaceName = z
  .string()
  .trim()
  .min(1, "Give the workspace a name.")
  .max(64, "A name has at most 64 characters.")
  .regex(/^[\p{L}\p{N}][\p{L}\p{N} ._'&-]*$/u, "Use letters, digits, blanks, dots, dashes and underscores.");

export const createWorkspace = z.strictObject({ name: workspaceName });
export type CreateWorkspace = z.infer<typeof createWorkspace>;

export const workspaceById = z.strictObject({ workspaceId: z.uuid() });
export type WorkspaceById = z.infer<typeof workspaceById>;
