import { afterAll, beforeAll, expect, it } from "vitest";
import { browser, signedIn } from "../../e2e/fixtures/browser.ts";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { totpCode } from "../../e2e/fixtures/totp.ts";
import { createLog } from "../platform/log.ts";

let at: TestDatabase;
let server: TestGateway;
let said = "";

beforeAll(async () => {
  at = await testDatabase();
  const write = (line: string) => {
    said += line;
  };
  const log = createLog("trace", { write });
  server = await testGateway(at.url, { log });
});
afterAll(async () => {
  await server?.stop();
  await at?.drop();
});

it("no secret that passed through is in the log, at its most talkative, whether it was right or wrong", async () => {
  const owner = await signedIn(server.url, at.database, server.admin.workspaceId, "owner");
  const password = "correct horse battery";
  const email = "talker@example.org";
  const secrets = [password, server.secrets.adminToken, server.secrets.sessionSecret, "a wrong password of mine"];
  const note = (value: unknown, field: string) => secrets.push(String((value as Record<string, unknown>)[field])); // a view with one
  await owner.mutate("access.setPassword", { email, password });
  await owner.account("/sign-in/email", { email, password: "a wrong password of mine" });
  await owner.account("/sign-in/email", { email, password });
  const { totpURI, backupCodes } = (await owner.account("/two-factor/enable", { password })).value as {
    totpURI: string;
    backupCodes: string[];
  };
  secrets.push(new URL(totpURI).searchParams.get("secret") ?? "", ...backupCodes);
  await owner.account("/two-factor/verify-totp", { code: totpCode(totpURI) });
  await owner.account("/request-password-reset", { email });
  note((await owner.mutate("people.invite", { email: "guest@example.org", role: "viewer" })).value, "link");
  const service = (await owner.mutate("serviceAccounts.create", { name: "ci", role: "viewer" })).value as {
    serviceId: string;
  };
  note((await owner.mutate("serviceAccounts.createToken", { ...service, days: 1 })).value, "token");
  secrets.push(await server.agent("talker"));
  const signOn = {
    label: "Acme",
    issuer: "http://127.0.0.1:1",
    clientId: "c",
    clientSecret: "the secret of the client",
  };
  await owner.mutate("installation.saveSignOn", signOn);
  // The provider does not answer; what is said of that must not tell its secret.
  await browser(server.url).account("/sign-in/social", { provider: "sign-on", callbackURL: "/" });
  const mail = {
    host: "127.0.0.1",
    port: 1,
    security: "none",
    user: "u",
    from: email,
    password: "the post's password",
  };
  await owner.mutate("installation.saveMail", mail);
  await owner.mutate("installation.testMail");
  secrets.push(signOn.clientSecret, mail.password, ...[...owner.cookies.values()].map((one) => one.slice(0, 40)));
  expect(said).toContain("accounts");
  const told = secrets.filter((secret) => secret !== "" && said.includes(secret.replace(/^.*token=/, "")));
  expect(told).toEqual([]);
});
