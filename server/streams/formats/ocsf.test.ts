import { describe, expect, test } from "vitest";
import type { ActPart, AgentPart, RecordEvent } from "../record-event.ts";
import type { EventKind } from "../schema.ts";
import { lineOf } from "./format.ts";
import { ocsfObject } from "./ocsf.ts";
import { ACTS, OCSF_CLASSES } from "./ocsf-classes.ts";

const COMMON = {
  workspaceId: "0199f3b2-7a1c-7000-8000-000000000001",
  position: { seq: 7, place: 2 },
  hash: "leaf",
  at: "2026-11-30T10:00:00.123Z",
  recordedAt: "2026-11-30T10:00:00.456Z",
};
const AGENT: AgentPart = {
  ...{
    id: "d",
    agentId: "a",
    agentName: "ci bot",
    session: "s",
    event: "pre_tool_use",
    lane: "default",
    origin: "dispatch",
  },
  ...{ tool: "shell", toolUseId: "t", toolError: null, verdict: "deny", revision: "p@1", durationUs: 5, facts: null },
  ...{ reason: "no", input: "{}", isInputCut: false, isErased: false },
};
const call = (kind: EventKind, more: Partial<AgentPart> = {}): RecordEvent => ({
  ...{ ...COMMON, kind, act: null, agent: { ...AGENT, ...more } },
});
const act = (entry: string, body: ActPart["body"] = {}, more: Partial<ActPart> = {}): RecordEvent => ({
  ...{ ...COMMON, kind: "administration", agent: null },
  act: { entry, body, target: null, actor: { kind: "person", id: "p" }, ip: "203.0.113.7", userAgent: "x", ...more },
});

/** The attributes that each class of OCSF 1.6.0 requires beyond those of every event. */
const REQUIRED = {
  3001: ["user"],
  3002: ["user", "service"],
  3004: ["entity"],
  3005: ["user", "privileges"],
  6003: ["actor", "api", "src_endpoint"],
} as const;
const OF_ALL = ["activity_id", "category_uid", "class_uid", "metadata", "severity_id", "time", "type_uid"];

function expectComplete(event: RecordEvent): Record<string, unknown> {
  const object = JSON.parse(JSON.stringify(ocsfObject(event)));
  const required: readonly string[] = Reflect.get(REQUIRED, object.class_uid);
  for (const name of [...OF_ALL, ...required]) expect(object, name).toHaveProperty(name);
  expect(object.type_uid).toBe(object.class_uid * 100 + object.activity_id);
  expect(object.metadata).toMatchObject({ version: "1.6.0", product: { name: "Quarterdeck" }, uid: "7.2" });
  return object;
}

describe("an event of an agent", () => {
  test.each([
    ["allow", 1, 1, 1],
    ["ask", 99, 23, 2],
    ["deny", 2, 2, 3],
    ["none", 99, 16, 1],
    ["other", 0, 0, 1],
  ])("with the verdict %s has its action, disposition and severity", (verdict, action, disposition, severity) => {
    const object = expectComplete(call("decision", { verdict }));
    expect(object).toMatchObject({ action_id: action, disposition_id: disposition, severity_id: severity });
    expect(object).toMatchObject({ metadata: { profiles: ["security_control"] }, time: Date.parse(COMMON.at) });
  });

  test("that is a final decision has the agent's own verdict", () => {
    const facts = { decision: { kind: "final", source: "person", verdict: "allow" } } as const;
    expect(expectComplete(call("final_decision", { facts }))).toMatchObject({ action_id: 1 });
  });

  test("that is a model call names the model and keeps its cost, and has no verdict", () => {
    const facts = { call: { model: "m-1", cost: "0.25" } };
    const object = expectComplete(call("cost", { facts, tool: null, verdict: "none" }));
    expect(object).toMatchObject({ api: { operation: "m-1" }, unmapped: { facts } });
    expect(object).not.toHaveProperty("action_id");
  });

  test("without texts has no key for them", () => {
    const object = expectComplete(call("decision", { reason: null, input: null }));
    expect(object).not.toHaveProperty("message");
    expect(object.unmapped).not.toHaveProperty("input");
  });
});

describe("an act", () => {
  test.each(Object.entries(ACTS))("%s has its class and activity", (name, [title, activity]) => {
    const [entry = "", word] = name.split("/");
    const object = expectComplete(act(entry, word === undefined ? {} : { act: word }));
    expect([object.class_uid, object.activity_id]).toEqual([OCSF_CLASSES[title].uid, activity]);
    expect(OCSF_CLASSES[title].activities).toHaveProperty(String(activity));
  });

  test.each([
    ["group_created", 1],
    ["agent_key_revoked", 4],
    ["policy_published", 10],
    ["halted", 12],
    ["retention_set", 3],
  ])("%s is a change of an entity with the activity %i", (entry, activity) => {
    expect(expectComplete(act(entry))).toMatchObject({ class_uid: 3004, activity_id: activity });
  });

  test("of a person names the person by id, and the address", () => {
    const object = expectComplete(act("signed_in"));
    expect(object).toMatchObject({ user: { uid: "p", type_id: 1 }, src_endpoint: { ip: "203.0.113.7" } });
  });

  test("that failed says so", () => {
    const object = expectComplete(act("account_used", { act: "confirmation_failed" }));
    expect(object).toMatchObject({ status_id: 2, severity_id: 3 });
  });

  test("of the server itself, without a body, is complete too", () => {
    for (const entry of ["account_used", "role_changed", "checkpoint_key_used"])
      expectComplete(act(entry, null, { actor: null, ip: null, userAgent: null }));
  });
});

test("a line is one line, whatever its texts hold", () => {
  for (const format of ["ocsf", "quarterdeck"] as const) {
    const { text, uid } = lineOf(format, call("decision", { reason: "a\nb\u2028c\r", agentName: 'x"}' }));
    expect(text).not.toMatch(/[\n\r]/);
    expect(uid).toBe(`${COMMON.workspaceId}:7.2`);
    expect(() => JSON.parse(text)).not.toThrow();
  }
});
