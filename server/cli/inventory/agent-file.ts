/** The MCP servers and commands in a docker-agent agent file. */
import { createHash } from "node:crypto";
import type { ReportedExtension } from "../../extensions/schema.ts";
import { type Folders, listIn, objectIn, type ScopedPath, settingsIn, shownPath } from "./folders.ts";
import { mcpServer } from "./mcp-servers.ts";
import { nameText } from "./skills.ts";

/** Errors: none; a file that cannot be read has no extensions. */
export async function findInAgentFile(place: ScopedPath, folders: Folders): Promise<ReportedExtension[]> {
  const agents = Object.values(objectIn((await settingsIn(place.path, folders, "yaml"))?.agents)).map(objectIn);
  const servers: ReportedExtension[] = [];
  for (const toolset of agents.flatMap(({ toolsets }) => listIn(toolsets)).map(objectIn)) {
    const name = toolset.type === "mcp" ? serverName(toolset) : null;
    if (name !== null) servers.push(await mcpServer(name, toolset, place, folders));
  }
  const commands = agents.flatMap((agent) =>
    Object.entries(objectIn(agent.commands)).flatMap(([key, value]): ReportedExtension[] => {
      const name = nameText(key);
      if (name === null) return [];
      const digest = createHash("sha256").update(JSON.stringify(value)).digest("hex");
      return [
        { ...{ kind: "command", name, scope: place.scope, path: shownPath(place, folders) }, version: null, digest },
      ];
    }),
  );
  return [...servers, ...commands];
}

/** The name that a toolset has, else what it starts or reaches. */
const serverName = (toolset: Readonly<Record<string, unknown>>): string | null =>
  [toolset.name, toolset.ref, objectIn(toolset.remote).url, toolset.command]
    .map(nameText)
    .find((name) => name !== null) ?? null;
