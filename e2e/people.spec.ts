/** How people get in: an invitation and a change of role, a second factor, a forgotten password, a company's provider. */
import type { Browser, Page } from "@playwright/test";
import { expect, expectAccessible, fresh, patient, type Script, test } from "./fixtures/console.ts";
import { type OidcStub, oidcStub } from "./fixtures/oidc-stub.ts";
import { smtpStub } from "./fixtures/smtp-stub.ts";
import { totpCode } from "./fixtures/totp.ts";

const PASSWORD = "correct horse battery";
const address = (who: string) => `${fresh(who).replaceAll(" ", "-")}@example.org`;

/** A browser of somebody else's. */
const stranger = async (browser: Browser): Promise<Page> => patient(await (await browser.newContext()).newPage());

async function invite(api: Script, email: string, role: string): Promise<string> {
  const { link } = (await api.mutate("people.invite", { email, role })) as { link: string }; // invitedView
  return `/invite${new URL(link).search}`;
}

async function join(page: Page, link: string, name: string): Promise<void> {
  await page.goto(link);
  await page.getByLabel("Your name").fill(name);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Join" }).click();
  await page.waitForURL((url) => url.pathname === "/");
}

async function signIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.goto("/sign-in");
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

test("somebody invited as an author joins, and is a viewer from the moment somebody says so", async ({
  page,
  browser,
}) => {
  const email = address("grace");
  await page.goto("/settings?tab=people");
  await page.getByRole("button", { name: "Invite" }).click();
  await page.getByLabel("E-mail").fill(email);
  await page.getByRole("combobox", { name: "Role" }).click();
  await page.getByRole("option", { name: "author" }).click();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Make the invitation" }).click();
  const link = (await page.getByTestId("shown-once").textContent()) ?? "";
  await page.getByRole("button", { name: "I have it" }).click();

  const other = await stranger(browser);
  await other.goto(`/invite${new URL(link).search}`);
  await expect(other.getByRole("heading", { name: /^Join/ })).toBeVisible();
  await expectAccessible(other);
  await join(other, `/invite${new URL(link).search}`, "Grace Hopper");
  await other.goto("/policies");
  await expect(other.getByRole("heading", { name: "Policies" })).toBeVisible();
  const created = () =>
    other.evaluate(async () => {
      const response = await fetch("/api/trpc/policies.create", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ json: { name: `of grace ${Math.random()}` } }),
      });
      return response.status;
    });
  expect(await created()).toBe(200);

  await page.reload();
  const row = page.getByRole("listitem").filter({ hasText: email });
  await row.getByRole("combobox", { name: "Role of Grace Hopper" }).click();
  await page.getByRole("option", { name: "viewer" }).click();
  await expect(page.getByText("Grace Hopper is viewer now")).toBeVisible();
  expect(await created()).toBe(403);
  await other.goto("/settings?tab=people");
  await expect(other.getByText(/This takes the role/)).toBeVisible();
  await other.goto("/policies");
  await expect(other.getByRole("button", { name: "New policy" }).first()).toBeDisabled();

  await row.getByRole("button", { name: "More about Grace Hopper" }).click();
  await page.getByRole("menuitem", { name: "Remove from the workspace…" }).click();
  await page.getByRole("button", { name: "Remove", exact: true }).click();
  await expect(row).toHaveCount(0);
  // Their page finds out by itself.
  await other.waitForURL((url) => url.pathname === "/sign-in");
});

test("a second factor is set up, asked for, and replaced by a recovery code", async ({ api, browser }) => {
  const email = address("alan");
  const page = await stranger(browser);
  await join(page, await invite(api, email, "viewer"), "Alan Turing");
  await page.goto("/settings");
  await page.getByLabel("Your password").fill(PASSWORD);
  await page.getByRole("button", { name: "Set it up" }).click();
  const secret = (await page.getByTestId("totp-secret").textContent()) ?? "";
  const uri = `otpauth://totp/x?secret=${secret}`;
  const [recovery = ""] = await page
    .getByRole("list", { name: "Recovery codes" })
    .getByRole("listitem")
    .allTextContents();
  await expectAccessible(page);
  await page.getByLabel("The code it shows now").fill(totpCode(uri));
  await page.getByRole("button", { name: "Turn it on" }).click();
  await expect(page.getByText("The second factor is on")).toBeVisible();

  const again = await stranger(browser);
  await signIn(again, email);
  await again.getByLabel("Code").fill("000000");
  await again.getByRole("button", { name: "Go on" }).click();
  await expect(again.getByText(/This code is not right/)).toBeVisible();
  // Each code works once: the one of the half minute to come.
  await again.getByLabel("Code").fill(totpCode(uri, Date.now() + 30_000));
  await again.getByRole("button", { name: "Go on" }).click();
  await again.waitForURL((url) => url.pathname === "/");

  const lost = await stranger(browser);
  await signIn(lost, email);
  await lost.getByRole("button", { name: "Use a recovery code" }).click();
  await lost.getByLabel("Recovery code").fill(recovery);
  await lost.getByRole("button", { name: "Go on" }).click();
  await lost.waitForURL((url) => url.pathname === "/");

  // The browser it was set up in signs the two others out.
  await page.goto("/settings");
  await expect(page.getByRole("list", { name: "Browsers" }).getByRole("listitem")).toHaveCount(3);
  await page.getByRole("button", { name: "Sign out all others" }).click();
  await expect(page.getByRole("list", { name: "Browsers" }).getByRole("listitem")).toHaveCount(1);
  // Its page finds out by itself.
  await lost.waitForURL((url) => url.pathname === "/sign-in");
});

