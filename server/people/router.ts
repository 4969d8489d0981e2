import { z } from "zod";
import { anyone, can, router } from "../trpc/init.ts";
import { SESSION_COOKIE, signIn, whoamiView } from "./schema.ts";
import * as service from "./service.ts";

const cookie = (value: string, maxAgeSeconds: number) =>
  `${SESSION_COOKIE}=${value}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAgeSeconds}`;

export const accessRouter = router({
  whoami: can("console:read")
    .output(whoamiView)
    .query(({ ctx }) => service.whoami(ctx.db, ctx.actor)),
  signIn: anyone.input(signIn).mutation(async ({ ctx, input }) => {
    const { session, maxAgeSeconds } = await service.signIn(ctx.db, input);
    ctx.setHeader("set-cookie", cookie(session, maxAgeSeconds));
  }),
  signOut: can("console:read").mutation(async ({ ctx }) => {
    if (ctx.session !== null) await service.signOut(ctx.db, ctx.session);
    ctx.setHeader("set-cookie", cookie("", 0));
  }),
  createSignInLink: can("console:read")
    .output(z.strictObject({ token: z.string() }))
    .mutation(({ ctx }) => service.createSignInLink(ctx.db, ctx.actor)),
});
