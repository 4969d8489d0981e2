/** The pages that scripts/screenshots.mjs --all takes pictures of, with what opens on them. */

const row = async (page) => {
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor();
};
const press = (name) => async (page) => {
  await page.getByRole("button", { name }).first().click();
  await page.locator("[role=dialog], [role=alertdialog]").first().waitFor();
};
const keys = (pressed) => async (page) => {
  await page.keyboard.press(pressed);
  await page.getByRole("dialog").waitFor();
};

/** Every page with its views: an address, and with what opens on it, how. [name] is looked up in the workspace. */
export const EVERY_PAGE = {
  overview: ["/?range=24h"],
  palette: ["/?range=24h", keys("ControlOrMeta+k")],
  shortcuts: ["/?range=24h", keys("?")],
  decisions: ["/activity?range=24h"],
  "decisions-views": ["/activity?range=24h", press("Saved views")],
  "decisions-paused": ["/activity?range=1h&at=2026-01-01T00:00:00.000Z"],
  "decisions-denied": ["/activity?range=24h&q=verdict:deny"],
  "decision-drawer": ["/activity?range=24h&q=verdict:deny", row],
  "approval-sources": ["/activity/approval-paths?range=24h"],
  rules: ["/policies/performance?range=24h"],
  "rule-drawer": ["/policies/performance?range=24h", row],
  sessions: ["/activity/sessions?range=24h"],
  timeline: ["/activity/sessions/timeline?[session]"],
  compactions: ["/activity/compactions?range=24h"],
  "compaction-drawer": ["/activity/compactions?range=24h", row],
  "compactions-trends": ["/activity/compactions?view=trends&range=24h"],
  alerts: ["/settings/alerts"],
  "alert-new": ["/settings/alerts", press("New alert")],
  policies: ["/policies"],
  "policy-new": ["/policies", press("New policy")],
  "policy-import": ["/policies", press("Import…")],
  packs: ["/policies/packs"],
  "policies-rules": ["/policies/rules"],
  policy: ["/policies/[policy]"],
  "policy-tests": ["/policies/[policy]?view=tests"],
  "policy-changes": ["/policies/[policy]?view=changes"],
  "policy-revisions": ["/policies/[policy]?view=revisions"],
  "policy-revision": ["/policies/[policy]?view=revisions&revision=1"],
  "policy-playground": ["/policies/[policy]?try=true"],
  "policy-assignments": ["/policies/[policy]", press("Edit assignments")],
  backtests: ["/policies/[policy]/backtests"],
  backtest: ["/policies/[policy]/backtests/[backtest]"],
  judges: ["/policies/judges?range=24h"],
  "judges-calls": ["/policies/judges?view=calls&range=24h"],
  "judges-connection-new": ["/policies/judges", press("New connection")],
  prompts: ["/policies/prompts"],
  "prompt-new": ["/policies/prompts", press(/New prompt/)],
  prompt: ["/policies/prompts/[prompt]"],
  "prompt-checks": ["/policies/prompts/[prompt]?view=checks"],
  "prompt-known-calls": ["/policies/prompts/[prompt]?view=known"],
  "prompt-trials": ["/policies/prompts/[prompt]?view=trials"],
  "prompt-compare": ["/policies/prompts/[prompt]?view=compare"],
  "prompt-revisions": ["/policies/prompts/[prompt]?view=revisions"],
  agents: ["/agents"],
  "agent-new": ["/agents", keys("c")],
  agent: ["/agents/[agent]"],
  connect: ["/agents/connect"],
  "connect-client": ["/agents/connect?client=claude-code"],
  tools: ["/agents/tools"],
  extensions: ["/agents/extensions"],
  clients: ["/agents/clients"],
  approvals: ["/approvals"],
  "approvals-answered": ["/approvals/answered"],
  exceptions: ["/approvals/exceptions"],
  people: ["/agents/people"],
  person: ["/agents/people/[person]"],
  login: ["/agents/login"],
  groups: ["/agents/groups"],
  "group-new": ["/agents/groups", press("New group")],
  enrolment: ["/agents/enrolment"],
  "enrolment-new": ["/agents/enrolment", press("New token")],
  reviews: ["/policies/reviews"],
  "reviews-all": ["/policies/reviews?reviews=all"],
  halts: ["/audit/halts"],
  "halt-new": ["/audit/halts", press("Stop agents…")],
  costs: ["/spend?range=24h"],
  "costs-groups": ["/spend?view=groups&by=agent&split=model&range=24h"],
  "costs-models": ["/spend?by=model&range=24h"],
  "costs-sessions": ["/spend?view=sessions&range=24h"],
  "costs-calls": ["/spend?view=calls&range=24h"],
  "costs-prices": ["/spend/prices"],
  "costs-statements": ["/spend?view=statements"],
  budgets: ["/spend/budgets"],
  "budget-new": ["/spend/budgets", press("New budget")],
  "budget-drawer": [
    "/spend/budgets",
    async (page) => {
      await page.getByRole("list", { name: "Budgets" }).getByRole("button").first().click();
      await page.getByRole("dialog").waitFor();
    },
  ],
  audit: ["/audit"],
  "audit-entry": ["/audit", row],
  "audit-proof": ["/audit/proof"],
  "audit-evidence": ["/audit/evidence"],
  "data-lifecycle": ["/settings/data"],
  health: ["/settings/health"],
  notices: ["/notices"],
  notifications: ["/settings/notifications"],
  settings: ["/settings"],
  "settings-people": ["/settings/people"],
  "settings-sign-on": ["/settings/sign-on"],
  "approvals-answerers": ["/approvals/answerers"],
  "settings-calendar": ["/settings/calendar"],
  "settings-streams": ["/settings/streams"],
  "stream-new": ["/settings/streams", press("New stream")],
  "settings-webhooks": ["/settings/webhooks"],
  "webhook-new": ["/settings/webhooks", press("New webhook")],
  "settings-publishing": ["/settings/publishing"],
  documents: ["/docs"],
  document: ["/docs/concepts"],
  "not-found": ["/nowhere"],
};
/** The page of the second factor comes after the password of a person who has one: the answer alone is made up. */
const secondFactor = async (page) => {
  await page.route("**/sign-in/email", (route) => route.fulfill({ json: { twoFactorRedirect: true } }));
  await page.getByLabel("E-mail").fill("person@example.org");
  await page.getByLabel("Password").fill("correct horse battery");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByLabel("Code").waitFor();
};

export const PUBLIC_PAGES = {
  "sign-in": ["/sign-in"],
  "sign-in-empty": ["/sign-in", (page) => page.getByRole("button", { name: "Sign in", exact: true }).click()],
  "sign-in-forgotten": ["/sign-in", (page) => page.getByRole("button", { name: "Forgot password?" }).click()],
  "sign-in-code": ["/sign-in", secondFactor],
  "sign-in-recovery": [
    "/sign-in",
    async (page) => {
      await secondFactor(page);
      await page.getByRole("button", { name: "Sign in with a recovery code" }).click();
    },
  ],
  "sign-in-link-used": ["/sign-in?token=used"],
  "sign-in-not-invited": ["/sign-in?error=not_invited"],
  reset: ["/sign-in/reset?[reset]"],
  "reset-used": ["/sign-in/reset?token=used"],
  invite: ["/invite?[invite]"],
  "invite-used": ["/invite?token=used"],
};
