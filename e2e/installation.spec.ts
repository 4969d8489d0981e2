/** Settings of a whole installation, on a server of its own: mail for a forgotten password, a company's provider. */
import type { Browser, Page } from "@playwright/test";
import { expect, expectAccessible, installation as test } from "./fixtures/console.ts";
import { type OidcStub, oidcStub } from "./fixtures/oidc-stub.ts";
import { smtpStub } from "./fixtures/smtp-stub.ts";
import { address, invite, join, signIn, stranger } from "./pages/accounts.ts";

// One server for both.
test.describe.configure({ mode: "default" });

test("a forgotten password is replaced by the link that comes by mail", async ({ api, browser }) => {
  const smtp = await smtpStub();
  const email = address("barbara");
  try {
    const mail = {
      host: "127.0.0.1",
      port: smtp.port,
      security: "none" as const,
      user: "",
      from: "quarterdeck@example.org",
    };
    await api.mutate("installation.saveMail", mail);
    const joined = await stranger(browser);
    expect(await api.mutate("people.invite", { email, role: "viewer" })).toMatchObject({ link: null, isMailed: true });
    await expect.poll(() => smtp.letters.at(-1)).toContain(email);
    const [invitation = ""] = /\/invite\?token=\w+/.exec(smtp.letters.at(-1) ?? "") ?? [];
    await join(joined, invitation, "Barbara Liskov");

    const page = await stranger(browser);
    await page.goto("/sign-in");
    await page.getByRole("button", { name: "Forgot password?" }).click();
    await expect(page.getByRole("heading", { name: "Reset your password" })).toBeVisible();
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
    await expect(page.getByText("The e-mail address or the password is wrong.")).toBeVisible();
    await signIn(page, email, "a wholly new password");
    await page.waitForURL((url) => url.pathname === "/");
    await page.goto(link);
    await page.getByLabel("New password").fill("once more with feeling");
    await page.getByRole("button", { name: "Set the password" }).click();
    await expect(page.getByText(/This link was already used or has expired/)).toBeVisible();
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
    await page.goto("/settings/sign-on");
    await page.getByLabel("Provider").fill(oidc.issuer);
    await page.getByLabel("Client id").fill(oidc.clientId);
    await page.getByLabel("Client secret").fill(oidc.clientSecret);
    await page.getByLabel("Button").fill("Sign in with Acme");
    await expectAccessible(page);
    await page.getByRole("button", { name: "Save sign-on" }).click();
    await expect(page.getByText("Sign-on saved")).toBeVisible();
    await page.reload();
    await expect(page.getByText("already set")).toBeVisible();
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
