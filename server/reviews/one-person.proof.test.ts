/** One person with many accounts is one person, also after accounts in between are removed. */
import { describe, expect, it } from "vitest";
import {
  ada,
  bob,
  bus,
  codeOf,
  db,
  decide,
  olga,
  openReviewedWorkspace,
  person,
  request,
  scene,
  setFourEyes,
  TOMORROW,
  workspaceId,
} from "../../e2e/fixtures/reviewed-workspace.ts";
import type { Administrator, PersonActor, ServiceActor } from "../access/actor.ts";
import { createEnrolmentToken } from "../agents/enrolment-tokens.ts";
import * as agents from "../agents/index.ts";
import { join } from "../agents/join.ts";
import * as approvals from "../approvals/index.ts";
import { answerRequest } from "../approvals/schema.ts";
import { uuidv7 } from "../platform/ids.ts";
import { sha256 } from "../platform/secrets.ts";

openReviewedWorkspace();

async function remove(actor: Administrator): Promise<void> {
  if (actor.kind === "service") await db().prisma.serviceAccount.deleteMany({ where: { id: actor.id } });
  else await db().prisma.membership.deleteMany({ where: { workspaceId, personId: actor.id } });
}

const invited = (by: Administrator, isProven = false): Promise<PersonActor> =>
  person(`Account ${uuidv7()}`, "admin", { invitedBy: by, isProven });

async function token(accountId: string, by: Administrator): Promise<void> {
  const made = { id: uuidv7(), tokenSha256: new Uint8Array(sha256(uuidv7())), hint: "", expiresAt: TOMORROW };
  await db().prisma.serviceToken.create({ data: { workspaceId, accountId, ...made, createdById: by.id } });
}

async function service(by: Administrator): Promise<ServiceActor> {
  const id = uuidv7();
  await db().prisma.serviceAccount.create({ data: { workspaceId, id, name: id, role: "admin" } });
  await token(id, by);
  return { kind: "service", role: "admin", workspaceId, id, name: id };
}

async function resetLink(of: Administrator, by: Administrator): Promise<void> {
  const link = { tokenSha256: new Uint8Array(sha256(uuidv7())), expiresAt: TOMORROW };
  await db().prisma.passwordLink.create({
    data: { workspaceId, personId: of.id, makerKind: by.kind, makerId: by.id, ...link },
  });
  await db().prisma.passwordLink.deleteMany({ where: { personId: of.id } });
}

interface Pair {
  readonly first: Administrator;
  readonly second: PersonActor;
}

/** Two accounts of one person, Olga. */
const CHAINS: readonly (readonly [string, () => Promise<Pair>])[] = [
  [
    "an account of a removed account",
    async () => {
      const middle = await invited(olga);
      const second = await invited(middle);
      await remove(middle);
      return { first: olga, second };
    },
  ],
  [
    "an account at the end of two removed ones",
    async () => {
      const [one] = [await invited(olga)];
      const two = await invited(one);
      const second = await invited(two);
      await remove(one);
      await remove(two);
      return { first: olga, second };
    },
  ],
  [
    "two accounts of one removed account",
    async () => {
      const middle = await invited(olga);
      const [first, second] = [await invited(middle), await invited(middle)];
      await remove(middle);
      return { first, second };
    },
  ],
  [
    "accounts of two removed accounts",
    async () => {
      const [one, two] = [await invited(olga), await invited(olga)];
      const [first, second] = [await invited(one), await invited(two)];
      await remove(one);
      await remove(two);
      return { first, second };
    },
  ],
  [
    "an account of a removed service account",
    async () => {
      const middle = await service(olga);
      const second = await invited(middle);
      await remove(middle);
      return { first: olga, second };
    },
  ],
  [
    "an account of a service account that is there",
    async () => ({ first: olga, second: await invited(await service(olga)) }),
  ],
  [
    "an account of a service account of a removed account",
    async () => {
      const middle = await invited(olga);
      const machine = await service(middle);
      const second = await invited(machine);
      await remove(middle);
      return { first: olga, second };
    },
  ],
  [
    "a service account that a removed account made",
    async () => {
      const middle = await invited(olga);
      const first = await service(middle);
      await remove(middle);
      return { first, second: olga };
    },
  ],
  [
    "a service account that is removed, of a removed account",
    async () => {
      const middle = await invited(olga);
      const first = await service(middle);
      await remove(middle);
      await remove(first);
      return { first, second: olga };
    },
  ],
  [
    "a service account whose second token is of another maker",
    async () => {
      const first = await service(bob);
      await token(first.id, olga);
      return { first, second: olga };
    },
  ],
  [
    "an account that was removed and let in anew by another person",
    async () => {
      const second = await invited(olga);
      await remove(second);
      await db().prisma.membership.create({
        data: { workspaceId, personId: second.id, role: "admin", invitedById: bob.id },
      });
      return { first: olga, second };
    },
  ],
  [
    "two accounts that let each other in anew",
    async () => {
      const first = await invited(olga);
      const second = await invited(first);
      await remove(first);
      await db().prisma.membership.create({
        data: { workspaceId, personId: first.id, role: "admin", invitedById: second.id },
      });
      return { first, second };
    },
  ],
  [
    "an account that a reset link opened",
    async () => {
      const second = await person("Reset", "admin");
      await resetLink(second, olga);
      return { first: olga, second };
    },
  ],
  [
    "an account of one that a reset link opened, both gone",
    async () => {
      const middle = await person("Reset", "admin");
      await resetLink(middle, olga);
      const second = await invited(middle);
      await remove(middle);
      return { first: olga, second };
    },
  ],
  [
    "an account whose role changed, of a removed one",
    async () => {
      const middle = await invited(olga);
      const second = await invited(middle);
      await db().prisma.membership.updateMany({ where: { personId: middle.id }, data: { role: "viewer" } });
      await remove(middle);
      await db().prisma.membership.updateMany({ where: { personId: second.id }, data: { role: "approver" } });
      return { first: olga, second: { ...second, role: "approver" } };
    },
  ],
];

