/**
 * The doors of the server: each procedure, as one role that it lets in and one that it refuses, and each HTTP route as each kind
 * of caller. access-matrix.proof.test.ts walks each procedure as everybody. A new procedure is walked the day it is added, and
 * fails when it names no permission, when its input cannot be made, or when it shows or changes anything of a workspace that is
 * not the caller's.
 */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type AccessRig,
  accessRig,
  allowedAndRefused,
  inputOf,
  MARK,
  named,
  procedures,
} from "../../e2e/fixtures/access-matrix.ts";
import { browser, signedIn } from "../../e2e/fixtures/browser.ts";
import type { FurnishedWorkspace } from "../../e2e/fixtures/furnished-workspace.ts";
import type { Actor } from "../access/actor.ts";
import { may } from "../access/permissions.ts";
import { KEY_SCOPES, ROLES } from "../access/role-schema.ts";
import { ACCOUNT_ROUTES } from "../people/accounts/http.ts";
import { SERVICE_ROLES } from "../people/schema.ts";
import { uuidv7 } from "../platform/ids.ts";
import { consoleAgentRoutes } from "./console/agent-routes.ts";
import { PLAIN_ROUTES } from "./plain-routes.ts";
import { agentRoutes } from "./routes.ts";

let rig: AccessRig;
beforeAll(async () => {
  rig = await accessRig();
});
afterAll(() => rig?.stop());

describe("every procedure", () => {
  it("names a permission, and its least input can be made", () => {
    expect(procedures.filter(({ permission }) => permission === undefined)).toEqual([]);
    const failed = procedures.flatMap((one) => {
      try {
        inputOf(one, rig.own);
        return [];
      } catch (error) {
        return [`${one.path}: ${error instanceof Error ? error.message : String(error)}`];
      }
    });
    expect(failed).toEqual([]);
  });

  it("is walked as a role that it lets in, and as one that it refuses unless it is for anyone", () => {
    const alone = procedures.filter((one) => allowedAndRefused(one).length < (one.permission === "anyone" ? 1 : 2));
    expect(alone.map(({ path }) => path)).toEqual([]);
  });

  it("with what is another workspace's: shows nothing, changes nothing", async () => {
    const before = await rig.stateOf(rig.foreign.id);
    expect(await rig.walk(rig.foreign, allowedAndRefused)).toEqual([]);
    expect(await rig.stateOf(rig.foreign.id)).toMatchObject(before);
  }, 600_000);

  it("with what is one's own: lets in the one and refuses the other", async () => {
    expect(await rig.walk(rig.own, allowedAndRefused)).toEqual([]);
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
    const make = async (path: string, input: object) =>
      (await rig.procedure(owner, path)(input)) as Record<string, string>; // views of ids and secrets
    const people = await Promise.all(
      ROLES.map(async (role): Promise<Credential> => {
        const { cookie = "" } = (await signedIn(rig.server.url, rig.db.database, at.id, role)).header();
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
        await rig.server.database.prisma.agent.create({ data: { workspaceId: at.id, id: uuidv7(), name: uuidv7() } })
      ).id;
      return credentials(at);
    };
    const asking = [
      { title: "nobody", headers: {}, actor: null },
      { title: "script", headers: bearer(rig.server.secrets.adminToken), actor: null },
      ...(await fresh(rig.own)),
    ];
    const gaps: string[] = [];
    const { app } = rig.server.running;
    for (const route of [...agentRoutes(app), ...consoleAgentRoutes(app)])
      for (const { title, headers, actor } of asking) {
        const path = route.path.replace("{event}", "session_start").replace(/\{\w+\}/g, "sample");
        const response = await fetch(`${rig.server.url}${path}`, {
          method: route.method,
          headers: { ...headers, "content-type": route.takes?.[0] ?? "application/json" },
          ...(route.method === "POST" ? { body: "{}" } : {}),
        });
        const isOpen = response.status !== 401 && response.status !== 403;
        if (isOpen !== (route.access === "open" || may(actor, route.access)))
          gaps.push(`${route.method} ${route.path}: ${title} hears ${response.status}`);
        if ((await response.text()).includes(MARK)) gaps.push(`${route.path}: ${title} sees what is not theirs`);
      }
    expect(gaps).toEqual([]);
  });

  it("of accounts is for anyone, or for whoever is signed in", async () => {
    const gaps: string[] = [];
    const cookie = (await signedIn(rig.server.url, rig.db.database, rig.own.id, "viewer")).header();
    for (const [path, route] of Object.entries(ACCOUNT_ROUTES))
      for (const [title, headers] of [
        ["nobody", browser(rig.server.url).header()],
        ["viewer", cookie],
        ["script", { ...browser(rig.server.url).header(), ...bearer(rig.server.secrets.adminToken) }],
      ] as const) {
        const { status } = await fetch(`${rig.server.url}/api/auth${path}`, {
          method: route.method,
          headers,
          redirect: "manual",
          // Valid enough to be asked who one is.
          ...(route.method === "POST" ? { body: JSON.stringify(ACCOUNT_BODIES[path] ?? {}) } : {}),
        });
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
      await rig.server.database.prisma.agent.create({ data: { workspaceId: rig.own.id, id: uuidv7(), name: uuidv7() } })
    ).id;
    const asking = [
      { title: "nobody", headers: {} },
      { title: "script", headers: bearer(rig.server.secrets.adminToken) },
      ...(await credentials(rig.own)),
    ];
    for (const [path, by] of Object.entries(PLAIN_ROUTES))
      for (const { title, headers } of asking) {
        // Through a proxy: what stands on this machine is not taken for its operator.
        const elsewhere = { ...headers, "x-forwarded-for": "203.0.113.9" };
        const response = await fetch(`${rig.server.url}${path}`, { headers: elsewhere });
        const isOpen = response.status !== 401 && response.status !== 403;
        if (isOpen !== (by === "anyone" || title === "script")) gaps.push(`${path}: ${title} hears ${response.status}`);
        if ((await response.text()).includes(MARK)) gaps.push(`${path}: ${title} sees what is not theirs`);
      }
    expect(gaps).toEqual([]);
  });
});

const ACCOUNT_BODIES: Readonly<Record<string, object>> = {
  "/change-password": { currentPassword: "x".repeat(12), newPassword: "y".repeat(12) },
  "/verify-password": { password: "x" },
  "/two-factor/enable": { password: "x" },
  "/two-factor/disable": { password: "x" },
  "/two-factor/generate-backup-codes": { password: "x" },
  "/link-social": { provider: "sign-on" },
};
