import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it, type MockInstance, vi } from "vitest";
import { type Browser, browser, signedIn } from "../../../e2e/fixtures/browser.ts";
import { type TestDatabase, testDatabase } from "../../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../../e2e/fixtures/gateway.ts";
import { totpCode } from "../../../e2e/fixtures/totp.ts";
import type { Role } from "../../access/role-schema.ts";
import { tokenIn } from "../session.ts";

let at: TestDatabase;
let server: TestGateway;
let now: MockInstance<typeof Date.now>;

beforeAll(async () => {
  at = await testDatabase();
  // Before the server is made, which keeps the function that it asks for the time.
  now = vi.spyOn(Date, "now");
  server = await testGateway(at.url, { trustedProxies: "loopback" });
});
afterAll(async () => {
  await server?.stop();
  await at?.drop();
  now.mockRestore();
});

const PASSWORD = "correct horse battery";
const SESSION = "quarterdeck_session";
let counter = 0;

async function person(role: Role, url = server.url) {
  const made = await signedIn(url, server.database, server.admin.workspaceId, role);
  const email = `person${counter++}@example.org`;
  expect((await made.mutate("access.setPassword", { email, password: PASSWORD })).status).toBe(200);
  return { made, email };
}
const signIn = (at: Browser, email: string, password = PASSWORD) => at.account("/sign-in/email", { email, password });
const roleOf = async (at: Browser) => ((await at.query("access.me")).value as { role?: Role }).role ?? "nobody";

/** The server's clock stands still meanwhile: no machine is so slow that a delay ends before the next attempt. */
async function atOneInstant<T>(work: () => Promise<T>): Promise<T> {
  now.mockReturnValue(Date.now());
  try {
    return await work();
  } finally {
    now.mockReset();
  }
}

