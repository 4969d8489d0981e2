/** An inventory of a home and a project: what is found, what a digest covers, and what never leaves the machine. */
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ReportedExtension } from "../../extensions/schema.ts";
import { extensionReport } from "../../extensions/schema.ts";
import { DIGEST_LIMITS } from "./digest.ts";
import { findExtensions, isInUse } from "./find-extensions.ts";
import { INVENTORIED, type InventoriedClient } from "./places.ts";

let base: string;
let home: string;
let project: string;
beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), "quarterdeck-inventory-"));
  [home, project] = [join(base, "home"), join(base, "project")];
  await Promise.all([mkdir(home), mkdir(project)]);
});
afterEach(() => rm(base, { recursive: true, force: true }));

async function put(path: string, text: string): Promise<void> {
  const file = path.startsWith("~/") ? join(home, path.slice(2)) : join(project, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}

async function found(
  client: InventoriedClient,
  environment: Record<string, string> = {},
  agentFile: string | null = null,
): Promise<readonly ReportedExtension[]> {
  const { extensions, isComplete } = await findExtensions(client, { home, project, environment }, agentFile);
  extensionReport.parse({ client, project, is_complete: isComplete, extensions: [...extensions] });
  return extensions;
}
const only = async (client: InventoriedClient) => {
  const [one, ...others] = await found(client);
  expect(others).toEqual([]);
  if (one === undefined) throw new Error("nothing was found");
  return one;
};

const SKILL = "---\nname: release-notes\nmetadata:\n  version: 1.0\n---\nWrite them.\n";

describe("each client's places", () => {
  it("of Claude Code: skills, slash commands, installed plugins and MCP servers", async () => {
    const installed = join(home, ".claude/plugins/cache/market/reviewer/2.1.0");
    await put("~/.claude/skills/notes/SKILL.md", SKILL);
    await put(".claude/commands/ops/deploy.md", "Deploy.");
    await put("~/.claude/plugins/cache/market/reviewer/2.1.0/.claude-plugin/plugin.json", "{}");
    const plugins = {
      "reviewer@market": [{ scope: "user", installPath: installed, version: "2.1.0" }],
      "other@market": [{ scope: "project", projectPath: "/elsewhere", installPath: installed, version: "1" }],
    };
    await put("~/.claude/plugins/installed_plugins.json", JSON.stringify({ version: 2, plugins }));
    const ofProject = { [project]: { mcpServers: { local: { command: "local-server" } } } };
    const wiki = { command: "npx", args: ["-y", "@acme/wiki@3.4.5"] };
    await put("~/.claude.json", JSON.stringify({ mcpServers: { wiki }, projects: ofProject }));
    await put(
      ".mcp.json",
      JSON.stringify({ mcpServers: { shared: { type: "http", url: "https://mcp.example.com" } } }),
    );
    const digest = expect.stringMatching(/^[0-9a-f]{64}$/);
    expect(await found("claude-code")).toEqual([
      { kind: "skill", name: "release-notes", version: "1", path: "~/.claude/skills/notes", scope: "user", digest },
      {
        kind: "command",
        name: "ops:deploy",
        version: null,
        path: ".claude/commands/ops/deploy.md",
        scope: "project",
        digest,
      },
      { kind: "mcp_server", name: "wiki", version: "3.4.5", path: "~/.claude.json", scope: "user", digest },
      { kind: "mcp_server", name: "local", version: null, path: expect.any(String), scope: "project", digest },
      { kind: "mcp_server", name: "shared", version: null, path: ".mcp.json", scope: "project", digest },
      {
        ...{ kind: "plugin", name: "reviewer", version: "2.1.0", scope: "user", digest },
        path: "~/.claude/plugins/cache/market/reviewer/2.1.0",
      },
    ]);
  });

  it.each<[InventoriedClient, path: string, text: string, Partial<ReportedExtension>]>([
    ["codex", "~/.agents/skills/a/SKILL.md", SKILL, { kind: "skill", name: "release-notes" }],
    ["codex", "~/.codex/prompts/draft.md", "Draft.", { kind: "command", name: "draft" }],
    ["codex", "~/.codex/config.toml", '[mcp_servers.wiki]\ncommand = "wiki"\n', { kind: "mcp_server", name: "wiki" }],
    [
      ...(["codex", "~/.codex/plugins/cache/market/lint/1.2.0/.codex-plugin/plugin.json"] as const),
      ...(['{"name":"lint","version":"1.2.0"}', { kind: "plugin", name: "lint", version: "1.2.0" }] as const),
    ],
    ["cursor", ".cursor/skills/b/SKILL.md", "No front matter.", { kind: "skill", name: "b", scope: "project" }],
    ["cursor", ".cursor/mcp.json", '{"mcpServers":{"wiki":{"url":"https://x"}}}', { kind: "mcp_server", name: "wiki" }],
    ["gemini", "~/.gemini/commands/git/commit.toml", 'prompt = "x"', { kind: "command", name: "git:commit" }],
    [
      ...(["gemini", "~/.gemini/extensions/maps/gemini-extension.json"] as const),
      ...(['{"name":"maps","version":"0.4.0"}', { kind: "plugin", name: "maps", version: "0.4.0" }] as const),
    ],
    [
      "gemini",
      ".gemini/settings.json",
      '{"mcpServers":{"w":{"httpUrl":"x"}} /* c */}',
      { kind: "mcp_server", name: "w" },
    ],
    ["opencode", ".opencode/skills/c/SKILL.md", SKILL, { kind: "skill", scope: "project" }],
    ["opencode", "~/.config/opencode/plugin/own.ts", "export default 1", { kind: "plugin", name: "own" }],
    [
      "opencode",
      "opencode.json",
      '{"mcp":{"wiki":{"command":["npx","wiki@1.0.0"]}}}',
      { name: "wiki", version: "1.0.0" },
    ],
    [
      "opencode",
      "opencode.json",
      '{"plugin":["fine@2.0.0"]}',
      { kind: "plugin", name: "fine@2.0.0", version: "2.0.0" },
    ],
    ["docker-agent", ".agents/skills/d/SKILL.md", SKILL, { kind: "skill", name: "release-notes" }],
  ])("of %s: %s", async (client, path, text, expected) => {
    await put(path, text);
    expect(await only(client)).toMatchObject(expected);
  });

  it("of docker-agent's own file: MCP servers and commands", async () => {
    const agents = {
      root: {
        toolsets: [{ type: "mcp", ref: "docker:github" }, { type: "shell" }],
        commands: { deploy: "Deploy it." },
      },
    };
    await put("agent.yaml", JSON.stringify({ agents }));
    expect(await found("docker-agent", {}, join(project, "agent.yaml"))).toMatchObject([
      { kind: "mcp_server", name: "docker:github" },
      { kind: "command", name: "deploy" },
    ]);
  });

  it("follow the variable that moves a client's folder", async () => {
    await put("moved/skills/notes/SKILL.md", SKILL);
    const environment = { CLAUDE_CONFIG_DIR: join(project, "moved") };
    expect(await found("claude-code", environment)).toMatchObject([{ kind: "skill", scope: "user" }]);
  });

  it("of a machine without clients are empty", async () => {
    for (const client of INVENTORIED) {
      expect(await isInUse(client, { home, project, environment: {} })).toBe(false);
      expect(await found(client)).toEqual([]);
    }
  });

  it("with settings that no client can read are empty", async () => {
    await put(".mcp.json", "{ broken");
    await put("~/.claude/plugins/installed_plugins.json", "[]");
    await put("~/.claude.json", '{"mcpServers":["x"],"projects":7}');
    expect(await found("claude-code")).toEqual([]);
  });
});

describe("a digest", () => {
  const skillDigest = async () => (await only("codex")).digest;
  beforeEach(() => put("~/.codex/skills/notes/SKILL.md", SKILL));

  it("changes with each file, its name and its place, and with nothing else", async () => {
    const first = await skillDigest();
    expect(await skillDigest()).toBe(first);
    await put("~/.codex/skills/notes/.git/HEAD", "main");
    expect(await skillDigest()).toBe(first);
    const seen = new Set([first]);
    await put("~/.codex/skills/notes/scripts/run.sh", "echo a");
    seen.add(await skillDigest());
    await put("~/.codex/skills/notes/scripts/run.sh", "echo b");
    seen.add(await skillDigest());
    await put("~/.codex/skills/notes/scripts/other.sh", "echo b");
    await rm(join(home, ".codex/skills/notes/scripts/run.sh"));
    seen.add(await skillDigest());
    expect(seen.size).toBe(4);
    expect(seen).not.toContain(null);
  });

  it("covers a link by its text, and reads it only inside the skill", async () => {
    const link = join(home, ".codex/skills/notes/link");
    await put("~/.codex/skills/notes/inner.md", "one");
    await put("~/outside.md", "one");
    await symlink("inner.md", link);
    const inside = await skillDigest();
    await put("~/.codex/skills/notes/inner.md", "two");
    expect(await skillDigest()).not.toBe(inside);
    await rm(link);
    await symlink(join(home, "outside.md"), link);
    const outside = await skillDigest();
    await put("~/outside.md", "two");
    expect(await skillDigest()).toBe(outside);
  });

  it("is missing for a skill that leads out of the home and the project, or is too large", async () => {
    const elsewhere = join(base, "elsewhere");
    await mkdir(elsewhere);
    await writeFile(join(elsewhere, "SKILL.md"), SKILL);
    await rm(join(home, ".codex/skills/notes"), { recursive: true });
    await symlink(elsewhere, join(home, ".codex/skills/notes"));
    expect(await only("codex")).toMatchObject({ name: "notes", digest: null, version: null });
    await rm(join(home, ".codex/skills/notes"));
    await put("~/.codex/skills/large/SKILL.md", SKILL);
    await put("~/.codex/skills/large/data", "");
    await writeFile(join(home, ".codex/skills/large/data"), Buffer.alloc(DIGEST_LIMITS.bytes + 1));
    expect(await only("codex")).toMatchObject({ name: "release-notes", digest: null });
  });

  it("survives links in a circle", async () => {
    await symlink(".", join(home, ".codex/skills/notes/self"));
    await symlink("two", join(home, ".codex/skills/notes/one"));
    await symlink("one", join(home, ".codex/skills/notes/two"));
    expect(await skillDigest()).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe("the digest of an MCP server", () => {
  const server = (settings: object) => put(".mcp.json", JSON.stringify({ mcpServers: { wiki: settings } }));
  const digest = async () => (await only("claude-code")).digest;
  const BASE = { command: "npx", args: ["wiki"], env: { WIKI_TOKEN: "s3cret-one" } };

  it("covers the settings and the names of variables, and no secret value", async () => {
    await server(BASE);
    const first = await digest();
    await server({ ...BASE, env: { WIKI_TOKEN: "s3cret-two" } });
    expect(await digest()).toBe(first);
    await server({ env: BASE.env, args: BASE.args, command: BASE.command });
    expect(await digest()).toBe(first);
    const others = [
      { ...BASE, args: ["wiki", "--write"] },
      { ...BASE, env: { ...BASE.env, DEBUG: "1" } },
      { ...BASE, env: { ...BASE.env, NODE_OPTIONS: "--require a.js" } },
      { ...BASE, env: { ...BASE.env, NODE_OPTIONS: "--require b.js" } },
      { url: "https://mcp.example.com", headers: { authorization: "Bearer one" } },
    ];
    const seen = new Set([first]);
    for (const settings of others) {
      await server(settings);
      seen.add(await digest());
    }
    expect(seen.size).toBe(others.length + 1);
  });

  it("covers the local file that the server runs", async () => {
    await put("tools/server.js", "one");
    await server({ command: "node", args: ["tools/server.js"] });
    const first = await digest();
    await put("tools/server.js", "two");
    expect(await digest()).not.toBe(first);
  });

  it("is all that leaves the machine of its settings", async () => {
    await server({ ...BASE, headers: { authorization: "Bearer s3cret-three" } });
    await put("~/.claude/skills/notes/SKILL.md", `${SKILL}s3cret-four`);
    expect(JSON.stringify(await found("claude-code"))).not.toContain("s3cret");
  });
});
