/**
 * Everybody at every door: each procedure and each HTTP route, as each kind of caller, with what is their own and with what
 * is another workspace's. What is expected is read off the one table of permissions; what is sent is made from the
 * schemas. A new procedure is walked the day it is added, and fails the build when it names no permission, when its input
 * cannot be made, or when it shows or changes anything of a workspace that is not the caller's.
 */
import { TRPCError } from "@trpc/server";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { z } from "zod";
import { browser, signedIn } from "../../e2e/fixtures/browser.ts";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type FurnishedWorkspace, furnishWorkspace, procedureFor } from "../../e2e/fixtures/furnished-workspace.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { sampleInput } from "../../e2e/fixtures/sample-input.ts";
import type { Actor } from "../access/actor.ts";
import { may, type Permission } from "../access/permissions.ts";
import { KEY_SCOPES, ROLES } from "../access/role-schema.ts";
import { telemetryRoutes } from "../client-telemetry/http.ts";
import { appRouter } from "../composition/router.ts";
import { AppError } from "../errors/app-error.ts";
import { ACCOUNT_ROUTES } from "../people/accounts/http.ts";
import { SERVICE_ROLES } from "../people/schema.ts";
import { systemClock } from "../platform/clock.ts";
import { uuidv7 } from "../platform/ids.ts";
import { agentRoutes, PLAIN_ROUTES } from "./routes.ts";

/** In every name and text of the other workspace: whoever sees it has seen too much. */
const MARK = "not-yours";

let db: TestDatabase;
let server: TestGateway;
let own: FurnishedWorkspace;
let foreign: FurnishedWorkspace;

beforeAll(async () => {
  db = await testDatabase();
  server = await testGateway(db.url);
  own = await furnishWorkspace(db, server.running.app, server.admin.workspaceId, "mine");
  foreign = await furnishWorkspace(db, server.running.app, await newWorkspace(), MARK);
});
afterAll(async () => {
  await server?.stop();
  await db?.drop();
});

async function newWorkspace(): Promise<string> {
  const id = uuidv7();
  await db.database.prisma.workspace.create({ data: { id, name: MARK } });
  await db.database.pool.query("INSERT INTO audit_head (workspace_id) VALUES ($1)", [id]);
  return id;
}

const procedure = (actor: Actor | null, path: string) => procedureFor(server.running.app, actor, path);

/** Values that no schema describes: texts with a grammar of their own. */
const TEXTS: Readonly<Record<string, unknown>> = {
  source: "hooks: {}\n",
  usd: "0.5",
  month: "2026-01",
  day: "2026-01-02",
  timeZone: "Europe/Berlin",
  input: "{}",
  file: "cases: []\n",
  sha256: "0".repeat(64),
  schema: "pre_tool_use_decision",
  issuer: "https://login.invalid",
  // Nobody listens there, which is soon known.
  host: "127.0.0.1",
  port: 1,
  baseUrl: "http://127.0.0.1:9/v1",
  email: "somebody@example.org",
};

interface Walked {
  readonly path: string;
  readonly permission: Permission | "anyone" | undefined;
  readonly schema: z.ZodType | undefined;
  readonly isQuery: boolean;
}
const procedures: readonly Walked[] = Object.entries(appRouter._def.procedures).map(([path, one]) => {
  const { meta, inputs, type } = (
    one as unknown as { _def: { meta?: { permission?: Permission | "anyone" }; inputs: z.ZodType[]; type: string } }
  )._def; // at run time the paths are flat, and tRPC keeps all of it there
  return { path, permission: meta?.permission, schema: inputs[0], isQuery: type === "query" };
});

const inputOf = ({ path, schema, isQuery }: Walked, of: FurnishedWorkspace): unknown =>
  schema &&
  sampleInput(schema, (name) => {
    const place = `${path} ${name}`;
    if (place in HERE) return HERE[place];
    // A mutation may make the thing that it names, and then the name is the caller's own.
    if (name === "name" && !isQuery) return "sample";
    return Object.hasOwn(of.ids, name) ? of.ids[name] : TEXTS[name];
  });

