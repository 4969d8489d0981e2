/** A person chooses mail, gets a letter about a call that waits, and answers it from the page that the letter leads to. */
import { expect, expectAccessible, fresh, installation as test } from "./fixtures/console.ts";
import { smtpStub } from "./fixtures/smtp-stub.ts";
import { address, join, stranger } from "./pages/accounts.ts";

const POLICY = `hooks:
  pre_tool_use:
    - matcher: "^shell$"
      hooks: [{ type: builtin, command: ask_a_person }]
`;

test("a call that waits comes by mail to who chose it, and is answered after a sign-in", async ({ api, browser }) => {
  const smtp = await smtpStub();
  try {
    const mail = { host: "127.0.0.1", port: smtp.port, security: "none" as const, user: "", from: "deck@example.org" };
    await api.mutate("installation.saveMail", mail);
    const email = address("grace");
    await api.mutate("people.invite", { email, role: "approver" });
    await expect.poll(() => smtp.letters.at(-1)).toContain(email);
    const grace = await stranger(browser);
    const [invitation = ""] = /\/invite\?token=\w+/.exec(smtp.letters.at(-1) ?? "") ?? [];
    await join(grace, invitation, "Grace Hopper");

    await grace.goto("/notices");
    await expect(grace.getByText("No notifications")).toBeVisible();
    await grace.goto("/settings/notifications");
    await grace.getByRole("group", { name: "Approvals" }).getByLabel("E-mail").check();
    await grace.getByLabel("Quiet hours").check();
    await grace.getByLabel("To", { exact: true }).fill("22:00");
    await grace.getByRole("button", { name: "Save preferences" }).click();
    await expect(grace.getByText("Quiet hours must end at a different time than they begin.")).toBeVisible();
    await expectAccessible(grace);
    await grace.getByLabel("Quiet hours").uncheck();
    await grace.getByRole("button", { name: "Save preferences" }).click();
    await expect(grace.getByText("Preferences saved")).toBeVisible();

    const agent = fresh("worker");
    const key = await api.key(agent);
    const name = fresh("guarded");
    await api.mutate("policies.create", { name });
    await api.mutate("policies.publishByName", { name, source: POLICY });
    const underWay = fetch(`${api.url}/api/v1/hooks/pre_tool_use`, {
      method: "POST",
      headers: {
        ...{ authorization: `Bearer ${key}`, "content-type": "application/json", "quarterdeck-wait-seconds": "90" },
      },
      body: JSON.stringify({
        ...{
          session_id: "s",
          tool_name: "shell",
          tool_use_id: fresh("c"),
          tool_input: { cmd: "make secrets" },
          cwd: "/",
        },
      }),
    });
    await expect.poll(() => smtp.letters.at(-1), { timeout: 20_000 }).toContain("an agent waits for an answer");
    const letter = smtp.letters.at(-1) ?? "";
    expect(letter).toContain(`To: ${email}`);
    expect(letter).not.toContain("make secrets");
    const [link = ""] = /https?:\/\/\S+\/approvals#QD-\d+/.exec(letter) ?? [];

    const nobody = await stranger(browser);
    await nobody.goto(link);
    await expect(nobody.getByRole("button", { name: "Sign in" }).first()).toBeVisible();
    await grace.goto(link);
    const card = grace.getByRole("region", { name: /^QD-\d+ · / });
    await expect(card).toContainText(`${agent} wants to use shell`);
    await grace.goto("/notices");
    const row = grace.getByRole("list", { name: "Notices" }).getByRole("listitem").first();
    await expect(row).toContainText("unread");
    // The rail counts the call. The bell does not count it a second time.
    await expect(grace.getByRole("navigation").getByText("1 call to answer").first()).toBeAttached();
    await expect(grace.getByRole("link", { name: "Inbox", exact: true })).toBeVisible();
    await expectAccessible(grace);
    await row.getByRole("link").click();
    await card.getByRole("button", { name: "Allow once" }).click();
    expect(await (await underWay).text()).toContain("Allowed by Grace Hopper");
    // An answered call leaves the inbox.
    await grace.goto("/notices");
    await expect(grace.getByText("No notifications")).toBeVisible();

    await grace.goto("/settings/notifications");
    await grace.getByRole("button", { name: "Send test" }).click();
    await expect(grace.getByText("Test sent")).toBeVisible();
    await grace.goto("/notices");
    await expect(row).toContainText("Test notification");
    await expect(grace.getByRole("link", { name: "Inbox: 1 unread notice" })).toBeVisible();
    await grace.getByRole("button", { name: "Mark all as read" }).click();
    await expect(row).not.toContainText("unread");
  } finally {
    await smtp.close();
  }
});

test("the worker that opens notifications is a script that a browser takes", { tag: "@proof" }, async ({ browser }) => {
  const page = await stranger(browser);
  await page.goto("/sign-in");
  const answer = await page.request.get("/notice-worker.js");
  expect(answer.headers()["content-type"]).toBe("text/javascript; charset=utf-8");
  const scope = await page.evaluate(async () => {
    await navigator.serviceWorker.register("/notice-worker.js");
    return (await navigator.serviceWorker.ready).scope;
  });
  expect(scope).toBe(new URL("/", page.url()).href);
});
