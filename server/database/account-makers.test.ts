/** The upgrade finds the makers of accounts that are gone, in memberships, tokens, invitations and the record. */
import { randomUUID } from "node:crypto";
import pg from "pg";
import { afterEach, beforeEach, expect, it } from "vitest";
import { emptyDatabase } from "../../e2e/fixtures/database.ts";
import { migrate, readMigrations } from "./migrate.ts";

const BEFORE = "20261127111000_account_makers";

let database: Awaited<ReturnType<typeof emptyDatabase>>;
let client: pg.Client;
const workspace = randomUUID();
beforeEach(async () => {
  database = await emptyDatabase();
  const names = (await readMigrations()).map(({ name }) => name);
  await migrate(database.url, undefined, new Set(names.filter((name) => name < BEFORE)));
  client = new pg.Client(database.url);
  await client.connect();
  await client.query("SELECT set_config('quarterdeck.workspace', '*', false)");
  await client.query("INSERT INTO workspace (id, name) VALUES ($1, 'old')", [workspace]);
});
afterEach(async () => {
  await client.end();
  await database.drop();
});

let seq = 0;
async function entry(kind: string, actor: { kind: string; id: string }, body: object): Promise<void> {
  seq += 1;
  await client.query(
    `INSERT INTO audit_entry (workspace_id, seq, kind, chain_version, hash, body, actor_kind, actor_id)
     VALUES ($1, $2, $3, 2, '\\x00', $4, $5, $6)`,
    [workspace, seq, kind, JSON.stringify(body), actor.kind, actor.id],
  );
}
const person = async (isProven = false): Promise<string> => {
  const id = randomUUID();
  await client.query("INSERT INTO person (id, name, email_verified) VALUES ($1, 'p', $2)", [id, isProven]);
  return id;
};

async function invitation(maker: { kind: string; id: string }): Promise<string> {
  const id = randomUUID();
  await client.query(
    `INSERT INTO invitation (workspace_id, id, token_sha256, email, role, invited_by, expires_at, accepted_at, maker_kind, maker_id)
     VALUES ($1, $2::uuid, sha256($2::text::bytea), 'a@example.org', 'admin', 'x', now(), now(), $3, $4)`,
    [workspace, id, maker.kind, maker.id],
  );
  return id;
}

it("of members, of members that left, of removed service accounts and of reset links", async () => {
  const [founder, member, left, proven, machine] = [
    await person(),
    await person(),
    await person(),
    await person(true),
    randomUUID(),
  ];
  const by = { kind: "person", id: founder };
  for (const [id, maker] of [
    [founder, null],
    [member, left],
  ] as const)
    await client.query(
      "INSERT INTO membership (workspace_id, person_id, role, invited_by_id) VALUES ($1, $2, 'admin', $3)",
      [workspace, id, maker],
    );
  for (const id of [left, proven])
    await entry("invitation_accepted", { kind: "person", id }, { invitation: await invitation(by), person: id });
  await entry("service_token_created", by, { service: machine, token: randomUUID() });
  await entry("account_used", by, { act: "reset_link_created", person: member });
  await migrate(database.url);
  const { rows } = await client.query("SELECT account_id, maker_id, was_proven FROM account_maker");
  const made = rows.map((row) => [row.account_id, row.maker_id, row.was_proven].join(" ")).toSorted();
  expect(made).toEqual(
    [
      `${founder}  false`,
      `${member} ${left} false`,
      `${member} ${founder} false`,
      `${left} ${founder} false`,
      `${proven} ${founder} true`,
      `${machine} ${founder} false`,
    ].toSorted(),
  );
});

it("of keys that a service account made, itself or by an enrolment token", async () => {
  const [machine, token, agent, own, joined] = [randomUUID(), randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  await client.query("INSERT INTO agent (workspace_id, id, name) VALUES ($1, $2, 'a')", [workspace, agent]);
  for (const id of [own, joined])
    await client.query(
      `INSERT INTO agent_key (workspace_id, id, agent_id, key_sha256, hint)
       VALUES ($1, $2::uuid, $3, sha256($2::text::bytea), 'h')`,
      [workspace, id, agent],
    );
  await client.query(
    `INSERT INTO enrolment_token (workspace_id, id, name, token_sha256, hint, uses_max, made_by, expires_at)
     VALUES ($1, $2::uuid, 't', sha256($2::text::bytea), 'h', 1, 'ci', now())`,
    [workspace, token],
  );
  await entry("enrolment_token_created", { kind: "service", id: machine }, { token });
  await entry("agent_key_created", { kind: "service", id: machine }, { agent, key: own });
  await entry("agent_key_created", { kind: "service", id: token }, { agent, key: joined });
  await migrate(database.url);
  const { rows } = await client.query("SELECT DISTINCT created_by_id FROM agent_key");
  expect(rows).toEqual([{ created_by_id: machine }]);
});
