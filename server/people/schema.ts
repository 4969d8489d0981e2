import { z } from "zod";

export const signIn = z.strictObject({ token: z.string().min(16).max(200) });
export type SignIn = z.infer<typeof signIn>;

export const whoamiView = z.strictObject({
  kind: z.enum(["person", "script"]),
  name: z.string(),
  workspace: z.string(),
  /** Whether anything in the workspace is demo data. */
  hasDemo: z.boolean(),
});
export type WhoamiView = z.infer<typeof whoamiView>;

/** The browser's session cookie. */
export const SESSION_COOKIE = "quarterdeck_session";
