/**
 * Who answers which path. The gateway's own routes (agent API, tRPC, account routes, health) run in this process; the rest is
 * forwarded. The first row whose prefix is the path, or a folder above it, decides.
 */
export interface RouterRow {
  readonly prefix: string;
  readonly to: "routes" | "console";
}

export const ROUTER_TABLE: readonly RouterRow[] = [
  { prefix: "/api", to: "routes" },
  { prefix: "/healthz", to: "routes" },
  { prefix: "/readyz", to: "routes" },
  { prefix: "/metrics", to: "routes" },
  { prefix: "/quarterdeck-hook.mjs", to: "routes" },
  { prefix: "/quarterdeck-hook.sh", to: "routes" },
  { prefix: "/", to: "console" },
];

export function upstreamOf(url: string, table: readonly RouterRow[] = ROUTER_TABLE): RouterRow["to"] {
  const mark = url.indexOf("?");
  const path = mark === -1 ? url : url.slice(0, mark);
  const row = table.find(({ prefix }) => prefix === "/" || path === prefix || path.startsWith(`${prefix}/`));
  return row?.to ?? "console";
}

/** Methods whose request may bring a body to the console; what the others bring is read and dropped. */
const WITH_BODY = new Set(["POST", "PUT", "PATCH"]);
export const CONSOLE_METHODS = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"] as const;

export const mayHaveBody = (method: string | undefined): boolean => WITH_BODY.has(method ?? "");
export const isConsoleMethod = (method: string | undefined): boolean =>
  CONSOLE_METHODS.some((known) => known === method);
