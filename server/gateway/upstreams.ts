/**
 * The process that answers a path. The gateway's own routes (agent API, the tRPC router of agents, health) run in its
 * process; the rest is forwarded to the console's process: procedures and accounts with a streamed body, pages with a
 * complete one. The first row whose prefix is the path, or a folder above it, applies.
 */
export type Upstream = "routes" | "procedures" | "pages";

export interface RouterRow {
  readonly prefix: string;
  readonly to: Upstream;
}

const TRPC = "/api/trpc";
/** The router that the gateway answers. */
const AGENTS_ROUTER = "agent.";

export const ROUTER_TABLE: readonly RouterRow[] = [
  { prefix: TRPC, to: "procedures" },
  { prefix: "/api/auth", to: "procedures" },
  { prefix: "/api/download", to: "procedures" },
  // Clients' telemetry can wait: it must not use the event loop or connections of gates.
  { prefix: "/api/otlp", to: "procedures" },
  { prefix: "/api/v1/inventory", to: "procedures" },
  { prefix: "/api/v1/login", to: "procedures" },
  { prefix: "/api", to: "routes" },
  { prefix: "/healthz", to: "routes" },
  { prefix: "/readyz", to: "routes" },
  { prefix: "/gateway-status", to: "routes" },
  { prefix: "/metrics", to: "routes" },
  { prefix: "/quarterdeck-hook.mjs", to: "routes" },
  { prefix: "/quarterdeck-hook.sh", to: "routes" },
  { prefix: "/quarterdeck-verify.mjs", to: "routes" },
  { prefix: "/quarterdeck-enrol.mjs", to: "routes" },
  { prefix: "/quarterdeck-enrol.sh", to: "routes" },
  { prefix: "/quarterdeck-drill.mjs", to: "routes" },
  { prefix: "/quarterdeck-inventory.mjs", to: "routes" },
  { prefix: "/quarterdeck-mcp.mjs", to: "routes" },
  { prefix: "/", to: "pages" },
];

export function upstreamOf(url: string, table: readonly RouterRow[] = ROUTER_TABLE): Upstream {
  const mark = url.indexOf("?");
  const path = mark === -1 ? url : url.slice(0, mark);
  const row = table.find(({ prefix }) => prefix === "/" || path === prefix || path.startsWith(`${prefix}/`));
  if (row?.prefix === TRPC && isAgents(path.slice(TRPC.length + 1))) return "routes";
  return row?.to ?? "pages";
}

/** A batch that also names a procedure of the console goes to the console, where its agent procedures are not found. */
const isAgents = (names: string): boolean =>
  unescaped(names)
    .split(",")
    .every((name) => name.startsWith(AGENTS_ROUTER));

/** The names of procedures as a path may write them. */
export const unescaped = (names: string): string =>
  names.replace(/%([0-7][0-9a-f])/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));

/** Methods whose request body is forwarded to the console; other bodies are read and dropped. */
const WITH_BODY = new Set(["POST", "PUT", "PATCH"]);
export const CONSOLE_METHODS = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"] as const;

export const mayHaveBody = (method: string | undefined): boolean => WITH_BODY.has(method ?? "");
export const isConsoleMethod = (method: string | undefined): boolean =>
  CONSOLE_METHODS.some((known) => known === method);
