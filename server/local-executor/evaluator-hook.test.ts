/** An evaluator hook under the local executor: the console asks, beside hooks that run on the agent's machine. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type EvaluatorStub, evaluatorStub } from "../../e2e/fixtures/evaluator-stub.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { type LocalExecutor, localExecutor } from "../../e2e/fixtures/local-executor.ts";
import { save } from "../judges/index.ts";
import { saveConnection } from "../judges/schema.ts";

const VERDICTS = '{ decisions: { "true": deny, "false": allow }, min_probability: 0.8, fallback: ask }';
const POLICY = `
profile: "2026-11"
evaluators:
  risk: { provider: typesafe, model: m-1, type: boolean, instructions: "Risky? yes" }
hooks:
  tool_guard:
    - matcher: "*"
      hooks:
        - { name: beside, type: command, run_on: agent, command: "true" }
        - { name: risk, type: evaluator, evaluator: risk, on_error: ignore, evaluator_policy: ${VERDICTS} }
`;

let db: TestDatabase;
let stub: EvaluatorStub;
let server: TestGateway;
let local: LocalExecutor;
beforeAll(async () => {
  [db, stub] = [await testDatabase(), await evaluatorStub()];
  server = await testGateway(db.url);
  const key = await server.agent("laptop");
  const trustKey = server.secrets.signingPublicKey.export({ type: "spki", format: "der" }).toString("base64");
  await server.publish(POLICY);
  const caps = { callsPerDay: null, nanoPerDay: null };
  const connection = { name: "checks", provider: "typesafe", baseUrl: stub.url, credential: "ts-0123456789abcdef" };
  const app = { ...server.running.app, db: server.database };
  await save(app, server.admin, saveConnection.parse({ ...connection, ...caps, prices: [] }));
  local = await localExecutor({ QUARTERDECK_URL: server.url, QUARTERDECK_KEY: key, QUARTERDECK_TRUST_KEY: trustKey });
}, 120_000);
afterAll(async () => {
  await local?.remove();
  await server?.stop();
  await stub?.stop();
  await db?.drop();
});

const guard = (cmd: string) => local.run(["tool_guard"], { session_id: "s", tool_name: "shell", tool_input: { cmd } });

it("gives its verdict to the agent's machine", async () => {
  const { stdout } = await guard("ls");
  expect(JSON.parse(stdout)).toMatchObject({
    hook_specific_output: {
      permission_decision: "deny",
      metadata: {
        evaluator: "risk",
        evaluator_choice: "true",
        evaluator_probability: "0.9",
        evaluator_model: "stub-7",
      },
    },
  });
  expect(stub.asked).toHaveLength(1);
});

it("denies when its provider is gone", async () => {
  await stub.stop();
  const { stdout } = await guard("ls -l");
  const said = JSON.parse(stdout);
  expect(said.decision ?? said.hook_specific_output?.permission_decision).toMatch(/block|deny/);
  expect(stdout).toContain("could not be reached");
});