describe("a password", () => {
  it("signs in whoever set it, with a session of their own and no token for scripts to read", async () => {
    const { email } = await person("author");
    const fresh = browser(server.url);
    const answer = await signIn(fresh, email);
    expect(answer.status).toBe(200);
    expect(JSON.stringify(answer.value)).not.toContain("token");
    const line = answer.headers.getSetCookie().find((one) => one.startsWith(SESSION)) ?? "";
    expect(line).toMatch(/HttpOnly/i);
    expect(line).toMatch(/SameSite=Lax/i);
    expect(await roleOf(fresh)).toBe("author");
  });

  it("is stored as a hash, and a session as the hash of its token", async () => {
    const product = await testGateway(at.url, { hasProductHash: true });
    const { made, email } = await person("viewer", product.url);
    const signedInAgain = await signIn(browser(product.url), email);
    await product.stop();
    expect(signedInAgain.status).toBe(200);
    const { rows } = await at.database.pool.query(
      "SELECT a.password, s.token_sha256 FROM person_account a JOIN browser_session s USING (person_id) JOIN person p ON p.id = person_id WHERE p.email = $1",
      [email],
    );
    const token = decodeURIComponent(made.cookies.get(SESSION) ?? "").split(".")[0];
    expect(token).toMatch(/^\w{43}$/);
    expect(JSON.stringify(rows)).not.toContain(token);
    expect(rows[0].password).toMatch(/^[0-9a-f]{32}:[0-9a-f]{128}$/);
  });

  it("takes the session's place that was there before: a planted one opens nothing", async () => {
    const { email } = await person("viewer");
    const victim = browser(server.url);
    victim.cookies.set(SESSION, "planted.by-somebody");
    await signIn(victim, email);
    expect(victim.cookies.get(SESSION)).not.toContain("planted");
    const attacker = browser(server.url);
    attacker.cookies.set(SESSION, "planted.by-somebody");
    expect(await roleOf(attacker)).toBe("nobody");
  });

  it("that is wrong, of nobody, or too short is refused in the same words", async () => {
    const { email } = await person("viewer");
    const wrong = await signIn(browser(server.url), email, "not the password");
    const nobody = await signIn(browser(server.url), "nobody@example.org");
    expect([wrong.status, wrong.value]).toEqual([nobody.status, nobody.value]);
    expect(wrong.status).toBe(401);
  });

  it("guessed again and again is not asked of that address for a while; its owner signs in from another one", async () => {
    const { email } = await person("viewer");
    const [attacker, owner] = ["203.0.113.1", "203.0.113.2"];
    const answer = await atOneInstant(async () => {
      for (let guess = 0; guess < 10; guess++)
        await signIn(browser(server.url, attacker), email, `guess number ${guess}`);
      return signIn(browser(server.url, attacker), email);
    });
    expect([answer.status, answer.value]).toEqual([429, "too_many_attempts"]);
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    const another = await person("viewer");
    expect((await signIn(browser(server.url, attacker), another.email)).status).toBe(200);
    expect((await signIn(browser(server.url, owner), email)).status).toBe(200);
  });

  it("guessed with a session that was left open is slowed down as well", async () => {
    const { made } = await person("viewer");
    const guess = (number: number) =>
      made.account("/change-password", {
        currentPassword: `guess number ${number}`,
        newPassword: "another one of mine",
      });
    const codes: number[] = [];
    await atOneInstant(async () => {
      for (let number = 0; number < 7; number++) codes.push((await guess(number)).status);
    });
    expect(codes).toEqual([400, 400, 400, 400, 400, 429, 429]);
  });

  it("that is changed signs the other browsers out, whether or not the page asks for it", async () => {
    const { made, email } = await person("viewer");
    const other = browser(server.url);
    await signIn(other, email);
    await signIn(made, email);
    const body = { currentPassword: PASSWORD, newPassword: "another one of mine" };
    expect((await made.account("/change-password", body)).status).toBe(200);
    expect(await roleOf(other)).toBe("nobody");
    expect(await roleOf(made)).toBe("viewer");
  });

  it("is set first in a fresh session of a link; a weak one and a second one are refused", async () => {
    const made = await signedIn(server.url, server.database, server.admin.workspaceId, "viewer");
    const set = async (password: string) => {
      const { status, value } = await made.mutate("access.setPassword", { email: "first@example.org", password });
      return status === 200 ? status : value;
    };
    const hashes = async () =>
      (
        await at.database.pool.query(
          "SELECT password FROM person_account JOIN person p ON p.id = person_id WHERE p.email = 'first@example.org'",
        )
      ).rows;
    expect(await set("correct hor")).toBe("invalid_input");
    expect(await hashes()).toEqual([]);
    expect(await set(PASSWORD)).toBe(200);
    const first = await hashes();
    expect(await set("a wholly other one")).toBe("name_taken");
    expect(await hashes()).toEqual(first);
    expect((await signIn(browser(server.url), "first@example.org")).status).toBe(200);
  });

  it("is set by nobody whose session has grown old", async () => {
    const made = await signedIn(server.url, server.database, server.admin.workspaceId, "viewer");
    await at.database.pool.query("UPDATE browser_session SET created_at = now() - interval '2 hours'");
    const answer = await made.mutate("access.setPassword", { email: "old@example.org", password: PASSWORD });
    expect([answer.status, answer.value]).toEqual([403, "sign_in_again"]);
  });
});

/** The code of the half minute to come, which the server takes already. */
const nextCode = (uri: string) => totpCode(uri, Date.now() + 30_000);

