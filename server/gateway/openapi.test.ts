import { readFile, writeFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { ERRORS } from "../errors/catalogue.ts";
import { consoleAgentRoutes } from "./console/agent-routes.ts";
import { agentRoutes } from "./routes.ts";

interface Operation {
  readonly summary: string;
  readonly security: readonly object[];
  readonly parameters?: readonly { name: string; in: string; required: boolean; schema: object }[];
  readonly requestBody?: { content: Record<string, { schema: object }> };
  readonly responses: Record<string, { description: string; headers?: Record<string, object>; content?: object }>;
}
interface Document {
  readonly openapi: string;
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { schemas: Record<string, { properties?: object; additionalProperties?: unknown }> };
}

let db: TestDatabase;
let server: TestGateway;
let document: Document;

beforeAll(async () => {
  db = await testDatabase();
  server = await testGateway(db.url);
  const response = await fetch(`${server.url}/api/v1/openapi.json`);
  expect(response.status).toBe(200);
  document = (await response.json()) as Document;
});
afterAll(async () => {
  await server?.stop();
  await db?.drop();
});

/** The client's types are made of it (scripts/prepare.mjs). */
const CHECKED_IN = new URL("../../packages/client/openapi.json", import.meta.url);

describe("/api/v1/openapi.json", () => {
  it("is the document that the client is generated from", async () => {
    const text = `${JSON.stringify(document, null, 2)}\n`;
    if (process.env.UPDATE_DOCS) await writeFile(CHECKED_IN, text);
    const written = await readFile(CHECKED_IN, "utf8").catch(() => "");
    expect(written === text, "stale: run UPDATE_DOCS=1 npx vitest run server/gateway/openapi").toBe(true);
  });

  it("has every route, and no other", () => {
    const { app } = server.running;
    const all = [...agentRoutes(app), ...consoleAgentRoutes(app)];
    const served = all.map((route) => `${route.method} ${route.path}`);
    const told = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(told.sort()).toEqual(served.sort());
    expect(document.openapi).toBe("3.1.0");
  });

  it("documents each parameter of each path", () => {
    for (const [path, methods] of Object.entries(document.paths)) {
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      for (const { parameters = [], summary } of Object.values(methods)) {
        expect(parameters.filter((one) => one.in === "path").map(({ name }) => name)).toEqual(named);
        expect(summary).toMatch(/\.$/);
      }
    }
  });

  it("documents the headers that an agent relies on", () => {
    const hook = document.paths["/api/v1/hooks/{event}"]?.post;
    expect(Object.keys(hook?.responses["200"]?.headers ?? {})).toEqual([
      "Quarterdeck-Dispatch-Id",
      "Quarterdeck-Revision",
      "Quarterdeck-Nonce",
      "Quarterdeck-Answer-Mac",
      "Idempotency-Replayed",
    ]);
    expect(hook?.parameters?.map(({ name }) => name)).toEqual([
      "event",
      "lane",
      "gates",
      "Idempotency-Key",
      "Quarterdeck-Client-Version",
      "Quarterdeck-Wait-Seconds",
      "Quarterdeck-Nonce",
      "Quarterdeck-Executor",
    ]);
    expect(hook?.responses["429"]?.headers).toHaveProperty("Retry-After");
    expect(hook?.responses["503"]?.headers).toHaveProperty("Retry-After");
    const policy = document.paths["/api/v1/policy"]?.get;
    expect(Object.keys(policy?.responses["200"]?.headers ?? {})).toContain("Quarterdeck-Signature");
    expect(Object.keys(policy?.responses ?? {})).toContain("304");
  });

  it("documents what takes telemetry, in both encodings", () => {
    for (const path of ["/api/otlp/v1/logs", "/api/otlp/v1/metrics"]) {
      const post = document.paths[path]?.post;
      expect(Object.keys(post?.requestBody?.content ?? {})).toEqual(["application/x-protobuf", "application/json"]);
      expect(post?.responses["429"]?.headers).toHaveProperty("Retry-After");
    }
  });

  it("documents each error under the status it leaves with", () => {
    const hook = document.paths["/api/v1/hooks/{event}"]?.post;
    for (const code of [
      "too_deep",
      "unknown_event",
      "body_too_large",
      "wrong_content_type",
      "busy",
      "database_away",
    ] as const)
      expect(hook?.responses[ERRORS[code].status]?.description).toContain(`\`${code}\``);
  });

  it("describes the input by the schema that parses it", () => {
    const input = document.components.schemas.HookInput;
    expect(document.paths["/api/v1/hooks/{event}"]?.post?.requestBody?.content["application/json"]?.schema).toEqual({
      $ref: "#/components/schemas/HookInput",
    });
    expect(input?.properties).toHaveProperty("tool_name");
    expect(input?.additionalProperties).not.toBe(false);
  });

  it("refers to nothing that is not there", () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, to]) => to);
    expect(references.length).toBeGreaterThan(3);
    const there = Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`);
    expect(references.filter((to) => !there.includes(to ?? ""))).toEqual([]);
  });
});
