import { BUILT_IN_MASKING, type Masking } from "@quarterdeck/hooks";
import { initTRPC, TRPCError } from "@trpc/server";
import { TRPC_ERROR_CODES_BY_KEY } from "@trpc/server/rpc";
import { z } from "zod";
import type { Actor, Administrator, AgentActor } from "../access/actor.ts";
import { readHeard } from "../access/heard-schema.ts";
import {
  type AdministratorPermission,
  type AgentPermission,
  may,
  type Permission,
  reasonAgainst,
} from "../access/permissions.ts";
import { requireConfirmed } from "../access/step-up.ts";
import { AppError, asAppError } from "../errors/app-error.ts";
import type { ErrorCode } from "../errors/catalogue.ts";
import { eachWithin, inInstallation, inWorkspace } from "../platform/scope.ts";
import { ignoreAbandonedFailures } from "./abandoned-stream.ts";
import { createQueryCoalescer, questionText } from "./coalesce-queries.ts";
import type { App, Context } from "./context.ts";
import { endWhenRevoked, type StreamReader } from "./end-when-revoked.ts";
import { requireKeepable } from "./keepable-input.ts";
import { readFromReplica } from "./read-from-replica.ts";
import { createRecentAnswers } from "./recent-answers.ts";
import { encodeOnce, transformer } from "./transformer.ts";
import { isMaskedPath, maskTypedText } from "./typed-text.ts";

const CODES = {
  400: "BAD_REQUEST",
  401: "UNAUTHORIZED",
  403: "FORBIDDEN",
  404: "NOT_FOUND",
  405: "METHOD_NOT_SUPPORTED",
  408: "TIMEOUT",
  409: "CONFLICT",
  413: "PAYLOAD_TOO_LARGE",
  415: "UNSUPPORTED_MEDIA_TYPE",
  421: "BAD_REQUEST",
  422: "UNPROCESSABLE_CONTENT",
  429: "TOO_MANY_REQUESTS",
  500: "INTERNAL_SERVER_ERROR",
  503: "SERVICE_UNAVAILABLE",
} as const;

const t = initTRPC
  .context<Context>()
  .meta<{ permission: Permission | "anyone"; readsReplica?: true }>()
  .create({
    transformer,
    // A page says "Live" for at most as long as a ping may be late.
    sse: { ping: { enabled: true, intervalMs: 1_500 }, client: { reconnectAfterInactivityMs: 4_000 } },
    errorFormatter({ shape, error }) {
      const own = error.cause instanceof AppError ? error.cause : null;
      const appCode: ErrorCode = own?.code ?? codeOf(error);
      // An error that ends a running stream arrives untranslated, as an internal error.
      const code = own ? CODES[own.status] : shape.data.code;
      const httpStatus = own?.status ?? shape.data.httpStatus;
      const { path } = shape.data;
      const says = error.cause instanceof z.ZodError ? inputSentence(error.cause) : shape.message;
      const message = appCode === "internal" ? new AppError("internal").message : says;
      // No stack: the browser gets the remedy, the log gets the cause.
      return {
        ...shape,
        code: TRPC_ERROR_CODES_BY_KEY[code],
        message,
        data: { code, httpStatus, path, appCode, problems: own?.options.problems },
      };
    },
  });

/**
 * The validation errors of an input as sentences. Our own messages are complete sentences; zod's need the path of the
 * field.
 */
function inputSentence({ issues }: z.ZodError): string {
  const says = issues.map(({ message, path }) =>
    message.endsWith(".") || path.length === 0 ? message : `${message} (${z.core.toDotPath(path)}).`,
  );
  return [...new Set(says)].join(" ");
}

function codeOf(error: TRPCError): ErrorCode {
  if (error.code === "BAD_REQUEST" || error.code === "PARSE_ERROR") return "invalid_input";
  if (error.code === "NOT_FOUND") return "not_found";
  return "internal";
}

/** Converts a service's error into a tRPC error, and logs internal errors. */
const translated = t.middleware(async ({ next, ctx, path }) => {
  const result = await next();
  if (result.ok) return result;
  const cause = result.error.cause;
  const isOwn = result.error.code !== "INTERNAL_SERVER_ERROR" || cause instanceof z.ZodError;
  const failure = cause instanceof AppError ? cause : isOwn ? null : asAppError(cause ?? result.error);
  if (!failure) return result;
  if (!failure.expected) ctx.app?.log.error({ err: cause, path, detail: failure.detail }, "a procedure failed");
  throw new TRPCError({ code: CODES[failure.status], message: failure.message, cause: failure });
});

/** The input of people and scripts is stored as it is; agents' inputs may hold anything, and are stored escaped. */
const keepable = t.middleware(async ({ next, getRawInput, path }) => {
  if (!path.startsWith("agent.")) requireKeepable(await getRawInput());
  return next();
});

/** No service sees a secret that a person typed into a reason, a note or a name. */
const withoutTypedSecrets = t.middleware(async ({ next, getRawInput, path, type, ctx }) => {
  if (type !== "mutation" || !isMaskedPath(path)) return next();
  const masking = await maskingOf(ctx, path);
  return next({ getRawInput: async () => maskTypedText(await getRawInput(), masking.text) });
});

/** The workspace's own masking too, except where it is changed: it must not hide the names of its own rules. */
async function maskingOf({ app, actor }: Pick<Context, "app" | "actor">, path: string): Promise<Masking> {
  const isOwn = app !== null && actor !== null && !path.startsWith("maskingSettings.");
  return isOwn ? app.masking.of(actor.workspaceId) : BUILT_IN_MASKING;
}

