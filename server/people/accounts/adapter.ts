/**
 * The library's access to our tables: through Prisma, in the transaction of the exchange, and never with a session's
 * token. The library uses tokens; our tables hold their sha256.
 */
import { prismaAdapter } from "better-auth/adapters/prisma";
import type { BetterAuthOptions, DBAdapter, Where } from "better-auth/types";
import type { Database } from "../../platform/db.ts";
import { keptToken } from "../session.ts";
import { currentExchange } from "./http-exchange.ts";

type Adapter = DBAdapter<BetterAuthOptions>;
type Row = Record<string, unknown>;

export function accountAdapter(db: Database): (options: BetterAuthOptions) => Adapter {
  // Returns the tables of the current transaction, if there is one.
  const tables = new Proxy(db.prisma, {
    get: (prisma, name) => Reflect.get(currentExchange()?.tx ?? prisma, name) as unknown,
  });
  const make = prismaAdapter(tables, { provider: "postgresql" });
  return (options) => withoutTokens(make(options));
}

function withoutTokens(inner: Adapter): Adapter {
  const adapter: Adapter = {
    ...inner,
    create: async (data) => shown(await inner.create({ ...data, data: kept(data.model, data.data) }), data.data.token),
    findOne: async (data) => shown(await inner.findOne({ ...data, where: asked(data) }), tokenAsked(data)),
    findMany: (data) => inner.findMany(data.where ? { ...data, where: asked(data) } : data),
    count: (data) => inner.count(data.where ? { ...data, where: asked(data) } : data),
    update: async (data) => {
      const update: Row = kept(data.model, data.update);
      return shown(await inner.update({ ...data, where: asked(data), update }), tokenAsked(data));
    },
    updateMany: (data) => inner.updateMany({ ...data, where: asked(data), update: kept(data.model, data.update) }),
    delete: (data) => inner.delete({ ...data, where: asked(data) }),
    deleteMany: (data) => inner.deleteMany({ ...data, where: asked(data) }),
    consumeOne: async (data) => shown(await inner.consumeOne({ ...data, where: asked(data) }), tokenAsked(data)),
    incrementOne: (data) => inner.incrementOne({ ...data, where: asked(data) }),
    // The exchange is the transaction.
    transaction: (work) => work(adapter),
  };
  return adapter;
}

function kept<T extends Row>(model: string, data: T): T {
  return model === "session" && typeof data.token === "string" ? { ...data, token: keptToken(data.token) } : data;
}

function asked({ model, where = [] }: { model: string; where?: Where[] | undefined }): Where[] {
  if (model !== "session") return where;
  return where.map((one) => {
    if (one.field !== "token") return one;
    if (Array.isArray(one.value)) return { ...one, value: one.value.map((token) => keptToken(String(token))) };
    return { ...one, value: keptToken(String(one.value)) };
  });
}

function tokenAsked({ model, where = [] }: { model: string; where?: Where[] | undefined }): unknown {
  const one = model === "session" ? where.find(({ field }) => field === "token") : undefined;
  return typeof one?.value === "string" ? one.value : undefined;
}

/** A session with the token of the call: the library writes the cookie from it. */
function shown<T>(row: T, token: unknown): T {
  if (typeof token !== "string" || typeof row !== "object" || row === null || !("token" in row)) return row;
  return { ...row, token };
}
