/** The promise of a pack, for each client by the client's own names. */
import { toolKindOf } from "@quarterdeck/hooks/contract/tool-kinds";
import { expect, it } from "vitest";
import { CLIENT_NAMES } from "../dialects/schema.ts";
import { heldTools } from "./held-tools.ts";
import { PACKS } from "./registry.ts";

/** The kinds of tools that a pack promises to judge, with every client. */
const PROMISES = {
  "catastrophe-only": ["shell", "write", "edit"],
  "secrets-out": ["shell", "read", "write", "edit", "fetch", "agent"],
  "git-safety": ["shell"],
  "package-installs": ["shell"],
  "protected-paths": ["shell", "write", "edit"],
  "network-egress": ["shell", "fetch"],
  "cloud-clis": ["shell"],
  "database-care": ["shell"],
} as const;

const toolsOf = (id: string) => {
  const pack = PACKS.find((one) => one.id === id);
  if (!pack) throw new Error(`no pack ${id}`);
  return heldTools(pack);
};

it.each(Object.entries(PROMISES))("%s judges every client's tools of its kinds", (id, kinds) => {
  const tools = toolsOf(id);
  expect(tools.map(({ client }) => client)).toEqual([...CLIENT_NAMES]);
  for (const { client, held, others } of tools) {
    expect(held, client).not.toEqual([]);
    expect(
      others.filter((tool) => kinds.some((kind) => kind === toolKindOf(tool))),
      client,
    ).toEqual([]);
  }
});

it("a pack of shell rules says that it does not look at file tools", () => {
  const claude = toolsOf("git-safety").find(({ client }) => client === "claude-code");
  expect(claude?.held).toEqual(["Bash"]);
  expect(claude?.others).toContain("Write");
});

it("a pack that judges no calls names no tools", () => {
  const pack = PACKS.find(({ id }) => id === "compaction-steward");
  expect(pack && heldTools(pack)).toEqual([]);
});