/** Where a name means something else than everywhere. */
const HERE: Readonly<Record<string, unknown>> = {
  // Times of day have a grammar of their own, and a webhook has to be one that takes notices.
  ...{ "notices.saveChoices quiet": null, "notices.saveChoices webhookId": null },
  "policies.readClientImport source": "{}",
  "agent.dispatch input": {},
  "playground.saveCase expect": { verdict: "allow" },
  "installation.saveMail from": "somebody@example.org",
  "policies.order targetId": null,
  "policies.reorder targetId": null,
  // A change's own input, as its schema has it.
  "reviews.requestChange input": undefined,
  "reviews.changeInEmergency input": undefined,
};

type Caller = readonly [title: string, actorIn: (workspaceId: string) => Actor | null];
const named = (workspaceId: string, name: string) => ({ workspaceId, id: uuidv7(), name });
const CALLERS: readonly Caller[] = [
  ["nobody", () => null],
  ["script", (at) => ({ ...named(at, "script"), kind: "script" })],
  ...ROLES.map((role): Caller => [role, (at) => ({ ...named(at, role), kind: "person", role })]),
  ...SERVICE_ROLES.map((role): Caller => [`${role} service`, (at) => ({ ...named(at, role), kind: "service", role })]),
  ["agent", (at) => ({ ...named(at, "agent"), kind: "agent", scopes: KEY_SCOPES })],
  ...KEY_SCOPES.map(
    (scope): Caller => [`agent for ${scope}`, (at) => ({ ...named(at, "agent"), kind: "agent", scopes: [scope] })],
  ),
];

const UNKNOWN: ReadonlySet<string> = new Set(["not_signed_in", "unauthenticated"]);
/** As text, big integers included. */
const textOf = (value: unknown): string =>
  JSON.stringify(value, (_key, one: unknown) => (typeof one === "bigint" ? String(one) : one)) ?? "";

type Greeting = "let in" | "unknown" | "forbidden";
interface Greeted {
  readonly greeting: Greeting;
  readonly answer: unknown;
}
async function greeted(actor: Actor | null, { path, permission }: Walked, input: unknown): Promise<Greeted> {
  try {
    const answer = await procedure(actor, path)(input);
    return { greeting: "let in", answer: isStream(answer) ? null : answer };
  } catch (error) {
    const cause = error instanceof TRPCError && error.cause instanceof AppError ? error.cause : null;
    if (cause && UNKNOWN.has(cause.code)) return { greeting: "unknown", answer: null };
    // Past the door a service may ask for more than the door did: an admin touches no owner. It names what it asks for.
    const isDoor = cause?.code === "forbidden" && cause.detail === permission;
    return { greeting: isDoor ? "forbidden" : "let in", answer: error instanceof Error ? error.message : null };
  }
}
const isStream = (answer: unknown) =>
  typeof answer === "object" && answer !== null && (Symbol.asyncIterator in answer || "subscribe" in answer);

function expected(permission: Permission | "anyone", actor: Actor | null): Greeting {
  if (permission === "anyone" || may(actor, permission)) return "let in";
  return actor === null ? "unknown" : "forbidden";
}

/** The server signs every workspace's chain by itself, in its own time. */
const KEPT_BY_THE_SERVER: ReadonlySet<string> = new Set(["audit_checkpoint", "audit_key"]);

/** A digest of every row of a workspace, in every table that has any. */
async function stateOf(workspaceId: string): Promise<Record<string, string>> {
  const { rows } = await db.database.pool.query(`
    SELECT table_name FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
    WHERE column_name = 'workspace_id' AND table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY 1`);
  const digests = await Promise.all(
    rows.map(async ({ table_name: table }) => {
      const found = await db.database.pool.query(
        `SELECT coalesce(md5(string_agg(t::text, '|' ORDER BY t::text)), '') AS digest FROM ${table} t WHERE workspace_id = $1`,
        [workspaceId],
      );
      return [table, found.rows[0].digest] as const;
    }),
  );
  return Object.fromEntries(digests.filter(([table]) => !KEPT_BY_THE_SERVER.has(table)));
}

