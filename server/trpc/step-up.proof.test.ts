import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Browser, browser, signedIn } from "../../e2e/fixtures/browser.ts";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { holdersOf } from "../access/permissions.ts";
import { ROLES } from "../access/role-schema.ts";
import { CONFIRMED_MS, STEP_UP } from "../access/step-up.ts";
import { appRouter } from "../composition/router.ts";
import { keptToken, tokenIn } from "../people/session.ts";

let at: TestDatabase;
let server: TestGateway;
beforeAll(async () => {
  at = await testDatabase();
  server = await testGateway(at.url);
});
afterAll(async () => {
  await server?.stop();
  await at?.drop();
});

const owner = () => signedIn(server.url, at.database, server.admin.workspaceId, "owner");
const ASKS = { status: 403, value: "step_up_required" };

/** The last proof of this browser is so many milliseconds old; null: it never gave one. */
async function proved(page: Browser, ageMs: number | null): Promise<void> {
  const token = keptToken(tokenIn(page.cookies.get("quarterdeck_session") ?? ""));
  const { rowCount } = await at.database.pool.query(
    "UPDATE browser_session SET confirmed_at = now() - $2 * interval '1 millisecond' WHERE token_sha256 = $1",
    [token, ageMs],
  );
  expect(rowCount).toBe(1);
}

/** Inputs that the conditional rows ask about. Each is too little for the procedure itself, which changes nothing. */
const GRAVE: Readonly<Record<string, object>> = {
  "reviews.setFourEyes": { isOn: false },
  "exceptions.make": { dispatch: {} },
  "people.setRole": { role: "owner" },
  "people.invite": { role: "admin" },
};
const paths = Object.keys(STEP_UP);

interface Defined {
  readonly type: string;
  readonly inputs: readonly unknown[];
}
/** tRPC keeps it there at run time. */
const definedAt = (path: string): Defined | undefined => {
  const one = Object.entries(appRouter._def.procedures).find(([known]) => known === path)?.[1];
  return (one as unknown as { _def: Defined } | undefined)?._def;
};
const ask = (page: Browser, path: string, input: object) =>
  definedAt(path)?.type === "query" ? page.query(path, input) : page.mutate(path, input);
/** The answers to an input of nothing once the act is permitted; one that takes no input, or needs none, may succeed. */
const NEXT = ["not_found", "invalid_input"];
const SUCCEED = ["access.createSignInLink", "audit.startExport"];

describe("the table of step-up", () => {
  it("names procedures that there are, all of which change or hand out something", () => {
    const others = paths.filter((path) => definedAt(path)?.type !== "mutation");
    expect(others).toEqual(["streams.tail", "audit.startExport", "audit.exportPage"]);
    expect(others.map((path) => definedAt(path)?.type)).toEqual(["query", "query", "query"]);
  });

  it("covers whatever hands out a credential", () => {
    const handing = /create(Key|Token|EnrolmentToken|SignInLink|ResetLink)|rotate/;
    const all = Object.keys(appRouter._def.procedures).filter((path) => handing.test(path));
    expect(all.filter((path) => !paths.includes(path))).toEqual([]);
  });

  it("covers what is said: resuming, changes without a review, exports, erasure, and what opens accounts", () => {
    expect(paths).toEqual(
      expect.arrayContaining([
        "halts.resume",
        "reviews.changeInEmergency",
        "approvals.setRules",
        "policies.setRequirements",
        "exceptions.make",
        "decisions.evidence",
        "audit.releaseHold",
        "audit.requestErasure",
        "audit.erasePerson",
        "people.setRole",
        "people.createResetLink",
        "access.setPassword",
        "serviceAccounts.createToken",
        "access.createSignInLink",
        "agents.createKey",
        "agents.rotateKey",
        "agents.createEnrolmentToken",
        "webhooks.save",
        "audit.startExport",
        "installation.saveSignOn",
        "installation.removeSignOn",
      ]),
    );
  });

  it.each(paths)("%s asks whoever proved nothing lately, and nobody who did", async (path) => {
    const page = await owner();
    const input = GRAVE[path] ?? {};
    await proved(page, CONFIRMED_MS + 1_000);
    expect(await ask(page, path, input)).toMatchObject(ASKS);
    await proved(page, null);
    expect(await ask(page, path, input)).toMatchObject(ASKS);
    await proved(page, CONFIRMED_MS - 60_000);
    const { status, value } = await ask(page, path, input);
    if (SUCCEED.includes(path)) expect(status).toBe(200);
    else expect(NEXT).toContain(value);
  });

  it.each([
    ["people.invite", { role: "viewer" }],
    ["people.setRole", { role: "viewer" }],
    ["reviews.setFourEyes", { isOn: true }],
    ["exceptions.make", { requestId: "x" }],
    ["policies.publish", {}],
    ["halts.halt", {}],
  ])("%s with %j asks nobody", async (path, input) => {
    const page = await owner();
    await proved(page, null);
    expect((await page.mutate(path, input)).value).toBe("invalid_input");
  });
});

