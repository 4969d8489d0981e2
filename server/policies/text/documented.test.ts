/** docker-agent's own documentation, where it stands beside the checkout: each of its examples through the whole console. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { contractOf } from "@quarterdeck/hooks";
import { clientTimeouts } from "@quarterdeck/hooks/contract/client-timeouts";
import { type HooksConfig, nativeHooks } from "@quarterdeck/hooks/contract/config";
import { GATE_LONGER_THAN_CALLER } from "@quarterdeck/hooks/contract/lint/blocking-rules";
import { Ajv } from "ajv";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import { type TestDatabase, testDatabase } from "../../../e2e/fixtures/database.ts";
import { publishedSchema } from "../../../e2e/fixtures/published-schema.ts";
import * as agents from "../../agents/index.ts";
import { type Bus, createBus } from "../../events/index.ts";
import { uuidv7 } from "../../platform/ids.ts";
import { log } from "../../platform/log.ts";
import { exportAgent } from "../effective/exports.ts";
import { NO_CASES } from "../publishing/case-gate.ts";
import { publishByName } from "../publishing/publish.ts";
import type { Override } from "../schema.ts";
import { exportByName } from "../views.ts";
import { previewImport } from "./read-in-worker.ts";

const REFERENCE = join(import.meta.dirname, "../../../../shared/reference");
const isPublished = new Ajv({ strict: false }).compile(publishedSchema("2026-08"));
const file = existsSync(REFERENCE) ? readdirSync(REFERENCE).find((name) => name.startsWith("000_")) : undefined;

let at: TestDatabase;
let bus: Bus;
beforeAll(async () => {
  at = await testDatabase();
  bus = createBus(at.url, log());
});
afterAll(async () => {
  await bus.close();
  await at.drop();
});

async function workspaceWithAgent() {
  const workspaceId = uuidv7();
  await at.database.prisma.workspace.create({ data: { id: workspaceId, name: "docs" } });
  await at.database.pool.query("INSERT INTO audit_head (workspace_id) VALUES ($1)", [workspaceId]);
  const actor = { kind: "person", role: "owner", workspaceId, id: uuidv7(), name: "Ada" } as const;
  await agents.create(at.database, bus, actor, { name: "root" });
  return actor;
}

/** Seconds that an enrolled agent waits at a gate. Two examples have longer limits at one. */
const WAITED_S = clientTimeouts(contractOf("pre_tool_use", "2026-08")).curl;
const OVERRIDE: Override = { typed: "documented", reason: "It ends in a second.", rules: [GATE_LONGER_THAN_CALLER] };

const published = (actor: Awaited<ReturnType<typeof workspaceWithAgent>>, source: string, override?: Override) =>
  publishByName(
    at.database,
    bus,
    actor,
    { name: "documented", source, note: "", ...(override && { override }) },
    NO_CASES,
  );

test.skipIf(file === undefined)(
  "every documented example validates, publishes, exports and is imported as it was (needs ../shared/reference)",
  async () => {
    const text = readFileSync(join(REFERENCE, file ?? ""), "utf8");
    const examples = [...text.matchAll(/^```ya?ml\n([\s\S]*?)^```/gm)]
      .map(([, yaml = ""]) => yaml)
      .filter((yaml) => /^\s*hooks:/m.test(yaml));
    expect(examples.length).toBeGreaterThan(10);
    for (const example of examples) {
      const { source, check } = await previewImport("documented", { source: example });
      expect(check.problems, source).toEqual([]);
      const actor = await workspaceWithAgent();
      const isOverlong = [...source.matchAll(/\btimeout: (\d+)/g)].some(([, limit]) => Number(limit) > WAITED_S);
      if (isOverlong) await expect(published(actor, source)).rejects.toMatchObject({ code: "policy_blocked" });
      await published(actor, source, isOverlong ? OVERRIDE : undefined);
      expect(await exportByName(at.database, actor.workspaceId, "documented")).toBe(source);

      // The documents are of this release, in which safer_shell asks.
      const native = await exportAgent(at.database, actor.workspaceId, "root", "1.100");
      expect(isPublished(parse(native)), JSON.stringify(isPublished.errors)).toBe(true);
      const { hooks } = parse(source) as { hooks: HooksConfig }; // holds: it was just published
      expect(parse((await previewImport("documented", { source: native })).source).hooks).toEqual(nativeHooks(hooks));
    }
  },
);
