import type { Mailer } from "../people/index.ts";
import { failure, ok } from "./finding.ts";
import type { Finding } from "./schema.ts";

/** Checks that invitations and reset links can go out. */
export async function mail(mailer: Pick<Mailer, "probe">): Promise<Finding> {
  const server = await mailer.probe();
  if (server === null) return ok("mail", "No mail server is set. Share invitation links manually.");
  if (server.failure === null) return ok("mail", "The mail server accepts messages.");
  return failure(
    "mail",
    `The mail server does not accept messages: ${server.failure}.`,
    "Correct it in Settings, Mail and sign-on. Until then, share links manually.",
  );
}
