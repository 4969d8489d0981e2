/** The agent API as an OpenAPI 3.1 document, generated from its schemas and routes. */
import { z } from "zod";
import { type AgentRoute, type AnswerDocs, jsonAnswer, type ParameterDocs } from "../access/agent-api-types.ts";
import { ERRORS, type ErrorCode } from "../errors/catalogue.ts";

type Json = Record<string, unknown>;

const failureView = z
  .strictObject({
    error: z.strictObject({
      code: z.string(),
      message: z.string(),
      detail: z.string().optional(),
      pointer: z.string().optional(),
    }),
  })
  .meta({ id: "Error", description: "Every refusal has this shape." });

const ALWAYS: readonly ErrorCode[] = ["internal"];
const WITH_KEY: readonly ErrorCode[] = [
  "unauthenticated",
  "key_revoked",
  "agent_retired",
  "busy",
  "overloaded",
  "database_away",
  "database_busy",
];
const WITH_BODY: readonly ErrorCode[] = [
  "not_json",
  "invalid_input",
  "body_incomplete",
  "body_too_slow",
  "body_too_large",
  "wrong_content_type",
];

/** GET /api/v1/openapi.json, which describes `routes` and itself. */
export function openApiRoute(routes: readonly AgentRoute[]): AgentRoute {
  const self: AgentRoute = {
    method: "GET",
    path: "/api/v1/openapi.json",
    access: "open",
    handle: () => answer,
    docs: {
      summary: "This document.",
      answers: { 200: { description: "OpenAPI 3.1.", body: { "application/json": z.looseObject({}) } } },
      errors: [],
    },
  };
  const answer = jsonAnswer(documentOf([...routes, self]), 200, { "cache-control": "public, max-age=300" });
  return self;
}

export function documentOf(routes: readonly AgentRoute[]): Json {
  const schemas = new Schemas();
  schemas.of(failureView);
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operationOf(route, schemas) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Quarterdeck agent API",
      version: "1",
      description: "Plain HTTP and JSON for agents: dispatch hook events, report them, fetch the policy in force.",
    },
    paths,
    components: {
      securitySchemes: { agentKey: { type: "http", scheme: "bearer", description: "An agent key: qd_..." } },
      schemas: schemas.named,
    },
  };
}

/** JSON schemas of zod objects; those with an id are in the document's components, once. */
class Schemas {
  readonly named: Record<string, unknown> = {};

  of(schema: z.ZodType): Json {
    const { $schema: _dialect, $defs, ...rest } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
    Object.assign(this.named, relocated($defs ?? {}));
    return relocated(rest);
  }
}

function relocated(schema: Json): Json {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/'));
}

function operationOf({ docs, access, takes }: AgentRoute, schemas: Schemas): Json {
  const { parameters, query, headers, body } = docs;
  const listed = [
    ...parametersIn("path", schemas, parameters),
    ...parametersIn("query", schemas, query),
    ...parametersIn("header", schemas, headers),
  ];
  const codes = new Set([
    ...docs.errors,
    ...(access !== "open" ? WITH_KEY : []),
    ...(takes && body ? WITH_BODY : []),
    ...ALWAYS,
  ]);
  const answers = Object.entries(docs.answers).map(([status, answer]) => [status, answerOf(answer, schemas)] as const);
  return {
    summary: docs.summary,
    ...(access !== "open" ? { security: [{ agentKey: [] }] } : { security: [] }),
    ...(listed.length > 0 ? { parameters: listed } : {}),
    ...(body ? { requestBody: { required: true, content: contentOf(body, schemas) } } : {}),
    responses: { ...failuresOf([...codes]), ...Object.fromEntries(answers) },
  };
}

function parametersIn(place: string, schemas: Schemas, named: Readonly<Record<string, ParameterDocs>> = {}): Json[] {
  return Object.entries(named).map(([name, { schema, description }]) => ({
    name,
    in: place,
    required: place === "path",
    description,
    schema: schemas.of(schema),
  }));
}

function answerOf({ description, headers, body }: AnswerDocs, schemas: Schemas): Json {
  const named = Object.entries(headers ?? {}).map(([name, says]) => [
    name,
    { description: says, schema: { type: "string" } },
  ]);
  return {
    description,
    ...(headers ? { headers: Object.fromEntries(named) } : {}),
    ...(body ? { content: contentOf(body, schemas) } : {}),
  };
}

function failuresOf(codes: readonly ErrorCode[]): Json {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) byStatus.set(ERRORS[code].status, [...(byStatus.get(ERRORS[code].status) ?? []), code]);
  return Object.fromEntries(
    [...byStatus].map(([status, here]) => [
      status,
      {
        description: here.map((code) => `\`${code}\`: ${ERRORS[code].says}`).join("\n\n"),
        ...(status === 429 || status === 503
          ? { headers: { "Retry-After": { description: "Seconds.", schema: { type: "integer" } } } }
          : {}),
        content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
      },
    ]),
  );
}

function contentOf(body: Readonly<Record<string, z.ZodType>>, schemas: Schemas): Json {
  return Object.fromEntries(Object.entries(body).map(([type, schema]) => [type, { schema: schemas.of(schema) }]));
}
