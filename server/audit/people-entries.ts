/** The entries about people, their accounts and the workspace. */
import { z } from "zod";
import { entry, number, ownEntry, text } from "./entry-shape.ts";

export const PEOPLE_ENTRIES = [
  entry("workspace_created", { name: text }),
  entry("sign_in_link_created", {}),
  entry("signed_in", {}),
  entry("role_changed", { person: text, name: text, from: text, to: text }),
  entry("person_removed", { person: text, name: text, role: text }),
  /** Instants; null without an end. */
  entry("access_extended", { person: text, name: text, role: text, from: text, to: text.nullable() }),
  ownEntry("access_ended", { person: text, name: text, role: text }),
  /** A sign-in, or a change of a person's authentication. */
  entry("account_used", {
    person: text,
    act: z.enum([
      "signed_in",
      "signed_out_elsewhere",
      "password_set",
      "password_changed",
      "password_reset",
      "reset_link_created",
      "second_factor_on",
      "second_factor_off",
      "recovery_codes_renewed",
      "renamed",
      "address_proven",
      "confirmed",
      "confirmation_failed",
    ]),
    how: text,
  }),
  z.discriminatedUnion("version", [
    entry("invitation_created", { invitation: text, email: text, role: text }),
    /** Null without an end. */
    entry("invitation_created", { invitation: text, email: text, role: text, accessDays: number.nullable() }, 2),
  ]),
  entry("invitation_withdrawn", { invitation: text, email: text }),
  entry("invitation_accepted", { invitation: text, person: text, email: text, role: text }),
  entry("service_created", { service: text, name: text, role: text }),
  entry("service_removed", { service: text, name: text }),
  entry("service_token_created", { service: text, token: text, expiresAt: text }),
  entry("service_token_revoked", { service: text, token: text }),
  /** The provider's secret is named, never shown. */
  entry("sign_on_saved", { issuer: text, clientId: text, secret: z.enum(["kept", "set"]) }),
  entry("sign_on_removed", {}),
  entry("mail_saved", { host: text, from: text, password: z.enum(["kept", "set", "none"]) }),
] as const;
