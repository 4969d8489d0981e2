import { TRPCError } from "@trpc/server";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import type { Actor } from "../access/actor.ts";
import { HOLDERS_BY_PERMISSION, type Holder, type Permission } from "../access/permissions.ts";
import { KEY_SCOPES, ROLES } from "../access/role-schema.ts";
import { appRouter } from "../composition/router.ts";
import { uuidv7 } from "../platform/ids.ts";
import type { Context } from "./context.ts";
import { anyone, createCallerFactory, router } from "./init.ts";

let db: TestDatabase;
let server: TestGateway;

beforeAll(async () => {
  db = await testDatabase();
  server = await testGateway(db.url);
});
afterAll(async () => {
  await server?.stop();
  await db?.drop();
});

const KINDS = ["nobody", "script", "agent", ...ROLES] as const;
type Kind = (typeof KINDS)[number];

function contextOf(kind: Kind): Context {
  const { app } = server.running;
  const { workspaceId } = server.admin;
  return {
    db: app.db,
    actor: actorOf(kind, workspaceId),
    app,
    session: null,
    confirmedAt: new Date(),
    setHeader: () => undefined,
  };
}

function actorOf(kind: Kind, workspaceId: string): Actor | null {
  const named = { workspaceId, id: uuidv7(), name: kind };
  if (kind === "nobody") return null;
  if (kind === "script") return { ...named, kind };
  if (kind === "agent") return { ...named, kind, scopes: KEY_SCOPES };
  return { ...named, kind: "person", role: kind };
}

type AnyRouter = typeof appRouter;
interface Walked {
  readonly path: string;
  readonly permission: Permission | "anyone" | undefined;
}

function proceduresOf(walked: AnyRouter): Walked[] {
  return Object.entries(walked._def.procedures).map(([path, procedure]) => ({
    path,
    permission: (procedure as unknown as { _def: { meta?: { permission?: Permission | "anyone" } } })._def.meta
      ?.permission, // at run time the paths are flat, and tRPC keeps it there
  }));
}

/** The greeting of `path` for an actor: let in, or stopped at the door, and as what. Behind it anything may happen. */
async function greeting(walked: AnyRouter, path: string, kind: Kind): Promise<"let in" | "unknown" | "forbidden"> {
  const caller = createCallerFactory(walked)(contextOf(kind)) as unknown as Record<string, Record<string, unknown>>; // any procedure by its path
  const [room = "", name = ""] = path.split(".");
  const procedure = (name === "" ? caller[room] : caller[room]?.[name]) as (input: unknown) => Promise<unknown>; // every leaf is one
  try {
    await procedure(undefined);
  } catch (error) {
    if (error instanceof TRPCError && error.code === "UNAUTHORIZED") return "unknown";
    if (error instanceof TRPCError && error.code === "FORBIDDEN") return "forbidden";
  }
  return "let in";
}

function expected(permission: Permission | "anyone", kind: Kind) {
  if (permission === "anyone") return "let in";
  if (kind === "nobody") return "unknown";
  const holders: readonly Holder[] = HOLDERS_BY_PERMISSION[permission];
  const claims: readonly Holder[] = kind === "agent" ? KEYS : kind === "script" ? ["owner"] : [kind, "person"];
  return claims.some((claim) => holders.includes(claim)) ? "let in" : "forbidden";
}

async function gapsOf(walked: AnyRouter): Promise<string[]> {
  const gaps: string[] = [];
  for (const { path, permission } of proceduresOf(walked)) {
    if (permission === undefined) gaps.push(`${path} names no permission`);
    else
      for (const kind of KINDS) {
        const greeted = await greeting(walked, path, kind);
        if (greeted !== expected(permission, kind)) gaps.push(`${path} (${permission}): ${kind} is ${greeted}`);
      }
  }
  return gaps;
}

const KEYS = KEY_SCOPES.map((scope) => `key:${scope}` as const);

/** A door with the right sign and no lock. */
const planted = router({
  doors: router({ open: anyone.meta({ permission: "agent:write" }).query(() => "come in") }),
}) as unknown as AnyRouter; // a router is a router: only its paths differ

describe("every procedure", () => {
  it("lets in those who hold its permission and nobody else", async () => {
    expect(proceduresOf(appRouter).length).toBeGreaterThan(30);
    expect(await gapsOf(appRouter)).toEqual([]);
  });

  it("would be noticed without its lock", async () => {
    expect(await gapsOf(planted)).toEqual([
      "doors.open (agent:write): nobody is let in",
      "doors.open (agent:write): agent is let in",
      "doors.open (agent:write): viewer is let in",
      "doors.open (agent:write): approver is let in",
      "doors.open (agent:write): author is let in",
      "doors.open (agent:write): auditor is let in",
    ]);
  });

  it("that anyone may call is one of the few that must be", () => {
    const open = proceduresOf(appRouter).filter(({ permission }) => permission === "anyone");
    expect(open.map(({ path }) => path)).toEqual([
      "access.waysIn",
      "access.signIn",
      "access.openInvitation",
      "access.acceptInvitation",
    ]);
  });
});
