/** Links, codes and tokens that open something once: of eight that race for one, exactly one gets through. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Browser, browser, signedIn } from "../../e2e/fixtures/browser.ts";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { type SmtpStub, smtpStub } from "../../e2e/fixtures/smtp-stub.ts";
import { totpCode } from "../../e2e/fixtures/totp.ts";
import type { Role } from "../access/role-schema.ts";

const RACERS = 8;
const PASSWORD = "correct horse battery";
let at: TestDatabase;
let server: TestGateway;
let smtp: SmtpStub;
let counter = 0;

beforeAll(async () => {
  at = await testDatabase();
  server = await testGateway(at.url, { trustedProxies: "loopback" });
  smtp = await smtpStub();
});
afterAll(async () => {
  await smtp?.close();
  await server?.stop();
  await at?.drop();
});

/** A browser at an address of its own. */
const stranger = () => browser(server.url, `198.51.100.${(counter++ % 250) + 1}`);
const as = (role: Role) => signedIn(server.url, at.database, server.admin.workspaceId, role);
const tokenOf = (link: unknown) => new URL(String(link)).searchParams.get("token") ?? "";
const linkIn = (value: unknown) => tokenOf((value as { link: string }).link);

async function member(by: Browser, role: Role) {
  const email = `race${counter++}@example.org`;
  const page = stranger();
  const token = linkIn((await by.mutate("people.invite", { email, role })).value);
  await page.mutate("access.acceptInvitation", { token, account: { name: "Grace", password: PASSWORD } });
  await page.account("/sign-in/email", { email, password: PASSWORD });
  const { id } = (await page.query("access.me")).value as { id: string };
  return { email, page, id };
}

async function withFactor() {
  const { email, page } = await member(await as("owner"), "owner");
  const enabled = (await page.account("/two-factor/enable", { password: PASSWORD })).value;
  const { totpURI, backupCodes } = enabled as { totpURI: string; backupCodes: string[] };
  await page.account("/two-factor/verify-totp", { code: totpCode(totpURI) });
  const challenged = async () => {
    const fresh = stranger();
    await fresh.account("/sign-in/email", { email, password: PASSWORD });
    return fresh;
  };
  return { totpURI, backupCodes, browsers: await Promise.all(Array.from({ length: RACERS }, challenged)) };
}

/** Runs the racers at once. Answers how many got through. */
async function race(run: (number: number) => Promise<{ readonly status: number }>): Promise<number> {
  const answers = await Promise.all(Array.from({ length: RACERS }, (_, number) => run(number)));
  // 503 refuses a racer while the others hold every connection.
  expect(answers.filter(({ status }) => status >= 500 && status !== 503)).toEqual([]);
  return answers.filter(({ status }) => status < 400).length;
}

const reset = (token: string) => (number: number) =>
  stranger().account("/reset-password", { token, newPassword: `a wholly new password ${number}` });

const RACES: Readonly<Record<string, () => Promise<number>>> = {
  "a password link of an admin": async () => {
    const admin = await as("admin");
    const { id } = await member(admin, "viewer");
    return race(reset(linkIn((await admin.mutate("people.createResetLink", { personId: id })).value)));
  },
  "a password link by mail": async () => {
    const owner = await as("owner");
    const { email } = await member(owner, "viewer");
    const mail = { host: "127.0.0.1", port: smtp.port, security: "none", user: "", from: "quarterdeck@example.org" };
    await owner.mutate("installation.saveMail", mail);
    const before = smtp.letters.length;
    await stranger().account("/request-password-reset", { email });
    await expect.poll(() => smtp.letters.length).toBeGreaterThan(before);
    await at.database.pool.query("DELETE FROM installation_setting WHERE name = 'mail'");
    const letter = (smtp.letters.at(-1) ?? "").replaceAll("=\r\n", "").replaceAll("=3D", "=");
    return race(reset(/sign-in\/reset\?token=(\w+)/.exec(letter)?.[1] ?? ""));
  },
  "an invitation": async () => {
    const { value } = await (await as("admin")).mutate("people.invite", {
      email: `race${counter++}@example.org`,
      role: "viewer",
    });
    return race((number) =>
      stranger().mutate("access.acceptInvitation", {
        token: linkIn(value),
        account: { name: `Grace ${number}`, password: PASSWORD },
      }),
    );
  },
  "a sign-in link": async () => {
    const { token } = (await (await as("owner")).mutate("access.createSignInLink")).value as { token: string };
    return race(() => stranger().mutate("access.signIn", { token }));
  },
  "a code of an authenticator": async () => {
    const { browsers, totpURI } = await withFactor();
    const code = totpCode(totpURI, Date.now() + 30_000);
    return race((number) => browsers[number]?.account("/two-factor/verify-totp", { code }) ?? Promise.reject());
  },
  "a recovery code": async () => {
    const { browsers, backupCodes } = await withFactor();
    const [code] = backupCodes;
    return race((number) => browsers[number]?.account("/two-factor/verify-backup-code", { code }) ?? Promise.reject());
  },
  "the last use of an enrolment token": async () => {
    const { token } = (
      await (await as("admin")).mutate("agents.createEnrolmentToken", { name: `t${counter++}`, uses: 1, hours: 1 })
    ).value as { token: string };
    return race((number) =>
      fetch(`${server.url}/api/v1/join`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        body: JSON.stringify({ name: `racer ${counter++} ${number}` }),
      }),
    );
  },
};

describe("spent once", () => {
  it.each(Object.entries(RACES))("%s", async (_, run) => {
    expect(await run()).toBe(1);
  });
});
