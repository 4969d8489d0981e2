/** docs/packs.md, rendered from the packs. document.test.ts fails when the file is stale. */
import { eventsOf } from "./events.ts";
import { heldTools } from "./held-tools.ts";
import type { Pack } from "./pack.ts";
import { PACKS } from "./registry.ts";
import { packActs } from "./schema.ts";

/** The whole document; `casesOf` returns the number of test cases of a pack. */
export function packsDocument(casesOf: (id: string) => number): string {
  return [
    "# Packs",
    "",
    "<!-- Rendered from server/packs; `UPDATE_DOCS=1 npx vitest run server/packs/document` writes it. -->",
    "",
    `${PACKS.length} ready-made policies: **Policies**, **Packs**. Installing a pack creates a policy, as a draft or`,
    "published at once, for the agents that you choose. A newer version of a pack goes into the draft, but only if the",
    "text is unchanged. If it was changed, both texts are shown and nothing is replaced.",
    "",
    "The packs that check calls are hooks of type `rules`: they need no program and no sandbox. They check the commands, paths",
    "and hosts of a call, in any spelling, and deny a call that they cannot read. Each pack lists what it does not cover.",
    "Gates are on the `preempt_yolo` lane, so they also apply if the agent may skip questions. They check every tool",
    "of every client; the names of tools are in one table, by [tool kind](dialects.md#tool-kinds).",
    "",
    "| pack | promise | hooks | cases |",
    "| --- | --- | --- | --- |",
    ...PACKS.map((pack) => `| [${pack.title}](#${pack.id}) | ${pack.promise} | ${hooks(pack)} | ${casesOf(pack.id)} |`),
    "",
    "Each case runs through the real executor in both profiles.",
    "",
    ...PACKS.flatMap(section),
  ]
    .join("\n")
    .trimEnd()
    .concat("\n");
}

function section(pack: Pack): string[] {
  return [
    `## ${pack.id}`,
    "",
    `**${pack.title}**, version ${pack.version}. ${pack.promise}`,
    "",
    ...packActs(pack).map(({ label, says }) => `- ${label}: ${says}`),
    `- Allows: ${pack.passes}`,
    `- Not covered: ${pack.limits}`,
    ...heldLine(pack),
    "",
  ];
}

/** The tools of one client, as an example. */
function heldLine(pack: Pack): string[] {
  const tools = heldTools(pack);
  if (tools.length === 0) return [];
  const claude = tools.find(({ client }) => client === "claude-code");
  const names = (list: readonly string[] = []) => list.map((name) => `\`${name}\``).join(", ") || "none";
  return [
    `- Judges of Claude Code's tools: ${names(claude?.held)}; not: ${names(claude?.others)}. The console shows every client's.`,
  ];
}

function hooks(pack: Pack): string {
  const rows = eventsOf(pack);
  if (rows.length > 4) return `${rows.length} events`;
  return rows.map(({ event, hooks }) => `\`${event}\` ${hooks}`).join(", ");
}
