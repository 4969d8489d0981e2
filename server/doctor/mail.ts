import type { Mailer } from "../people/index.ts";
import { failure, ok } from "./finding.ts";
import type { Finding } from "./schema.ts";

/** Checks that invitations and reset links can go out. */
export async function mail(mailer: Pick<Mailer, "probe">): Promise<Finding> {
  const server = await mailer.probe();
  if (server === null) return ok("mail", "No mail server is set: whoever invites somebody passes the link on.");
  if (server.failure === null) return ok("mail", "The mail server takes mail from us.");
  return failure(
    "mail",
    `The mail server does not take mail from us: ${server.failure}.`,
    "Put it right under Settings, Mail; until then pass links on by hand.",
  );
}
