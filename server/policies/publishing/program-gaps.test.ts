/** A program that a gate needs and that its sandbox lacks: refused at publish, named by the doctor. Real sandbox, real database. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newWorkspace } from "../../../e2e/fixtures/browser.ts";
import { type TestDatabase, testDatabase } from "../../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../../e2e/fixtures/gateway.ts";
import { examine } from "../../doctor/index.ts";
import type { AppError } from "../../errors/app-error.ts";
import { inWorkspace } from "../../platform/scope.ts";
import { readPolicy } from "../text/source.ts";
import { NO_CASES } from "./case-gate.ts";
import { findProgramGaps } from "./program-gaps.ts";
import { publishByName } from "./publish.ts";

const ABSENT = "quarterdeck-absent-program";
const policyWith = (event: string, command: string, more = "") => `profile: "2026-08"
hooks:
  ${event}:
    - name: checked
      type: command
      command: ${JSON.stringify(command)}
${more}`;

let db: TestDatabase;
let server: TestGateway;
beforeAll(async () => {
  db = await testDatabase();
  server = await testGateway(db.url);
});
afterAll(async () => {
  await server?.stop();
  await db?.drop();
});

const gapsOf = (source: string) => {
  const { hooks, profile } = readPolicy(source);
  if (!hooks) throw new Error("the policy can be read");
  return findProgramGaps(hooks, profile, server.running.app.findPrograms);
};

describe("the programs of a hook", () => {
  it("are looked for where it runs", async () => {
    expect(await gapsOf(policyWith("user_prompt_submit", "cat | grep -q x && exit 2; exit 0"))).toEqual([]);
    expect(await gapsOf(policyWith("user_prompt_submit", `cat | ${ABSENT} -r .x`))).toMatchObject([
      { kind: "missing", isGate: true, program: ABSENT, hook: "user_prompt_submit, checked" },
    ]);
  });

  it("are found by the PATH that the hook sets", async () => {
    const more = "      env: { PATH: /nowhere }\n";
    const gaps = await gapsOf(policyWith("user_prompt_submit", "grep -q x", more));
    expect(gaps).toMatchObject([{ kind: "missing", program: "grep" }]);
  });

  it("are needed by no gate where nothing can be stopped, or where the script looks for them first", async () => {
    expect(await gapsOf(policyWith("session_end", ABSENT))).toMatchObject([{ kind: "missing", isGate: false }]);
    const looked = `if command -v ${ABSENT} >/dev/null; then ${ABSENT}; fi`;
    expect(await gapsOf(policyWith("user_prompt_submit", looked))).toMatchObject([{ kind: "missing", isGate: false }]);
  });

  it("that cannot be read are said to be unknown", async () => {
    expect(await gapsOf(policyWith("user_prompt_submit", "$CHECKER --all"))).toMatchObject([{ kind: "unknown" }]);
  });

  it("beside an agent are looked for there", async () => {
    const gaps = await gapsOf(policyWith("user_prompt_submit", ABSENT, "      run_on: agent\n"));
    expect(gaps).toMatchObject([{ kind: "beside_agent", says: expect.stringContaining("quarterdeck hook --check") }]);
  });

  it("are unknown where the search fails", async () => {
    const { hooks, profile } = readPolicy(policyWith("user_prompt_submit", "grep -q x"));
    const gaps = await findProgramGaps(hooks ?? {}, profile, async () => ({ kind: "failed", reason: "no sandbox" }));
    expect(gaps).toMatchObject([{ kind: "unknown", says: expect.stringContaining("no sandbox") }]);
  });
});

const workspace = async () => ({ ...server.admin, workspaceId: await newWorkspace(db.database, "programs") });

it("a gate that lacks its program is not published: the place, the hook, the program and what to do are named", async () => {
  const actor = await workspace();
  const { bus, cases } = server.running.app;
  const publish = (source: string) =>
    publishByName(server.database, bus, actor, { name: "guard", source, note: "" }, cases);
  const refused = await publish(policyWith("user_prompt_submit", `${ABSENT} x`)).catch((error: AppError) => error);
  expect(refused).toMatchObject({ code: "policy_blocked" });
  expect((refused as AppError).options.problems).toEqual([
    expect.objectContaining({
      path: "hooks.user_prompt_submit[0].command",
      line: 6,
      rule: "gate-program-missing",
      message: `user_prompt_submit, checked runs ${ABSENT}, which is not in the sandbox. Install it where the server runs hooks, or write a rule (type: rules) that needs no program.`,
    }),
  ]);
  expect((await publish(policyWith("session_end", ABSENT))).number).toBe(1);
});

it("the doctor fails for a gate in force, warns elsewhere, and says what is unknown", async () => {
  const found = async (source: string) => {
    const actor = await workspace();
    const { app } = server.running;
    await publishByName(server.database, app.bus, actor, { name: "guard", source, note: "" }, NO_CASES);
    const { url, confinement, findPrograms, record, mailer, machine } = app;
    const patient = { db: app.db, workspaceId: actor.workspaceId, url, confinement, findPrograms, record, mailer };
    const { findings } = await inWorkspace(actor.workspaceId, () =>
      examine({ ...patient, ...machine, openCircuits: 0 }),
    );
    return findings.find(({ id }) => id === "hook_programs");
  };
  expect(await found(policyWith("user_prompt_submit", ABSENT))).toMatchObject({
    state: "failure",
    says: `Gates use programs that are missing in their sandbox: ${ABSENT} (guard revision 1: user_prompt_submit, checked).`,
    todo: expect.stringContaining("Install"),
  });
  expect(await found(policyWith("session_end", ABSENT))).toMatchObject({ state: "warning" });
  expect(await found(policyWith("user_prompt_submit", "$CHECKER"))).toMatchObject({ state: "unknown" });
  expect(await found(policyWith("user_prompt_submit", "grep -q x"))).toMatchObject({ state: "ok" });
  expect(await found(policyWith("user_prompt_submit", ABSENT, "      run_on: agent\n"))).toMatchObject({
    state: "ok",
    says: expect.stringContaining("quarterdeck hook --check"),
  });
});
