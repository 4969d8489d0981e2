/**
 * The attempts of a workspace's owner to make the server ask inside its network for them. Each attempt differs from a
 * call that succeeds in its address alone, and is refused by the address rule's own words.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { byPage, resisted } from "../../e2e/fixtures/attempt.ts";
import { type Browser, signedIn } from "../../e2e/fixtures/browser.ts";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { type Victim, victimOf } from "../../e2e/fixtures/victim.ts";
import { VARIABLES } from "../platform/outgoing/address-rule.ts";

/** The one private address that the operator lists, for every purpose. */
const LISTED = "127.0.0.1";

let db: TestDatabase;
let server: TestGateway;
let target: Victim;
/** The owner of the first workspace, who alone sets sign-on and mail. */
let owner: Browser;

beforeAll(async () => {
  db = await testDatabase();
  const allowed = { privateModels: LISTED, privateWebhooks: LISTED, privateSignOn: LISTED, privateMail: LISTED };
  server = await testGateway(db.url, { allowed });
  target = await victimOf(server);
  owner = await signedIn(server.url, server.database, server.admin.workspaceId, "owner");
});
afterAll(async () => {
  await server?.stop();
  await db?.drop();
});

interface Aim {
  readonly who: () => Browser;
  readonly path: string;
  readonly inputOf: (address: string) => unknown;
  /** Where the operator would have to list a private address. */
  readonly variable: string;
}

const AIMS = {
  judge: {
    who: () => target.attacker,
    path: "judges.save",
    inputOf: (baseUrl) => ({
      name: "inside",
      provider: "openai-compatible",
      baseUrl,
      callsPerDay: null,
      nanoPerDay: null,
      prices: [],
    }),
    variable: VARIABLES.models,
  },
  checkpoint: {
    who: () => target.attacker,
    path: "audit.setCheckpoints",
    inputOf: (webhookUrl) => ({ entries: 100, seconds: 60, webhookUrl }),
    variable: VARIABLES.webhooks,
  },
  webhook: {
    who: () => target.attacker,
    path: "webhooks.save",
    inputOf: (url) => ({ url, kinds: ["policy.published"], isEnabled: true }),
    variable: VARIABLES.webhooks,
  },
  "sign-on provider": {
    who: () => owner,
    path: "installation.saveSignOn",
    inputOf: (issuer) => ({ label: "Acme", issuer, clientId: "x", clientSecret: "y" }),
    variable: VARIABLES.signOn,
  },
  "mail server": {
    who: () => owner,
    path: "installation.saveMail",
    inputOf: (host) => ({ host, port: 25, security: "starttls", user: "", from: "deck@example.org" }),
    variable: VARIABLES.mail,
  },
} as const satisfies Record<string, Aim>;

const HOSTS = [
  "127.0.0.2",
  "localhost",
  "[::1]",
  "0.0.0.0",
  "10.0.0.1",
  "192.168.0.1:8080",
  "169.254.169.254",
  "[fd00::1]",
  "[::ffff:169.254.169.254]",
];

/** The call succeeds where its address may be asked. */
async function reaches({ who, path, inputOf }: Aim, address: string): Promise<void> {
  expect(await who().mutate(path, inputOf(address))).toMatchObject({ status: 200 });
}

async function isRefused({ who, path, inputOf }: Aim, address: string, says: string): Promise<void> {
  let said = "";
  const attempt = byPage(who, path, inputOf(address), "mutate");
  await resisted(target, async () => {
    const answer = await attempt();
    said = answer.text;
    return answer;
  }, [400]);
  expect([address, said]).toEqual([address, expect.stringContaining(says)]);
}

describe.each(["judge", "checkpoint", "webhook"] as const)("a %s", (name) => {
  const aim = AIMS[name];
  test("is asked at an address that the operator lists", () => reaches(aim, `http://${LISTED}:9/v1`));

  test.each(HOSTS.flatMap((host) => [`http://${host}/v1`, `https://${host}/v1`]))("is not asked at %s", (url) =>
    isRefused(aim, url, aim.variable),
  );

  test.each([
    ["file:///etc/passwd", "begins with https://"],
    ["gopher://127.0.0.1:5432/", "begins with https://"],
    ["http://user:password@127.0.0.1:9/v1", "Leave name and password out"],
    ["http://models.example/v1", "Use https"],
    ["http://127.0.0.1:9/v1?a=b", "from ? or # on"],
  ])("is not asked at %s", (url, says) => isRefused(aim, url, says));
});

describe("a sign-on provider", () => {
  const aim = AIMS["sign-on provider"];
  test("is asked at an address that the operator lists", () => reaches(aim, `http://${LISTED}:9`));

  test.each(HOSTS.map((host) => `https://${host}`))("is not asked at %s", (issuer) =>
    isRefused(aim, issuer, aim.variable),
  );
});

describe("a mail server", () => {
  const aim = AIMS["mail server"];
  test("is asked at an address that the operator lists", () => reaches(aim, LISTED));

  test.each(HOSTS.map((host) => host.replace(/^\[|\]$|:8080$/g, "")))("is not asked at %s", (host) =>
    isRefused(aim, host, aim.variable),
  );
});
