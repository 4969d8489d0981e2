import { z } from "zod";
import { may } from "../../access/permissions.ts";
import { can, canWithApp, coalescedQuery, router, sharedQuery } from "../../trpc/init.ts";
import * as erasures from "../erasure/erase-person.ts";
import * as erasureRequests from "../erasure/erasure-requests.ts";
import * as exports from "../export/export.ts";
import {
  addHold,
  auditFacets,
  auditPage,
  auditRange,
  checkpointResult,
  entryBySeq,
  entryDetail,
  erasedPerson,
  erasePerson,
  erasureById,
  erasureView,
  exportPage,
  exportPageInput,
  exportStart,
  holdById,
  listAudit,
  rawState,
  recordState,
  requestErasure,
  retentionCount,
  retentionDays,
  setCheckpoints,
  setRawCapture,
} from "../schema.ts";
import type { RecordKeeping } from "../service.ts";
import * as service from "../service.ts";
import * as settings from "../settings.ts";
import * as statements from "../verification/statements.ts";
import {
  startedVerification,
  startStatement,
  startVerification,
  statementArchive,
  statementById,
  statementView,
  verificationList,
} from "../verification/verification-schema.ts";
import * as verifications from "../verification/verifications.ts";
import * as page from "./page.ts";

declare module "../../trpc/context.ts" {
  interface App {
    /** Checkpoints and retention. */
    readonly record: RecordKeeping;
  }
}

const read = can("audit:read");
const manage = canWithApp("record:manage");
/** For lists, and for an export, whose file proves that it is complete. */
const list = coalescedQuery("audit:read");

export const auditRouter = router({
  list: list
    .input(listAudit)
    .output(auditPage)
    .query(({ ctx, input }) => page.list(ctx.db, ctx.workspaceId, input)),
  facets: list
    .input(z.strictObject({ range: auditRange }))
    .output(auditFacets)
    .query(({ ctx, input }) => page.facets(ctx.db, ctx.workspaceId, input.range)),
  get: list
    .input(entryBySeq)
    .output(entryDetail)
    .query(({ ctx, input }) => page.get(ctx.db, ctx.workspaceId, input.seq)),
  state: read.output(recordState).query(({ ctx }) => service.state(ctx.db, ctx.workspaceId, ctx.app?.record ?? null)),
  startExport: list
    .input(exportStart)
    .output(exportPage)
    .query(({ ctx, input }) => exports.startExport(ctx.db, ctx.workspaceId, input)),
  exportPage: list
    .input(exportPageInput)
    .output(exportPage)
    .query(async ({ ctx, input, signal }) => {
      await ctx.app?.pressure.exportTurn(signal);
      return exports.exportPage(ctx.db, ctx.workspaceId, input);
    }),
  /** The public keys whose signatures count, in PEM. */
  keys: canWithApp("audit:read")
    .output(z.array(z.strictObject({ id: z.string(), publicKey: z.string() })))
    .query(async ({ ctx }) =>
      (await service.trustedKeys(ctx.db, ctx.workspaceId, ctx.app.secrets)).map(({ id, key }) => ({
        id,
        publicKey: key.export({ type: "spki", format: "pem" }).toString(),
      })),
    ),
  /** Starts a verification of the stored record, or returns the running one. */
  startVerification: canWithApp("audit:read")
    .input(startVerification)
    .output(startedVerification)
    .mutation(({ ctx, input }) => verifications.startVerification(ctx.db, ctx.app.bus, ctx.actor, input)),
  /** Verifies the record of a period, for a statement about it. */
  startStatement: canWithApp("audit:read")
    .input(startStatement)
    .output(statementById)
    .mutation(async ({ ctx, input }) => {
      // The newest entries are signed first if the person may sign, so that a checkpoint covers the whole period.
      if (may(ctx.actor, "record:manage")) await ctx.app.record.checkpointer.tick(true);
      return statements.startStatement(ctx.db, ctx.app.bus, ctx.actor, input);
    }),
  statements: read
    .output(z.array(statementView))
    .query(({ ctx }) => statements.listStatements(ctx.db, ctx.workspaceId)),
  statementFile: canWithApp("audit:read")
    .input(statementById)
    .output(statementArchive)
    .query(({ ctx, input }) => statements.createStatementFile(ctx.db, ctx.workspaceId, input.id, ctx.app.secrets)),
  verifications: read
    .output(verificationList)
    .query(({ ctx }) => verifications.listVerifications(ctx.db, ctx.workspaceId)),
  /** The newest verification, each time that it has moved on. */
  verify: read.subscription(({ ctx, signal }) =>
    verifications.watchVerification(ctx.db, ctx.workspaceId, signal ?? new AbortController().signal),
  ),
  /** Signs what no checkpoint vouches for yet. */
  checkpointNow: manage
    .output(checkpointResult)
    .mutation(({ ctx }) => service.signNow(ctx.db, ctx.workspaceId, ctx.app.record)),
  setCheckpoints: manage
    .input(setCheckpoints)
    .mutation(({ ctx, input }) => settings.setCheckpoints(ctx.db, ctx.app.record.addresses, ctx.actor, input)),
  setRetention: manage
    .input(retentionDays)
    .mutation(({ ctx, input }) => settings.setRetention(ctx.db, ctx.actor, input)),
  countRetention: can("record:manage")
    .input(retentionDays)
    .output(z.array(retentionCount))
    .query(({ ctx, input }) => service.countRetention(ctx.db, ctx.workspaceId, input)),
  requestErasure: manage
    .input(requestErasure)
    .output(erasureById)
    .mutation(({ ctx, input }) => erasureRequests.requestErasure(ctx.db, ctx.app.bus, ctx.actor, input)),
  /** Removes the names of a former member, or of a person who was only invited, from the record. */
  erasePerson: manage
    .input(erasePerson)
    .output(erasedPerson)
    .mutation(({ ctx, input }) => erasures.erasePerson(ctx.db, ctx.app.bus, ctx.actor, input)),
  erasures: can("record:manage")
    .output(z.array(erasureView))
    .query(({ ctx }) => erasureRequests.listErasures(ctx.db, ctx.workspaceId)),
  withdrawErasure: manage
    .input(erasureById)
    .mutation(({ ctx, input }) => erasureRequests.withdrawErasure(ctx.db, ctx.app.bus, ctx.actor, input.id)),
  /** Every member sees that inputs are stored unmasked, for as long as they are. */
  raw: sharedQuery("console:read")
    .output(rawState)
    .query(({ ctx }) => service.rawState(ctx.db, ctx.workspaceId)),
  setRaw: manage.input(setRawCapture).mutation(({ ctx, input }) => ctx.app.record.raw.set(ctx.actor, input)),
  placeHold: manage
    .input(addHold)
    .output(holdById)
    .mutation(({ ctx, input }) => settings.addHold(ctx.db, ctx.actor, input)),
  releaseHold: manage.input(holdById).mutation(({ ctx, input }) => settings.releaseHold(ctx.db, ctx.actor, input.id)),
});