/** After a change, waits until every process has heard of it, so that an agent's next call sees it. */
const heardEverywhere = t.middleware(async ({ next, type, path, ctx }) => {
  const result = await next();
  const isChange = type === "mutation" && result.ok && !path.startsWith("agent.");
  if (isChange) await ctx.app?.untilHeardEverywhere();
  return result;
});

const base = t.procedure.use(translated).use(keepable).use(withoutTypedSecrets).use(heardEverywhere);

/** A procedure that anyone may call: a link or an invitation determines the workspace. */
export const anyone = base.meta({ permission: "anyone" }).use(({ next }) => within(inInstallation, next));

/**
 * A procedure for actors with `permission`; `ctx.actor` is one of them. Its scope is their workspace; the few
 * procedures about a person, who may be in several workspaces, use `installation`.
 */
export function can(permission: AdministratorPermission, reach: "workspace" | "installation" = "workspace") {
  return base.meta({ permission }).use(async ({ ctx, next, path, getRawInput }) => {
    const actor = requireHolder(ctx.actor, permission, "not_signed_in");
    await requireConfirmed({ actor, confirmedAt: ctx.confirmedAt, path, readInput: getRawInput });
    const { workspaceId } = actor;
    const enter: Enter = reach === "workspace" ? (work) => inWorkspace(workspaceId, work) : inInstallation;
    const { app, isStillAllowed } = ctx;
    const reader = app && isStillAllowed ? { changes: app.changes, workspaceId, isStillAllowed } : null;
    // Holds: only roles have an AdministratorPermission, and agents have no role.
    return within(enter, () => next({ ctx: { ...ctx, actor: actor as Administrator, workspaceId } }), reader);
  });
}

/** The same with the running server, to change something. Errors: `internal` while pages are prefetched. */
export function canWithApp(permission: AdministratorPermission, reach: "workspace" | "installation" = "workspace") {
  return can(permission, reach).use(({ ctx, next }) => next({ ctx: { ...ctx, app: requireApp(ctx.app) } }));
}

const onReplica = t.middleware(({ ctx, next, type }) =>
  type === "query" ? readFromReplica(ctx.db, (db) => next({ ctx: { db } })) : next(),
);

type QueryResult = { readonly ok: boolean; readonly data?: unknown };
const answers = createQueryCoalescer<QueryResult>();
const recentAnswers = createRecentAnswers<QueryResult>({ measured: (result) => (result.ok ? result.data : undefined) });

/** The answer has no access to the person: it is also given to others. */
const WITHOUT_PERSON = { actor: null, session: null, confirmedAt: null } as const;

const together = t.middleware(async ({ ctx, type, path, getRawInput, next }) => {
  const own = async () => {
    const result = await next({ ctx: WITHOUT_PERSON });
    if (result.ok) encodeOnce(result.data);
    return result;
  };
  const input = type === "query" ? questionText(await getRawInput()) : null;
  if (input === null) return own();
  const question = `${ctx.actor?.workspaceId} ${path} ${input}`;
  const changes = ctx.app?.changes;
  const begin = () => {
    const position = changes?.position();
    const given = own();
    if (position !== undefined) recentAnswers.keep(question, position, given);
    return given;
  };
  const heard = changes === undefined ? null : readHeard(ctx.heard);
  const recent = heard === null ? null : recentAnswers.find(question, heard);
  return (await (recent ?? answers(question, begin))) as Awaited<ReturnType<typeof own>>; // holds: the same procedure's
});

/** A query for actors with `permission` whose answer depends only on the workspace and the input: equal ones share it. */
export const sharedQuery = (permission: AdministratorPermission) => can(permission).use(together);

/** The same for lists and figures that are read from the read replica, if there is one. */
export const coalescedQuery = (permission: AdministratorPermission) =>
  sharedQuery(permission).meta({ permission, readsReplica: true }).use(onReplica);

/** A procedure for agents whose key has this scope, with the running server. */
export function asAgent(permission: AgentPermission) {
  return base.meta({ permission }).use(({ ctx, next }) => {
    // Holds: an AgentPermission is held by keys alone.
    const actor = requireHolder(ctx.actor, permission, "unauthenticated") as AgentActor;
    const enter: Enter = (work) => inWorkspace(actor.workspaceId, work);
    return within(enter, () => next({ ctx: { ...ctx, actor, app: requireApp(ctx.app) } }));
  });
}

type Enter = <T>(work: () => T) => T;

/** The result of `next` in that scope. A subscription's stream is asked later, and stays in it while `reader` may. */
async function within<Result extends object>(
  enter: Enter,
  next: () => Promise<Result>,
  reader: StreamReader | null = null,
): Promise<Result> {
  const result = await enter(next);
  if (!("data" in result) || !isStream(result.data)) return result;
  const data = eachWithin(enter, result.data);
  return { ...result, data: ignoreAbandonedFailures(reader ? endWhenRevoked(data, reader) : data) };
}

function isStream(data: unknown): data is AsyncIterable<unknown> {
  return typeof data === "object" && data !== null && Symbol.asyncIterator in data;
}

function requireHolder(actor: Actor | null, permission: Permission, toNobody: ErrorCode): Actor {
  if (actor === null) throw new AppError(toNobody);
  if (!may(actor, permission)) throw new AppError("forbidden", permission, { says: reasonAgainst(permission) });
  return actor;
}

/** The running server. Errors: `internal` where pages are prefetched, which change nothing. */
export function requireApp(app: App | null): App {
  if (!app) throw new AppError("internal", "this procedure needs the running server");
  return app;
}

export const router = t.router;
export const createCallerFactory = t.createCallerFactory;