describe("roles that are given", () => {
  // An invited account of one's own proves itself by its own password: it would do these acts unasked.
  it.each(ROLES.filter((role) => role !== "viewer"))("ask for %s", async (role) => {
    const page = await owner();
    await proved(page, null);
    expect(await page.mutate("people.invite", { role })).toMatchObject(ASKS);
    expect(await page.mutate("people.setRole", { role })).toMatchObject(ASKS);
  });

  it("ask for none that holds nothing of what is asked about", () => {
    const grave = ["halt:write", "halt:resume", "approval:decide", "policy:review", "audit:read"] as const;
    expect(grave.filter((permission) => holdersOf(permission).includes("viewer"))).toEqual([]);
  });
});

describe("a halt from a browser that proved nothing", () => {
  it.each(["viewer", "approver", "author", "admin", "owner"] as const)(
    "is made at once by each role that may, and only the resume asks: %s",
    async (role) => {
      const page = await signedIn(server.url, at.database, server.admin.workspaceId, role);
      await proved(page, null);
      const made = await page.mutate("halts.halt", { target: { scope: "workspace" }, reason: "a key leaked" });
      if (role === "viewer") return expect(made.value).toBe("forbidden");
      const { id } = made.value as { id: string };
      const resumed = await page.mutate("halts.resume", { id, reason: "over" });
      expect(resumed.value).toBe(holdersOf("halt:resume").includes(role) ? "step_up_required" : "forbidden");
      const confirmed = await owner();
      expect((await confirmed.mutate("halts.resume", { id, reason: "over" })).status).toBe(200);
    },
  );
});

describe("step-up", () => {
  const halt = (page: Browser) => page.mutate("halts.resume", { id: crypto.randomUUID(), reason: "over" });

  it("is satisfied by signing in with a link of the command line, for a while", async () => {
    const page = await owner();
    expect((await halt(page)).value).toBe("halt_not_found");
    await proved(page, CONFIRMED_MS);
    expect(await halt(page)).toMatchObject(ASKS);
  });

  it("is not satisfied by a link that a browser made: whoever sits at it could", async () => {
    const page = await owner();
    const { token } = (await page.mutate("access.createSignInLink")).value as { token: string };
    const other = browser(server.url);
    await other.mutate("access.signIn", { token });
    expect((await other.query("access.me")).value).toMatchObject({ role: "owner" });
    expect(await halt(other)).toMatchObject(ASKS);
  });

  it("comes after the permission: whoever may not is not asked who they are", async () => {
    const page = await signedIn(server.url, at.database, server.admin.workspaceId, "viewer");
    await proved(page, null);
    expect((await halt(page)).value).toBe("forbidden");
  });

  it("asks no token: nobody sits there", async () => {
    const page = await owner();
    const { serviceId } = (await page.mutate("serviceAccounts.create", { name: "ci", role: "admin" })).value as {
      serviceId: string;
    };
    const { token } = (await page.mutate("serviceAccounts.createToken", { serviceId, days: 1 })).value as {
      token: string;
    };
    for (const bearer of [token, server.secrets.adminToken]) {
      const response = await fetch(`${server.url}/api/trpc/halts.resume`, {
        method: "POST",
        headers: { authorization: `Bearer ${bearer}`, "content-type": "application/json" },
        body: JSON.stringify({ json: { id: crypto.randomUUID(), reason: "over" } }),
      });
      expect(response.status).toBe(404);
    }
  });
});