let cells = 0;

describe("every procedure", () => {
  it("names a permission, and its least input can be made", () => {
    expect(procedures.filter(({ permission }) => permission === undefined)).toEqual([]);
    const failed = procedures.flatMap((one) => {
      try {
        inputOf(one, own);
        return [];
      } catch (error) {
        return [`${one.path}: ${error instanceof Error ? error.message : String(error)}`];
      }
    });
    expect(failed).toEqual([]);
  });

  it("with what is another workspace's: shows nothing, changes nothing, whoever asks", async () => {
    const before = await stateOf(foreign.id);
    const gaps: string[] = [];
    for (const one of procedures) {
      const { path, permission = "anyone" } = one;
      // A switch of workspace is of the browser's session, which there is none of here.
      const input = inputOf(one, foreign);
      for (const [title, actorIn] of CALLERS) {
        const actor = actorIn(own.id);
        const { greeting, answer } = await greeted(actor, one, input);
        cells += 1;
        if (greeting !== expected(permission, actor)) gaps.push(`${path} (${permission}): ${title} is ${greeting}`);
        // A name that one sent oneself may come back; the names here were sent.
        if (textOf(answer).includes(MARK) && !textOf(input).includes(MARK)) gaps.push(`${path}: ${title} sees it`);
      }
    }
    expect(gaps).toEqual([]);
    expect(await stateOf(foreign.id)).toMatchObject(before);
  }, 600_000);

  it("with what is one's own: lets in those who hold its permission and nobody else", async () => {
    const gaps: string[] = [];
    for (const one of procedures) {
      const { path, permission = "anyone" } = one;
      const input = inputOf(one, own);
      for (const [title, actorIn] of CALLERS) {
        const actor = actorIn(own.id);
        const { greeting } = await greeted(actor, one, input);
        cells += 1;
        if (greeting !== expected(permission, actor)) gaps.push(`${path} (${permission}): ${title} is ${greeting}`);
      }
    }
    expect(gaps).toEqual([]);
  }, 600_000);
});

