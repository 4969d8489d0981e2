/** The person whom a record of telemetry states. Pure. */
import { z } from "zod";
import type { StatedPerson } from "../principals/index.ts";
import { type Attributes, textIn } from "./attributes.ts";

const address = z.string().trim().toLowerCase().max(254).pipe(z.email());
const account = z.string().regex(/^[\w.:@|-]{1,100}$/);

/** The address, and the client's own id of the account; null where the record states neither in a usable form. */
export function personIn(attributes: Attributes, client: string): StatedPerson | null {
  const email = address.safeParse(textIn(attributes, "user.email")).data ?? null;
  const id = account.safeParse(textIn(attributes, "user.account_uuid", "user.account_id")).data;
  if (email === null && id === undefined) return null;
  return { email, clientAccount: id === undefined ? null : `${client}:${id}` };
}
