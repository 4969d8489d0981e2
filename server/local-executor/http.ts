/**
 * The local executor, its shim, the verifier, the MCP server and the programs that enrol, drill and
 * inventory clients, as downloads. They need no authentication, because they are programs without secrets.
 */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { AgentAnswer } from "../access/agent-api-types.ts";
import { shellInstaller } from "../dialects/index.ts";
import { AppError } from "../errors/app-error.ts";

const SHELL = "text/x-shellscript; charset=utf-8";

/** The served files by path, read on request: a console serves the files it was built with. */
export const executorFiles: Readonly<Record<string, () => Promise<AgentAnswer>>> = {
  "/quarterdeck-hook.mjs": () => file("quarterdeck-hook.mjs", "text/javascript; charset=utf-8"),
  "/quarterdeck-verify.mjs": () => file("quarterdeck-verify.mjs", "text/javascript; charset=utf-8"),
  "/quarterdeck-enrol.mjs": () => file("quarterdeck-enrol.mjs", "text/javascript; charset=utf-8"),
  "/quarterdeck-drill.mjs": () => file("quarterdeck-drill.mjs", "text/javascript; charset=utf-8"),
  "/quarterdeck-inventory.mjs": () => file("quarterdeck-inventory.mjs", "text/javascript; charset=utf-8"),
  "/quarterdeck-mcp.mjs": () => file("quarterdeck-mcp.mjs", "text/javascript; charset=utf-8"),
  "/quarterdeck-enrol.sh": async () => answerOf(Buffer.from(shellInstaller()), SHELL),
  "/quarterdeck-hook.sh": () => file("quarterdeck-hook.sh", SHELL),
};

async function file(name: string, contentType: string): Promise<AgentAnswer> {
  const body = await readFile(new URL(`../../dist/${name}`, import.meta.url)).catch(() => {
    throw new AppError("not_found", name, { says: "It is not built on this console. Run npm run bundle there." });
  });
  return answerOf(body, contentType);
}

function answerOf(body: Buffer, contentType: string): AgentAnswer {
  const etag = `"${createHash("sha256").update(body).digest("hex").slice(0, 32)}"`;
  return { status: 200, headers: { "content-type": contentType, "cache-control": "no-cache", etag }, body };
}
