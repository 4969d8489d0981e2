/** Settings of streams: the texts that leave, the comparison with the record, secrets, addresses and entries. */
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { type StreamRig, streamRig } from "../../e2e/fixtures/stream-rig.ts";
import * as record from "./check.ts";
import type { SaveStream } from "./schema.ts";
import * as service from "./service.ts";

let scene: StreamRig;
beforeAll(async () => {
  scene = await streamRig();
});
afterAll(() => scene?.close());
afterEach(() => scene.reset());

test("the level of masking decides which texts leave", async () => {
  const at = await scene.tenant();
  const secret = `ghp_${"a1B2".repeat(9)}`;
  await scene.call(at, "pre_tool_use", { tool_input: { cmd: `login ${secret}` } });
  const sent = async (masking: SaveStream["masking"]) => {
    scene.http.requests.length = 0;
    const id = await scene.made(at, { name: masking, masking, kinds: ["decision"] });
    await scene.drain(at, id);
    return scene.http.requests.map(({ body }) => body.toString()).join("");
  };
  expect(await sent("stored")).toContain(secret);
  const masked = await sent("masked");
  expect(masked).toContain("login");
  expect(masked).not.toContain(secret);
  const facts = await sent("facts");
  for (const word of ["login", secret, '"no"']) expect(facts).not.toContain(word);
});

test("rows that retention removed are counted, and block nothing", async () => {
  const at = await scene.tenant();
  for (let index = 0; index < 3; index += 1) await scene.call(at);
  await scene.rig.db.owner.query(
    "DELETE FROM dispatch WHERE (workspace_id, id) IN (SELECT workspace_id, id FROM dispatch WHERE workspace_id = $1 LIMIT 1)",
    [at.workspaceId],
  );
  const id = await scene.made(at, { kinds: ["decision"] });
  await scene.drain(at, id);
  expect(await scene.view(at)).toMatchObject({ events: 2, removed: 1, lagMs: 0 });
  expect(await record.check(scene.rig.db.database, at.workspaceId, { id, after: null })).toMatchObject({
    ...{ sent: 2, recorded: 2, removed: 0, differing: [] },
  });
});

test("a record that was altered behind a stream differs from what it sent", async () => {
  const at = await scene.tenant();
  for (let index = 0; index < 3; index += 1) await scene.call(at);
  const id = await scene.made(at, { kinds: ["decision"] });
  await scene.drain(at, id);
  await scene.rig.db.owner.query(
    "UPDATE chain_batch SET leaves = overlay(leaves placing 'AAAA' from 1) WHERE workspace_id = $1",
    [at.workspaceId],
  );
  const { differing, sent, recorded } = await record.check(scene.rig.db.database, at.workspaceId, { id, after: null });
  expect([differing.length > 0, sent, recorded]).toEqual([true, 3, 3]);
});

test("a changed filter begins where it was changed, and both parts agree with the record", async () => {
  const at = await scene.tenant();
  for (let index = 0; index < 4; index += 1) await scene.call(at);
  const id = await scene.made(at, { kinds: ["decision"] });
  await scene.drain(at, id);
  await service.save(scene.world, at.actor, scene.settings({ id, kinds: ["decision", "event"] }));
  for (let index = 0; index < 4; index += 1) await scene.call(at, "session_start");
  await scene.drain(at, id);
  expect(scene.http.lines().map(({ kind }) => kind)).toEqual([...Array(4).fill("decision"), ...Array(4).fill("event")]);
  expect(await record.check(scene.rig.db.database, at.workspaceId, { id, after: null })).toMatchObject({
    ...{ sent: 8, recorded: 8, differing: [] },
  });
});

test("a secret is sealed, is not returned, and is not sent to another place", async () => {
  const at = await scene.tenant();
  const id = await scene.made(at, { secret: "Bearer very-hidden" });
  const stored = await scene.rig.db.owner.query("SELECT secret, target FROM stream WHERE id = $1", [id]);
  expect(JSON.stringify(stored.rows) + stored.rows[0]?.secret.toString("latin1")).not.toContain("very-hidden");
  expect(JSON.stringify(await scene.view(at))).not.toContain("very-hidden");
  const elsewhere = scene.settings({ id, address: "https://siem.example.com/events" });
  await expect(service.save(scene.world, at.actor, elsewhere)).rejects.toThrow("Enter the secret again.");
  expect(await service.test(scene.world, at.workspaceId, { id })).toEqual({ status: 200, error: null });
  expect(scene.http.requests[0]?.headers.authorization).toBe("Bearer very-hidden");
});

test.each([
  ["http", "http://169.254.169.254/latest"],
  ["http", "https://quarterdeck.example/api/v1/events"],
  ["http", "https://siem.example.com/?token=1"],
  ["syslog", "169.254.169.254:6514"],
  ["syslog", "siem.example.com"],
  ["s3", "file:///etc"],
] as const)("a stream of kind %s to %s is refused", async (kind, address) => {
  const at = await scene.tenant();
  const more = { bucket: "b12", region: "eu-1", accessKeyId: "AKID" };
  await expect(service.save(scene.world, at.actor, scene.settings({ kind, address, ...more }))).rejects.toThrow();
});

test("each change of a stream is an entry of the record, without the address's path or a secret", async () => {
  const at = await scene.tenant();
  const id = await scene.made(at, { secret: "hidden", address: `${scene.http.url}/path-with-key` });
  await service.rewind(scene.world, at.actor, { id, seq: 0 });
  await service.remove(scene.world, at.actor, { id });
  const { rows } = await scene.rig.db.owner.query(
    "SELECT kind, body, changes FROM audit_entry WHERE workspace_id = $1 ORDER BY seq",
    [at.workspaceId],
  );
  expect(rows.map(({ kind }) => kind)).toEqual(["stream_saved", "stream_rewound", "stream_removed"]);
  expect(JSON.stringify(rows)).not.toMatch(/hidden|path-with-key/);
  await expect(service.remove(scene.world, at.actor, { id })).rejects.toMatchObject({ code: "stream_not_found" });
});
