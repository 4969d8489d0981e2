import { readFileSync } from "node:fs";
import superjson from "superjson";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../../e2e/fixtures/database.ts";
import { type TestGateway, testGateway } from "../../e2e/fixtures/gateway.ts";
import { retiredWordIn } from "../../scripts/words.mjs";
import { PATH_BY_FORMER_PATH, ROUTER_BY_FORMER_NAME, toCurrentPaths } from "./former-paths.ts";
import { appRouter } from "./router.ts";

describe("the names of routers", () => {
  /** `shadowModeRouter` by the folder that it is imported from: `shadow-mode`. */
  const folderByRouter = new Map(
    [
      ...readFileSync(new URL("./router.ts", import.meta.url), "utf8").matchAll(
        /import \{ (\w+Router) \} from "\.\.\/(?:[\w-]+\/)*([\w-]+)\/router\.ts"/g,
      ),
    ].map(([, router = "", folder = ""]) => [router, folder]),
  );
  const camelCase = (folder: string) => folder.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

  it("are those of their folders, but for the one of agents", () => {
    const names = Object.keys(appRouter._def.record).filter((name) => name !== "agent");
    expect(names.length).toBeGreaterThan(30);
    expect(names.sort()).toEqual(
      [...folderByRouter]
        .filter(([router]) => router !== "agentRouter")
        .map(([, folder]) => camelCase(folder))
        .sort(),
    );
  });

  it("of before are nobody's today, and lead to a router", () => {
    const today = Object.keys(appRouter._def.record);
    expect(Object.keys(ROUTER_BY_FORMER_NAME).filter((name) => today.includes(name))).toEqual([]);
    expect(Object.values(ROUTER_BY_FORMER_NAME).filter((name) => !today.includes(name))).toEqual([]);
  });
});

describe("the names of procedures", () => {
  const today = Object.keys(appRouter._def.procedures);

  it("hold no retired word", () => {
    expect(today.filter((path) => retiredWordIn(path, "server/composition/router.ts") !== undefined)).toEqual([]);
  });

  it("of before are nobody's today, and lead to a procedure", () => {
    expect([...PATH_BY_FORMER_PATH.keys()].filter((path) => today.includes(path))).toEqual([]);
    expect([...PATH_BY_FORMER_PATH.values()].filter((path) => !today.includes(path))).toEqual([]);
  });
});

describe("paths by their names of today", () => {
  it.each([
    ["live.changes", "events.changes"],
    ["unseen.sums,overview.summary,bench.cases", "coverage.sums,overview.summary,playground.cases"],
    ["policies.surroundings,policies.get", "policies.checkContext,policies.get"],
    // Neither of today nor of before.
    ["lives.changes,live,.live.x,,constructor.x", "lives.changes,live,.live.x,,constructor.x"],
  ])("%s", (paths, current) => {
    expect(toCurrentPaths(paths)).toBe(current);
    expect(toCurrentPaths(current)).toBe(current);
  });
});

describe("a request by names of before", () => {
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

  const headers = () => ({ authorization: `Bearer ${server.secrets.adminToken}`, "content-type": "application/json" });
  const ask = (rest: string, more: RequestInit = {}) =>
    fetch(`${server.url}/api/trpc/${rest}`, { ...more, headers: { ...headers(), ...more.headers } });
  const valueIn = ({ result }: { result: { data: never } }): unknown => superjson.deserialize(result.data);

  it("is answered, whether it reads or changes", async () => {
    const body = JSON.stringify({ json: { name: "a script of the release before", role: "viewer" } });
    expect((await ask("services.create", { method: "POST", body })).status).toBe(200);
    const listed = await ask("services.list");
    expect(listed.status).toBe(200);
    expect(valueIn(await listed.json())).toMatchObject([{ name: "a script of the release before" }]);
  });

  it.each([
    "services.list,serviceAccounts.list,circuits.list",
    "services.list%2CserviceAccounts.list%2Ccircuits%2Elist",
  ])("is answered in a batch with names of today: %s", async (paths) => {
    const response = await ask(`${paths}?batch=1&input=%7B%7D`);
    expect(response.status).toBe(200);
    const [former, current, circuits] = (await response.json()).map(valueIn);
    expect(former).toEqual(current);
    expect(circuits).toEqual([]);
  });

  it("is answered by the former name of a procedure", async () => {
    const [former, current] = await Promise.all([ask("budgets.standings"), ask("budgets.statuses")]);
    expect(former.status).toBe(200);
    expect(await former.json()).toEqual(await current.json());
  });

  it("may open a stream", async () => {
    const leaving = new AbortController();
    const accept = "text/event-stream";
    const response = await ask("live.changes?input=%7B%22json%22%3A%7B%7D%7D", {
      headers: { accept },
      signal: leaving.signal,
    });
    expect(response.headers.get("content-type")).toContain(accept);
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    while (!text.includes('"topics":[]')) {
      const { value, done } = (await reader?.read()) ?? { done: true };
      if (done) break;
      text += value;
    }
    expect(text).toContain('"topics":[]');
    leaving.abort();
  });

  it("is refused where nobody was called so", async () => {
    expect((await ask("impacts.measure")).status).toBe(404);
    expect((await ask("bench.nothing")).status).toBe(404);
  });
});