describe("every HTTP route", () => {
  interface Credential {
    readonly title: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly actor: Actor | null;
  }
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

  async function credentials(at: FurnishedWorkspace): Promise<Credential[]> {
    const owner: Actor = { ...named(at.id, "owner"), kind: "person", role: "owner" };
    const make = async (path: string, input: object) => (await procedure(owner, path)(input)) as Record<string, string>; // views of ids and secrets
    const people = await Promise.all(
      ROLES.map(async (role): Promise<Credential> => {
        const { cookie = "" } = (await signedIn(server.url, db.database, at.id, role)).header();
        return { title: role, headers: { cookie }, actor: { ...named(at.id, role), kind: "person", role } };
      }),
    );
    const keys = await Promise.all(
      [...KEY_SCOPES.map((scope) => [scope]), [...KEY_SCOPES]].map(async (scopes): Promise<Credential> => {
        const { key = "" } = await make("agents.createKey", { agentId: agentId, scopes });
        const actor: Actor = { ...named(at.id, "agent"), kind: "agent", scopes };
        return { title: `agent for ${scopes.join()}`, headers: bearer(key), actor };
      }),
    );
    const services = await Promise.all(
      SERVICE_ROLES.map(async (role): Promise<Credential> => {
        const { serviceId } = await make("serviceAccounts.create", { name: uuidv7(), role });
        const { token = "" } = await make("serviceAccounts.createToken", { serviceId, days: 1 });
        return {
          title: `${role} service`,
          headers: bearer(token),
          actor: { ...named(at.id, role), kind: "service", role },
        };
      }),
    );
    return [...people, ...keys, ...services];
  }
  let agentId = "";

  it("of the agent API opens to keys that are for it, and shows nothing of another workspace", async () => {
    // The walk above may have ended the ones that were there.
    const fresh = async (at: FurnishedWorkspace) => {
      agentId = (
        await server.database.prisma.agent.create({ data: { workspaceId: at.id, id: uuidv7(), name: uuidv7() } })
      ).id;
      return credentials(at);
    };
    const asking = [
      { title: "nobody", headers: {}, actor: null },
      { title: "script", headers: bearer(server.secrets.adminToken), actor: null },
      ...(await fresh(own)),
    ];
    const gaps: string[] = [];
    const { app } = server.running;
    for (const route of [...agentRoutes(app), ...telemetryRoutes({ ...app, clock: systemClock })])
      for (const { title, headers, actor } of asking) {
        const path = route.path.replace("{event}", "session_start").replace(/\{\w+\}/g, "sample");
        const response = await fetch(`${server.url}${path}`, {
          method: route.method,
          headers: { ...headers, "content-type": route.takes?.[0] ?? "application/json" },
          ...(route.method === "POST" ? { body: "{}" } : {}),
        });
        const isOpen = response.status !== 401 && response.status !== 403;
        cells += 1;
        if (isOpen !== (route.access === "open" || may(actor, route.access)))
          gaps.push(`${route.method} ${route.path}: ${title} hears ${response.status}`);
        if ((await response.text()).includes(MARK)) gaps.push(`${route.path}: ${title} sees what is not theirs`);
      }
    expect(gaps).toEqual([]);
  });

  it("of accounts is for anyone, or for whoever is signed in", async () => {
    const gaps: string[] = [];
    const cookie = (await signedIn(server.url, db.database, own.id, "viewer")).header();
    for (const [path, route] of Object.entries(ACCOUNT_ROUTES))
      for (const [title, headers] of [
        ["nobody", browser(server.url).header()],
        ["viewer", cookie],
        ["script", { ...browser(server.url).header(), ...bearer(server.secrets.adminToken) }],
      ] as const) {
        const { status } = await fetch(`${server.url}/api/auth${path}`, {
          method: route.method,
          headers,
          redirect: "manual",
          // Valid enough to be asked who one is.
          ...(route.method === "POST" ? { body: JSON.stringify(ACCOUNT_BODIES[path] ?? {}) } : {}),
        });
        cells += 1;
        const isTurnedAway = status === 401;
        const mustBe = route.isSignedIn && title !== "viewer";
        if (mustBe && !isTurnedAway) gaps.push(`${path}: ${title} hears ${status}`);
        if (status >= 500) gaps.push(`${path}: ${title} hears ${status}`);
      }
    expect(gaps).toEqual([]);
  });

  it("beside the API is for anyone, or for the operator", async () => {
    const gaps: string[] = [];
    agentId = (
      await server.database.prisma.agent.create({ data: { workspaceId: own.id, id: uuidv7(), name: uuidv7() } })
    ).id;
    const asking = [
      { title: "nobody", headers: {} },
      { title: "script", headers: bearer(server.secrets.adminToken) },
      ...(await credentials(own)),
    ];
    for (const [path, by] of Object.entries(PLAIN_ROUTES))
      for (const { title, headers } of asking) {
        // Through a proxy: what stands on this machine is not taken for its operator.
        const elsewhere = { ...headers, "x-forwarded-for": "203.0.113.9" };
        const response = await fetch(`${server.url}${path}`, { headers: elsewhere });
        cells += 1;
        const isOpen = response.status !== 401 && response.status !== 403;
        if (isOpen !== (by === "anyone" || title === "script")) gaps.push(`${path}: ${title} hears ${response.status}`);
        if ((await response.text()).includes(MARK)) gaps.push(`${path}: ${title} sees what is not theirs`);
      }
    expect(gaps).toEqual([]);
  });
});

// In whatever order they were asked.
afterAll(() => {
  console.log(`access matrix: ${cells} cells over ${procedures.length} procedures and ${CALLERS.length} callers`);
  expect(cells).toBeGreaterThan(3_000);
});

const ACCOUNT_BODIES: Readonly<Record<string, object>> = {
  "/change-password": { currentPassword: "x".repeat(12), newPassword: "y".repeat(12) },
  "/verify-password": { password: "x" },
  "/two-factor/enable": { password: "x" },
  "/two-factor/disable": { password: "x" },
  "/two-factor/generate-backup-codes": { password: "x" },
  "/link-social": { provider: "sign-on" },
};
