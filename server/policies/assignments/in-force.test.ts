/** One function says if an assignment is enforced, and every reader of rules, setup and health agrees with it. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { policyWorkspace } from "../../../e2e/fixtures/policy-workspace.ts";
import { findStart } from "../../overview/repository.ts";
import { findSetup } from "../../setup/repository.ts";
import { hooksInForce } from "../effective/hooks-in-force.ts";
import { listUnreadablePolicies } from "../effective/unreadable-policies.ts";
import { findGateGaps } from "../views.ts";

const { scene, newAgent, effective, publish, observe } = policyWorkspace();

it("a policy is enforced again for every reader once its observation is over", async () => {
  const agent = await newAgent("one");
  const { id } = await publish("p", "a");
  await scene.at.owner.query(
    `UPDATE policy_revision SET hooks = jsonb_set(hooks::jsonb, '{pre_tool_use}', '[{"hooks":7}]') WHERE policy_id = $1`,
    [id],
  );
  const { database } = scene.at;
  const { workspaceId } = scene.admin;
  const enforcedFor = async () => ({
    agent: (await effective(agent)).members.length > 0,
    rules: (await hooksInForce(database, workspaceId)).length > 0,
    health: (await listUnreadablePolicies(database, workspaceId)).every(({ isEnforced }) => isEnforced),
    setup: (await findSetup(database.pool, workspaceId, null)).hasPolicy,
    home: (await findStart(database.pool, workspaceId))?.is_governed,
    gaps: (await findGateGaps(database, workspaceId)).ungoverned.agents === 0,
  });
  const all = (is: boolean) => ({ agent: is, rules: is, health: is, setup: is, home: is });
  expect(await enforcedFor()).toMatchObject(all(true));
  await observe(id, new Date(Date.now() + 3_600_000));
  expect(await enforcedFor()).toMatchObject(all(false));
  await scene.at.owner.query("UPDATE assignment SET observe_until = now() - interval '1 s' WHERE policy_id = $1", [id]);
  expect(await enforcedFor()).toMatchObject({ ...all(true), gaps: true });
});

const SERVER = join(import.meta.dirname, "../..");
/** The function, and the reader of stored rows, which knows the words. */
const OWNERS = new Set(["policies/assignments/resolve-assignments.ts", "policies/assignments/stored-assignment.ts"]);
const OWN_COPY =
  /mode\s*(?:=|===|<>|!==)\s*['"](?:enforce|observe)['"]|observe_until\s*[<>]|observeUntil\??\.getTime\(\)\s*[<>]/;

it("no other file of the server decides it", () => {
  const copies = readdirSync(SERVER, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts") && !OWNERS.has(path))
    .filter((path) => OWN_COPY.test(readFileSync(join(SERVER, path), "utf8")));
  expect(copies).toEqual([]);
  expect(OWN_COPY.test(readFileSync(join(SERVER, "policies/assignments/resolve-assignments.ts"), "utf8"))).toBe(true);
});