describe("a second factor", () => {
  async function withFactor() {
    const { made, email } = await person("author");
    await signIn(made, email);
    const enabled = await made.account("/two-factor/enable", { password: PASSWORD });
    expect(enabled.status).toBe(200);
    const { totpURI, backupCodes } = enabled.value as { totpURI: string; backupCodes: string[] };
    const verified = await made.account("/two-factor/verify-totp", { code: totpCode(totpURI) });
    expect(verified.status).toBe(200);
    return { made, email, totpURI, backupCodes };
  }

  it("is asked for after the password, which alone opens nothing", async () => {
    const { email, totpURI } = await withFactor();
    const fresh = browser(server.url);
    const first = await signIn(fresh, email);
    expect(first.value).toMatchObject({ twoFactorRedirect: true });
    expect(await roleOf(fresh)).toBe("nobody");
    expect((await fresh.account("/two-factor/verify-totp", { code: "000000" })).status).toBeGreaterThanOrEqual(400);
    expect(await roleOf(fresh)).toBe("nobody");
    expect((await fresh.account("/two-factor/verify-totp", { code: nextCode(totpURI) })).status).toBe(200);
    expect(await roleOf(fresh)).toBe("author");
  });

  it("opens once by each code, also when two browsers send it at the same time, and by no older one after it", async () => {
    const { email, totpURI } = await withFactor();
    const challenged = async () => {
      const made = browser(server.url);
      await signIn(made, email);
      return made;
    };
    const verify = async (made: Browser, code: string) =>
      (await made.account("/two-factor/verify-totp", { code })).status;
    const both = [await challenged(), await challenged()];
    const code = nextCode(totpURI);
    const answers = await Promise.all(both.map((made) => verify(made, code)));
    expect(answers.sort()).toEqual([200, 401]);
    expect((await Promise.all(both.map(roleOf))).sort()).toEqual(["author", "nobody"]);
    expect(await verify(await challenged(), code)).toBe(401);
    expect(await verify(await challenged(), totpCode(totpURI))).toBe(401);
  });

  it("opens once by a recovery code, also when two browsers send it at the same time", async () => {
    const { email, backupCodes } = await withFactor();
    const both = [browser(server.url), browser(server.url)];
    for (const made of both) await signIn(made, email);
    const [code] = backupCodes;
    await Promise.all(both.map((made) => made.account("/two-factor/verify-backup-code", { code })));
    expect((await Promise.all(both.map(roleOf))).sort()).toEqual(["author", "nobody"]);
  });

  it("guessed by who knows the password is not asked of that address; its owner signs in from another one", async () => {
    const { email, totpURI } = await withFactor();
    const [attacker, owner] = [browser(server.url, "203.0.113.6"), browser(server.url, "203.0.113.7")];
    const statuses: number[] = [];
    await atOneInstant(async () => {
      for (let guess = 0; guess < 12; guess++) {
        if (guess % 4 === 0) await signIn(attacker, email);
        statuses.push((await attacker.account("/two-factor/verify-totp", { code: `00000${guess % 10}` })).status);
      }
    });
    expect(statuses.slice(-4)).toEqual([429, 429, 429, 429]);
    await signIn(owner, email);
    expect((await owner.account("/two-factor/verify-totp", { code: nextCode(totpURI) })).status).toBe(200);
    expect(await roleOf(owner)).toBe("author");
  });

  it("guessed under another spelling of the challenge's cookie, or beside somebody's own, is not asked at all", async () => {
    const { email, totpURI } = await withFactor();
    const challenged = browser(server.url, "203.0.113.8");
    await signIn(challenged, email);
    const [name, value] = [...challenged.cookies].find(([key]) => key.endsWith("two_factor")) ?? ["", ""];
    const { made: own, email: ownEmail } = await person("viewer");
    await signIn(own, ownEmail);
    const [session = ["", ""]] = [...own.cookies];
    const code = nextCode(totpURI);
    const refused = async (cookies: Iterable<readonly [string, string]>) => {
      const attacker = browser(server.url, "203.0.113.8");
      for (const [key, text] of cookies) attacker.cookies.set(key, text);
      return (await attacker.account("/two-factor/verify-totp", { code })).status;
    };
    expect(await refused([[name, value.replace("2fa-", "%32fa-")]])).toBe(401);
    expect(await refused([[name, `"${value}"`]])).toBe(401);
    expect(await refused([[name, `${value}; ${name}=${value}`]])).toBe(401);
    // Somebody's own session with a broken signature names nobody; the challenge beside it does.
    const broken: [string, string] = [session[0], `${session[1].slice(0, -6)}AAAA%3D`];
    expect(await refused([broken, [name, value]])).toBe(200);
  });

  it("may be a recovery code, once", async () => {
    const { email, backupCodes } = await withFactor();
    const [code = ""] = backupCodes;
    for (const expected of ["author", "nobody"]) {
      const fresh = browser(server.url);
      await signIn(fresh, email);
      await fresh.account("/two-factor/verify-backup-code", { code });
      expect(await roleOf(fresh)).toBe(expected);
    }
  });

  it("is stored sealed, and in the record", async () => {
    const { email, totpURI, backupCodes } = await withFactor();
    const { rows } = await at.database.pool.query(
      "SELECT f.secret, f.backup_codes FROM person_second_factor f JOIN person p ON p.id = f.person_id WHERE p.email = $1",
      [email],
    );
    expect(JSON.stringify(rows)).not.toContain(new URL(totpURI).searchParams.get("secret"));
    expect(JSON.stringify(rows)).not.toContain(backupCodes[0]);
    const told = await at.database.pool.query(
      "SELECT body::json->>'act' AS act FROM audit_entry WHERE kind = 'account_used' AND body::json->>'person' = (SELECT id::text FROM person WHERE email = $1) ORDER BY seq",
      [email],
    );
    expect(told.rows.map((row) => row.act)).toEqual(["password_set", "signed_in", "second_factor_on"]);
  });
});

