/** The properties of a tool call that are the same for every client: kind, command, paths and address. */

import { printExactJson } from "@quarterdeck/hooks/contract/exact-json";
import { toolKindOf } from "@quarterdeck/hooks/contract/tool-kinds";
import type { ToolFacts } from "./dialect.ts";
import { isObject } from "./ruling.ts";

const PATH_FIELDS = ["file_path", "path", "filePath", "notebook_path", "dir_path"] as const;
const PATCH_PATH = /^\*\*\* (?:Add File|Update File|Delete File|Move to): (.+)$/gm;

export type McpTool = NonNullable<ToolFacts["mcp"]>;

export function toolFacts(name: string, input: unknown, mcp = mcpToolOf(name)): ToolFacts {
  const kind = mcp ? "mcp" : toolKindOf(name);
  const fields = isObject(input) ? input : {};
  const command = kind === "shell" ? commandOf(fields) : "";
  const paths = pathsOf(name, fields);
  return {
    kind,
    ...(command !== "" && { command }),
    ...(paths.length > 0 && { paths }),
    ...(typeof fields.url === "string" && fields.url !== "" && { url: fields.url }),
    ...(mcp && { mcp }),
  };
}

/** Reads `mcp__S__T`. The server ends at the first double underscore, because a tool's name may contain another. */
function mcpToolOf(name: string): McpTool | undefined {
  if (!name.startsWith("mcp__")) return undefined;
  const rest = name.slice("mcp__".length);
  const end = rest.indexOf("__", 1);
  return end < 1 || end + 2 >= rest.length ? undefined : { server: rest.slice(0, end), tool: rest.slice(end + 2) };
}

function commandOf({ command, cmd, commands }: Readonly<Record<string, unknown>>): string {
  for (const one of [command, cmd, commands]) {
    if (typeof one === "string" && one !== "") return one;
    if (!Array.isArray(one) || one.length === 0) continue;
    const isList = one === commands;
    return one.map((part) => (typeof part === "string" ? part : printExactJson(part))).join(isList ? "\n" : " ");
  }
  return "";
}

function pathsOf(name: string, fields: Readonly<Record<string, unknown>>): string[] {
  const listed = Array.isArray(fields.files) ? fields.files.map((file) => (isObject(file) ? file.path : file)) : [];
  const found = [...PATH_FIELDS.map((field) => fields[field]), ...listed].filter(
    (path): path is string => typeof path === "string" && path !== "",
  );
  const patches = name === "apply_patch" ? [fields.command, fields.input, fields.patch, fields.patchText] : [];
  const patched = patches.flatMap((patch) =>
    typeof patch === "string" ? [...patch.matchAll(PATCH_PATH)].map(([, path = ""]) => path.trim()) : [],
  );
  return [...new Set([...found, ...patched])];
}
