/** States of a workspace that pictures are taken of: a person who may only read, and names that are long or run right to left. */
import { randomUUID } from "node:crypto";

const JOIN_MS = 60_000;
const PASSWORD = "correct horse battery";
/** The longest that every name may be. */
const CHARS = 64;
const LONG = "release-engineering-and-production-database-migrations-of-europe".slice(0, CHARS);
const RIGHT_TO_LEFT = "سياسة الحماية للفريق الأول";
export const NAMES = [LONG, RIGHT_TO_LEFT, "קבוצת פיתוח"];

/** The page of a new person with the role, in a browser context of its own. */
export async function joinAs({ role, page, newPage, mutate }) {
  const email = `${role}-${randomUUID().slice(0, 8)}@example.org`;
  const { link } = await mutate(page, "people.invite", { email, role });
  const joined = await newPage();
  await joined.goto(new URL(`/invite${new URL(link).search}`, page.url()).href);
  await joined.getByLabel("Your name").fill(role);
  await joined.getByLabel("Password").fill(PASSWORD);
  await joined.getByRole("button", { name: "Join" }).click();
  await joined.waitForURL((url) => url.pathname === "/", { timeout: JOIN_MS });
  return joined;
}

const RULES = (name) => `hooks:
  pre_tool_use:
    - matcher: shell
      hooks:
        - name: "${name}"
          type: rules
          rules: [{ deny: "${name}", command: { program: rm } }]
    - matcher: deploy
      hooks: [{ name: "${name}", type: builtin, command: ask_a_person, args: ["${name}"] }]
`;

/** Makes one of everything with each name, in the workspace that the page shows, and calls that concern it. */
export async function makeNamed(page, mutate) {
  for (const name of NAMES) {
    const { agentId, key } = await mutate(page, "agents.create", { name });
    await mutate(page, "agents.createGroup", { name });
    await mutate(page, "policies.publishByName", { name, source: RULES(name), note: name });
    const plainName = name.length === CHARS ? name : `judge-${randomUUID().slice(0, 4)}`;
    await mutate(page, "prompts.create", { name: plainName });
    await mutate(page, "judges.save", {
      ...{ name: plainName, provider: "openai-compatible", baseUrl: "https://judges.example.com/v1", prices: [] },
      ...{ callsPerDay: null, nanoPerDay: null },
    });
    await mutate(page, "budgets.create", {
      ...{ name, about: { scope: "agent", agentId }, period: "day", amountNano: 5_000_000_000n, reserveNano: null },
      ...{ thresholds: [50], isHard: false, unpriced: "pass" },
    });
    await mutate(page, "people.invite", { email: `${"a".repeat(40)}-${randomUUID()}@example.org`, role: "viewer" });
    await mutate(page, "serviceAccounts.create", { name, role: "viewer" });
    await report(page, key, name);
  }
}

/** A denied call, a call that waits for a person, and a model call. */
async function report(page, key, name) {
  const { origin } = new URL(page.url());
  const send = async (event, input) => {
    const response = await page.request.post(`${origin}/api/v1/hooks/${event}`, {
      headers: { authorization: `Bearer ${key}` },
      data: { session_id: name, cwd: `/srv/${name}`, tool_use_id: randomUUID(), ...input },
    });
    if (!response.ok()) throw new Error(`${event}: HTTP ${response.status()}`);
  };
  const path = `/srv/${LONG}/${LONG}/${name}`;
  await send("session_start", { source: "startup" });
  await send("user_prompt_submit", { prompt: name });
  await send("pre_tool_use", { tool_name: "shell", tool_input: { cmd: `rm -rf ${path}` } });
  await send("pre_tool_use", { tool_name: "deploy", tool_input: { to: path } });
  await send("after_llm_call", { model_id: `acme/${LONG}`, cost: 0.5, usage: { input_tokens: 9, output_tokens: 9 } });
}
