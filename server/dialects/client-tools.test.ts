/** The tools of each client: every recorded call is in the table, and its kind is the one by which rules read the call. */
import { readdirSync, readFileSync } from "node:fs";
import { toolKindOf } from "@quarterdeck/hooks/contract/tool-kinds";
import { describe, expect, it } from "vitest";
import { CLIENT_TOOLS } from "./client-tools.ts";
import type { ClientName } from "./schema.ts";

const VECTORS = new URL("./vectors/", import.meta.url);
/** Tools that reach no command, file or host: the client's own lists. */
const OTHERS: ReadonlySet<string> = new Set(["TaskCreate", "TaskUpdate", "list_mcp_resources"]);
const MCP = /^mcp_|^MCP:|\/|echo[-_]add$/;

interface Vector {
  readonly payload?: { readonly input?: { readonly tool?: string } };
  readonly expect?: { readonly native: { readonly tool_name?: string } };
}

/** docker-agent's tools belong to its toolsets; the recorded one is defined by a script. */
const recorded = readdirSync(VECTORS)
  .filter((file) => file.endsWith(".json") && !file.startsWith("docker-agent"))
  .flatMap((file) => {
    const { payload, expect: expected } = JSON.parse(readFileSync(new URL(file, VECTORS), "utf8")) as Vector; // holds: a vector
    const tool = expected?.native.tool_name ?? payload?.input?.tool;
    return tool === undefined || MCP.test(tool) || OTHERS.has(tool) ? [] : [`${file.split(".")[0]} ${tool}`];
  });

it.each([...new Set(recorded)])("%s is in the table", (call) => {
  const [client = "", tool = ""] = call.split(" ");
  const tools = CLIENT_TOOLS[client as ClientName]; // holds: the first part of a file's name
  expect(Object.entries(tools).find(([, names]) => names.includes(tool))?.[0]).toBe(toolKindOf(tool));
});

it("finds the recorded calls of every client", () => {
  const clients = new Set(recorded.map((call) => call.split(" ")[0]));
  expect([...clients].sort()).toEqual(
    Object.keys(CLIENT_TOOLS)
      .filter((name) => name !== "docker-agent")
      .sort(),
  );
});

describe.each(Object.entries(CLIENT_TOOLS))("%s", (_client, tools) => {
  it.each(Object.entries(tools))("calls its tools of the kind %s as rules know them", (kind, names) => {
    for (const name of names) expect([name, toolKindOf(name)]).toEqual([name, kind]);
  });
});