const context = () => ({ db: db(), bus });

async function waiting(agentId: string, peopleNeeded: number): Promise<string> {
  const id = uuidv7();
  await db().pool.query(
    `INSERT INTO approval_request (workspace_id, id, number, is_waiting, agent_id, agent_name, session_id, tool_name, call_id,
       input_sha256, input, is_whole, reason, asked_by, expires_at, people_needed)
     VALUES ($1, $2::uuid, 1000 + (random() * 1e6)::int, false, $3, 'a', 's', 'shell', 'c', sha256($2::text::bytea), '{}', true, 'why', '[]',
       now() + interval '1 hour', $4)`,
    [workspaceId, id, agentId, peopleNeeded],
  );
  return id;
}
const allow = (id: string, by: Administrator) =>
  codeOf(approvals.answer(context(), by, answerRequest.parse({ id, verdict: "allow" })));

/** The places that ask for another person; each answers "done" when the second account passed. */
const PLACES: readonly (readonly [string, (pair: Pair) => Promise<string>])[] = [
  [
    "agrees to a change of what binds",
    async ({ first, second }) => {
      const { policyId } = await scene();
      await setFourEyes(policyId, true);
      const { changeId } = await request({ kind: "observe", input: { policyId, until: TOMORROW } }, first);
      return codeOf(decide(changeId, second));
    },
  ],
  [
    "agrees that four eyes are off",
    async ({ first, second }) => {
      const { policyId } = await scene();
      await setFourEyes(policyId, true);
      const asked = await codeOf(setFourEyes(policyId, false, first));
      // A service account may not even ask.
      return asked === "done" ? codeOf(setFourEyes(policyId, false, second)) : asked;
    },
  ],
  [
    "is the second of two people who allow a call",
    async ({ first, second }) => {
      const id = await waiting(uuidv7(), 2);
      const answered = await allow(id, first);
      return answered === "done" ? allow(id, second) : answered;
    },
  ],
  [
    "answers for an agent whose key the first one made",
    async ({ first, second }) => {
      const { agentId } = await agents.create(db(), bus, bob, { name: uuidv7() });
      await db().pool.query("DELETE FROM agent_key WHERE agent_id = $1", [agentId]);
      await agents.createKey(db(), bus, first, { agentId });
      return allow(await waiting(agentId, 1), second);
    },
  ],
  [
    "answers for an agent that joined with an enrolment token of the first one",
    async ({ first, second }) => {
      const { token: joining } = await createEnrolmentToken(db(), bus, first, { name: "t", uses: 1, hours: 1 });
      const { agent_id: agentId } = await join(db(), bus, joining, { name: uuidv7() });
      return allow(await waiting(agentId, 1), second);
    },
  ],
];

const CASES = CHAINS.flatMap(([chain, make]) => PLACES.map(([place, pass]) => ({ chain, place, make, pass })));

it.each(CASES)("$chain never $place", async ({ make, pass }) => {
  expect(await pass(await make())).not.toBe("done");
});

it.each(PLACES)("another person %s", async (_, pass) => {
  const second = await person("Second", "admin", { invitedBy: olga, isProven: true });
  expect(await pass({ first: olga, second })).toBe("done");
});

it.each(PLACES)("an account of who left with a proven address %s", async (_, pass) => {
  const left = await invited(olga, true);
  const second = await invited(left);
  await remove(left);
  expect(await pass({ first: olga, second })).toBe("done");
});

it.each(PLACES)("an account whose maker is not known never %s", async (_, pass) => {
  const second = await invited(olga);
  await db().pool.query("DELETE FROM account_maker WHERE account_id = $1", [second.id]);
  expect(await pass({ first: olga, second })).not.toBe("done");
});

it("where no other person is, an account that made no key of the agent answers for it", async () => {
  await remove(bob);
  await remove(ada);
  const second = await invited(olga);
  const { agentId } = await agents.create(db(), bus, olga, { name: "own" });
  expect(await allow(await waiting(agentId, 1), olga)).toBe("approval_own_agent");
  expect(await allow(await waiting(agentId, 1), second)).toBe("done");
  await agents.createKey(db(), bus, second, { agentId });
  expect(await allow(await waiting(agentId, 1), second)).toBe("done");
});

describe("four eyes are switched on", () => {
  it("not by a person whose accounts are the only reviewers, and by them once another person is one", async () => {
    const { policyId } = await scene();
    await remove(bob);
    await remove(ada);
    await invited(olga);
    expect(await codeOf(setFourEyes(policyId, true, olga))).toBe("second_person_needed");
    await person("Cy", "approver");
    expect(await codeOf(setFourEyes(policyId, true, olga))).toBe("done");
  });

  it("not by the machine where all reviewers count as one person", async () => {
    const { policyId } = await scene();
    const script: Administrator = { kind: "script", workspaceId, id: "admin-token", name: "admin token" };
    await remove(bob);
    await remove(ada);
    await invited(olga);
    expect(await codeOf(setFourEyes(policyId, true, script))).toBe("second_person_needed");
    await person("Cy", "approver");
    expect(await codeOf(setFourEyes(policyId, true, script))).toBe("done");
  });
});
