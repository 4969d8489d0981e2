/** The account library, set up for the sign-on provider that is set now. */
import { betterAuth } from "better-auth";
import type { Secrets } from "../../platform/secrets.ts";
import type { Mailer } from "../installation/mail.ts";
import { openSignOn, signOnVersion } from "../installation/sign-on.ts";
import { type AccountWorld, accountOptions } from "./options.ts";

export interface AccountLibraryWorld extends Omit<AccountWorld, "mailReset"> {
  readonly secrets: Pick<Secrets, "sessionSecret" | "credentialKey">;
  readonly mailer: Pick<Mailer, "send">;
}

export type AccountLibrary = Awaited<ReturnType<typeof build>>["auth"];

/** Creates the library again after a change of the provider on any node. */
export function createAccountLibrary(world: AccountLibraryWorld): () => Promise<AccountLibrary> {
  let built: ReturnType<typeof build> | undefined;
  return async () => {
    built ??= build(world);
    const current = await built.catch(() => undefined);
    if (current?.version === (await signOnVersion(world.db))) return current.auth;
    built = build(world);
    return (await built).auth;
  };
}

async function build(world: AccountLibraryWorld) {
  const signOn = await openSignOn(world.db, world.secrets.credentialKey);
  const { log, mailer } = world;
  async function mailReset({ email, name }: { email: string; name: string }, link: string) {
    const text = `Hello ${name},\n\nThis link sets a new password. It works once, for one hour:\n\n${link}\n\nIf you did not request it, ignore this message. Your password has not changed.`;
    // Neither an error nor the response time may reveal whether the address is known.
    void mailer
      .send({ to: email, subject: "Your Quarterdeck password", text })
      .catch((err: unknown) => log.warn({ err }, "a reset link could not be mailed"));
  }
  return { version: signOn?.version ?? 0, auth: betterAuth(accountOptions({ ...world, mailReset }, signOn)) };
}
