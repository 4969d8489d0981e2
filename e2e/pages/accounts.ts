/** The pages on which people get in. */
import { type Browser, expect, type Page } from "@playwright/test";
import superjson from "superjson";
import { found, fresh, type InputOf, patient, type Script } from "../fixtures/console.ts";

export const PASSWORD = "correct horse battery";
export const address = (who: string) => `${fresh(who).replaceAll(" ", "-")}@example.org`;

/** A browser of somebody else's. */
export const stranger = async (browser: Browser): Promise<Page> =>
  patient(await (await browser.newContext()).newPage());

export async function invite(api: Script, email: string, role: InputOf<"people.invite">["role"]): Promise<string> {
  const { link } = await api.mutate("people.invite", { email, role });
  return `/invite${new URL(found(link)).search}`;
}

export async function join(page: Page, link: string, name: string): Promise<void> {
  await page.goto(link);
  await page.getByLabel("Your name").fill(name);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Join" }).click();
  await page.waitForURL((url) => url.pathname === "/");
}

export async function signIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.goto("/sign-in");
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

/** Another browser of the person on `page`, as one that was left open: a link that a browser made proves nothing. */
export async function leftOpen(page: Page, browser: Browser, { url }: Script): Promise<Page> {
  const headers = { origin: url };
  const made = await page.request.post("/api/trpc/access.createSignInLink", { headers, data: {} });
  const { token } = superjson.deserialize<{ token: string }>((await made.json()).result.data);
  const open = patient(await (await browser.newContext({ baseURL: url })).newPage());
  const data = superjson.serialize({ token });
  expect((await open.request.post("/api/trpc/access.signIn", { headers, data })).ok()).toBe(true);
  return open;
}