describe("browsers", () => {
  it("are signed out when they were not used for a week, and after thirty days however much they were", async () => {
    const { made } = await person("viewer");
    const where = "WHERE person_id = (SELECT person_id FROM browser_session WHERE token_sha256 = $1)";
    const token = createHash("sha256")
      .update(tokenIn(made.cookies.get(SESSION) ?? ""))
      .digest("hex");
    const days = async () => {
      const { rows } = await at.database.pool.query(
        `SELECT extract(epoch FROM expires_at - now()) / 86400 AS left FROM browser_session ${where}`,
        [token],
      );
      return Math.round(Number(rows[0].left));
    };
    expect(await days()).toBe(7);
    const used = (created: string) =>
      at.database.pool.query(
        `UPDATE browser_session SET expires_at = now() + interval '1 day', last_seen_at = now() - interval '6 days',
         created_at = now() - $2::interval ${where}`,
        [token, created],
      );
    await used("20 days");
    expect(await roleOf(made)).toBe("viewer");
    await expect.poll(days).toBe(7);
    await used("28 days");
    expect(await roleOf(made)).toBe("viewer");
    await expect.poll(days).toBe(2);
  });

  it("are listed, and one or all others can be signed out; nobody else's", async () => {
    const { made, email } = await person("viewer");
    const other = browser(server.url);
    await signIn(other, email);
    const { sessions } = (await made.query("access.security")).value as { sessions: { id: string; isThis: boolean }[] };
    expect(sessions.map((one) => one.isThis).sort()).toEqual([false, true]);
    const otherId = sessions.find((one) => !one.isThis)?.id ?? "";
    const stranger = await person("owner");
    expect((await stranger.made.mutate("access.endSession", { sessionId: otherId })).status).toBe(404);
    expect(await roleOf(other)).toBe("viewer");
    expect((await made.mutate("access.endSession", { sessionId: otherId })).status).toBe(200);
    expect(await roleOf(other)).toBe("nobody");
    await signIn(other, email);
    expect((await made.mutate("access.endOtherSessions")).status).toBe(200);
    expect([await roleOf(other), await roleOf(made)]).toEqual(["nobody", "viewer"]);
  });
});

describe("the account routes", () => {
  it.each(["/sign-up/email", "/get-session", "/update-user", "/delete-user", "/list-sessions", "/ok", "/error", "/.."])(
    "%s, which we do not serve, does not exist",
    async (path) => {
      const { status } = await fetch(`${server.url}/api/auth${path}`, {
        method: "POST",
        headers: browser(server.url).header(),
        body: "{}",
      });
      expect(status).toBe(404);
    },
  );

  it("take nothing from another site, nothing large and nothing but JSON", async () => {
    const send = (headers: Record<string, string>, body: string) =>
      fetch(`${server.url}/api/auth/sign-in/email`, { method: "POST", headers, body }).then(({ status }) => status);
    const json = { "content-type": "application/json", origin: server.url };
    expect(await send({ ...json, origin: "https://evil.example" }, "{}")).toBe(403);
    expect(await send(json, JSON.stringify({ email: "a".repeat(20_000) }))).toBe(413);
    expect(await send({ ...json, "content-type": "application/x-www-form-urlencoded" }, "email=a")).toBe(415);
  });
});
