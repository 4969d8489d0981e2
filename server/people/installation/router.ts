import { z } from "zod";
import { can, canWithApp, router } from "../../trpc/init.ts";
import { mailView, saveMail, saveSignOn, signOnView } from "../schema.ts";
import * as mail from "./mail.ts";
import * as signOn from "./sign-on.ts";

const manage = canWithApp("installation:manage");

/** Sign-on and mail, of the whole installation. */
export const installationRouter = router({
  signOn: canWithApp("installation:read")
    .output(signOnView)
    .query(({ ctx }) => signOn.signOn(ctx.db, ctx.actor, ctx.app.url)),
  saveSignOn: manage
    .input(saveSignOn)
    .mutation(({ ctx, input }) => signOn.saveSignOn(ctx.db, ctx.app, ctx.actor, input)),
  removeSignOn: manage.mutation(({ ctx }) => signOn.removeSignOn(ctx.db, ctx.actor)),
  mail: can("installation:manage")
    .output(mailView)
    .query(({ ctx }) => mail.mail(ctx.db, ctx.actor)),
  saveMail: manage.input(saveMail).mutation(({ ctx, input }) => mail.saveMail(ctx.db, ctx.app, ctx.actor, input)),
  testMail: manage
    .output(z.strictObject({ to: z.string() }))
    .mutation(({ ctx }) => mail.testMail(ctx.db, ctx.app.mailer, ctx.actor)),
});