test("a forgotten password is replaced by the link that comes by mail", async ({ api, browser }) => {
  const smtp = await smtpStub();
  const email = address("barbara");
  try {
    const mail = { host: "127.0.0.1", port: smtp.port, security: "none", user: "", from: "quarterdeck@example.org" };
    await api.mutate("installation.saveMail", mail);
    const joined = await stranger(browser);
    expect(await api.mutate("people.invite", { email, role: "viewer" })).toMatchObject({ link: null, isMailed: true });
    await expect.poll(() => smtp.letters.at(-1)).toContain(email);
    const [invitation = ""] = /\/invite\?token=\w+/.exec(smtp.letters.at(-1) ?? "") ?? [];
    await join(joined, invitation, "Barbara Liskov");

    const page = await stranger(browser);
    await page.goto("/sign-in");
    await page.getByRole("button", { name: "Forgotten?" }).click();
    await page.getByLabel("E-mail").fill(email);
    await page.getByRole("button", { name: "Send a link" }).click();
    await expect(page.getByText(/a link is on its way/)).toBeVisible();
    await expect.poll(() => smtp.letters.at(-1)).toContain("/sign-in/reset?token=");
    const [link = ""] = /\/sign-in\/reset\?token=\w+/.exec(smtp.letters.at(-1) ?? "") ?? [];
    await page.goto(link);
    await page.getByLabel("New password").fill("a wholly new password");
    await expectAccessible(page);
    await page.getByRole("button", { name: "Set the password" }).click();
    await expect(page.getByRole("heading", { name: "Your password is set" })).toBeVisible();
    // It may be on its way there by itself.
    await joined.goto("/").catch(() => undefined);
    await joined.waitForURL((url) => url.pathname === "/sign-in");
    await signIn(page, email);
    await expect(page.getByText("The e-mail address and the password do not match.")).toBeVisible();
    await signIn(page, email, "a wholly new password");
    await page.waitForURL((url) => url.pathname === "/");
    await page.goto(link);
    await page.getByLabel("New password").fill("once more with feeling");
    await page.getByRole("button", { name: "Set the password" }).click();
    await expect(page.getByText(/This link was used or has expired/)).toBeVisible();
  } finally {
    await smtp.close();
  }
});

test("a company's provider signs in whom an invitation names, by an address it verified, and nobody else", async ({
  page,
  api,
  browser,
}) => {
  const oidc = await oidcStub(`${api.url}/api/auth/callback/sign-on`);
  try {
    await page.goto("/settings?tab=sign-on");
    await page.getByLabel("Provider").fill(oidc.issuer);
    await page.getByLabel("Client id").fill(oidc.clientId);
    await page.getByLabel("Client secret").fill(oidc.clientSecret);
    await page.getByLabel("Button").fill("Sign in with Acme");
    await expectAccessible(page);
    await page.getByRole("button", { name: "Save sign-on" }).click();
    await expect(page.getByText("Sign-on is saved")).toBeVisible();
    await page.reload();
    await expect(page.getByText("one is kept")).toBeVisible();
    expect(await page.content()).not.toContain(oidc.clientSecret);

    const email = address("edsger");
    await arrive(browser, oidc, { email, isVerified: true }, /error=not_invited/);
    await invite(api, email, "auditor");
    await arrive(browser, oidc, { email, isVerified: false }, /error=not_invited/);
    const joined = await arrive(browser, oidc, { email, isVerified: true }, /\/$/);
    await joined.goto("/settings");
    await expect(joined.getByLabel("Name")).toHaveValue("Edsger Dijkstra");
    const asked = oidc.asked.at(-1);
    expect(asked?.get("code_challenge_method")).toBe("S256");
    expect(asked?.get("state")).toBeTruthy();
    expect(asked?.get("nonce")).toBeTruthy();
    // Once linked, the provider's word for who it is counts, and no other's with the same address.
    await arrive(browser, oidc, { email, isVerified: true }, /\/$/);
    await arrive(browser, oidc, { sub: "another", email, isVerified: false }, /error=account_not_linked/);
  } finally {
    await api.mutate("installation.removeSignOn").catch(() => undefined);
    await oidc.close();
  }
});

async function arrive(
  browser: Browser,
  oidc: OidcStub,
  who: { sub?: string; email: string; isVerified: boolean },
  at: RegExp,
): Promise<Page> {
  oidc.visitor = { sub: who.email, name: "Edsger Dijkstra", ...who };
  const page = await stranger(browser);
  await page.goto("/sign-in");
  await page.getByRole("button", { name: "Sign in with Acme" }).click();
  await page.waitForURL(at);
  return page;
}
