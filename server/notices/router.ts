import { z } from "zod";
import { can, canWithApp, router } from "../trpc/init.ts";
import { alertRoutes, alertRoutesView } from "./routes-schema.ts";
import {
  archiveNotices,
  choicesView,
  listNotices,
  markRead,
  noticeChoices,
  noticeList,
  noticeView,
  snoozeNotices,
  testedNotice,
} from "./schema.ts";
import * as service from "./service.ts";

const own = can("account:own");
const ownWithApp = canWithApp("account:own");

export const noticesRouter = router({
  list: own
    .input(listNotices.optional())
    .output(noticeList)
    .query(({ ctx, input }) => service.list(ctx.db, ctx.actor, input?.box)),
  archive: ownWithApp.input(archiveNotices).mutation(({ ctx, input }) => service.archive(ctx.app, ctx.actor, input)),
  snooze: ownWithApp.input(snoozeNotices).mutation(({ ctx, input }) => service.snooze(ctx.app, ctx.actor, input)),
  forBrowser: own.output(z.array(noticeView)).query(({ ctx }) => service.forBrowser(ctx.db, ctx.actor)),
  markRead: ownWithApp.input(markRead).mutation(({ ctx, input }) => service.markRead(ctx.app, ctx.actor, input)),
  choices: own.output(choicesView).query(({ ctx }) => service.choices(ctx.db, ctx.actor)),
  saveChoices: own.input(noticeChoices).mutation(({ ctx, input }) => service.saveChoices(ctx.db, ctx.actor, input)),
  sendTest: ownWithApp.output(testedNotice).mutation(({ ctx }) => service.sendTest(ctx.app, ctx.actor)),
  routes: can("console:read")
    .output(alertRoutesView)
    .query(({ ctx }) => service.routes(ctx.db, ctx.workspaceId)),
  setRoutes: canWithApp("alert:write")
    .input(alertRoutes)
    .mutation(({ ctx, input }) => service.setRoutes(ctx.app, ctx.actor, input)),
});
