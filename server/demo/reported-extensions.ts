/** Inventories of demo agents: skills, a plugin and MCP servers, some accepted, one changed since. */
import { createHash } from "node:crypto";
import type { Administrator } from "../access/actor.ts";
import { accept, list, report } from "../extensions/index.ts";
import { type ExtensionReport, listExtensions, type ReportedExtension } from "../extensions/schema.ts";
import { type CallWorld, demoAgent } from "./answered-calls.ts";

/** `text` stands for the files. */
const extension = (
  kind: ReportedExtension["kind"],
  name: string,
  version: string | null,
  { path, text }: { readonly path: string; readonly text: string },
): ReportedExtension => ({
  ...{ kind, name, version, path, scope: "user" },
  digest: createHash("sha256").update(`demo ${name} ${text}`).digest("hex"),
});

const SERVERS = "~/.claude.json";
const NOTES = { path: "~/.claude/skills/release-notes", text: "first" };
const ACCEPTED: readonly ReportedExtension[] = [
  extension("skill", "release-notes", "1.4.0", NOTES),
  extension("skill", "accessibility-check", "2.0.1", { path: "~/.claude/skills/accessibility-check", text: "first" }),
  extension("mcp_server", "design-tokens", "3.4.5", { path: SERVERS, text: "first" }),
];
const LATER: readonly ReportedExtension[] = [
  extension("skill", "release-notes", "1.5.0", { ...NOTES, text: "second" }),
  ...ACCEPTED.slice(1),
  extension("plugin", "reviewer", "0.9.2", { path: "~/.claude/plugins/cache/tools/reviewer/0.9.2", text: "first" }),
  extension("command", "ops:deploy", null, { path: "~/.claude/commands/ops/deploy.md", text: "first" }),
];
const AGENT = "demo-frontend";

const reportOf = (extensions: readonly ReportedExtension[]): ExtensionReport => ({
  ...{ client: "claude-code", project: null, is_complete: true },
  extensions: [...extensions],
});

/** Reports the machine of one agent once, and accepts what it had at first. */
export async function reportExtensions(
  { db, bus }: CallWorld,
  actor: Administrator,
  agents: readonly { readonly id: string; readonly name: string }[],
): Promise<void> {
  const agent = demoAgent(actor.workspaceId, agents, AGENT);
  const shown = async () =>
    (await list(db, actor.workspaceId, listExtensions.parse({ agents: [AGENT] }))).rows.filter(
      ({ agentId }) => agentId === agent?.id,
    );
  if (!agent || (await shown()).length > 0) return;
  await report({ db }, agent, reportOf(ACCEPTED));
  const extensions = (await shown()).flatMap(({ agentId, key, digest }) =>
    digest === null ? [] : [{ agentId, key, digest }],
  );
  await accept({ db, bus }, actor, { extensions });
  await report({ db }, agent, reportOf(LATER));
}
