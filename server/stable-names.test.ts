/** Names that others hold on to: they stay in every release, whatever the files and functions behind them are called. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { type TestDatabase, testDatabase } from "../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../e2e/fixtures/gateway.ts";
import { HOLDERS_BY_PERMISSION } from "./access/permissions.ts";
import { KEY_SCOPES, ROLES } from "./access/role-schema.ts";
import { MEASURE_NAMES } from "./alerts/measure-schema.ts";
import { auditEntry } from "./audit/entries.ts";
import { WEBHOOK_KIND_NAMES } from "./audit/webhook-kinds-schema.ts";
import { createCommandLine } from "./cli/cli-commands.ts";
import { appRouter } from "./composition/router.ts";
import { ERRORS } from "./errors/catalogue.ts";
import { ENVIRONMENT_NAMES } from "./platform/env.ts";
import { presentAddress } from "./platform/former-addresses.ts";
import { SECRET_FILES } from "./platform/secrets.ts";
import { VIEW_PAGES } from "./views/schema.ts";

const recorded: Record<string, string[]> = JSON.parse(
  readFileSync(new URL("./stable-names.json", import.meta.url), "utf8"),
);

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

interface JsonSchema {
  readonly properties?: Record<string, JsonSchema>;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly const?: unknown;
}

/** `changes[].from`: each place of a body that holds a value. */
function pathsOf(schema: JsonSchema, at = ""): string[] {
  const { properties, items, anyOf = [], oneOf = [] } = schema;
  if (items) return pathsOf(items, `${at}[]`);
  if (properties)
    return Object.entries(properties).flatMap(([name, one]) => pathsOf(one, at === "" ? name : `${at}.${name}`));
  const kinds = [...anyOf, ...oneOf];
  return kinds.length > 0 ? [...new Set(kinds.flatMap((kind) => pathsOf(kind, at)))] : [at];
}

/** `kind/version: places`, in alphabetical order. */
function auditBodies(): string[] {
  return bodiesOf(z.toJSONSchema(auditEntry, { unrepresentable: "any" }) as JsonSchema).map((body) => {
    const { kind, version } = body.properties ?? {};
    return `${kind?.const}/${version?.const}: ${pathsOf(body).sort().join(" ")}`;
  });
}

/** A kind with several versions is a choice within the choice of kinds. */
const bodiesOf = (schema: JsonSchema): readonly JsonSchema[] =>
  schema.properties ? [schema] : [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])].flatMap(bodiesOf);

function verbsOf(command: Command, before = ""): string[] {
  const name = `${before} ${command.name()}`.trim();
  const flags = command.options.map(({ long }) => `${name} ${long}`);
  return [name, ...flags, ...command.commands.flatMap((one) => verbsOf(one, name))];
}

const columns = async () =>
  (
    await db.owner.query<{ name: string }>(
      `SELECT relname || '.' || attname AS name FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
       WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v') AND NOT relispartition
         AND attnum > 0 AND NOT attisdropped ORDER BY 1`,
    )
  ).rows.map(({ name }) => name);

async function routes(): Promise<string[]> {
  const response = await fetch(`${server.url}/api/v1/openapi.json`);
  const { paths } = (await response.json()) as { paths: Record<string, object> };
  return Object.entries(paths).flatMap(([path, methods]) => Object.keys(methods).map((method) => `${method} ${path}`));
}

async function metrics(): Promise<string[]> {
  const text = await server.metrics.text();
  return [...text.matchAll(/^# TYPE (quarterdeck_\w+ \w+)$/gm)].flatMap(([, name]) => name ?? []);
}

/** The present pages, and the former addresses that lead to one of them. */
function pages(): readonly string[] {
  const present = readdirSync(new URL("../app", import.meta.url), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith("page.tsx"))
    .map((file) => `/${join(file, "..").replace(/\(\w+\)\/?/, "")}`.replace("/.", "/"));
  const former = recorded["addresses of pages"]?.filter((name) => present.includes(presentAddress(name) ?? "")) ?? [];
  return [...present, ...former];
}

const NAMES: Readonly<Record<string, () => readonly string[] | Promise<readonly string[]>>> = {
  "audit bodies": auditBodies,
  "columns of tables": columns,
  permissions: () => Object.keys(HOLDERS_BY_PERMISSION),
  roles: () => ROLES,
  "scopes of keys": () => KEY_SCOPES,
  "routes of the agent API": routes,
  "codes of errors": () => Object.keys(ERRORS),
  "verbs and flags of the command line": () => verbsOf(createCommandLine()),
  "variables of the environment": () => ENVIRONMENT_NAMES,
  metrics,
  "kinds of webhooks": () => WEBHOOK_KIND_NAMES,
  "measures of alerts": () => MEASURE_NAMES,
  "pages of saved views": () => VIEW_PAGES,
  "addresses of pages": pages,
  "files of the data directory": () => SECRET_FILES,
  "procedures of the console": () => Object.keys(appRouter._def.procedures),
};

it("each kind of name is recorded, and no other", () => {
  expect(Object.keys(recorded)).toEqual(Object.keys(NAMES));
});

it.each(Object.keys(NAMES))("%s are all there that were", async (kind) => {
  const names = (await NAMES[kind]?.()) ?? [];
  expect(recorded[kind]?.length).toBeGreaterThan(1);
  expect(recorded[kind]?.filter((name) => !names.includes(name))).toEqual([]);
});
