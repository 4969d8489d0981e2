/** The tools of each client that a pack's hooks judge, from the one table of tool names. Pure. */
import { compileMatcher, contractOf, judgesCalls, mcpToolOf } from "@quarterdeck/hooks";
import { NEWEST_PROFILE } from "@quarterdeck/hooks/contract/profiles";
import { looksAt } from "@quarterdeck/hooks/contract/rules/tool-reach";
import { listGuards } from "@quarterdeck/hooks/contract/semantic-diff/guard";
import { type ToolKind, toolKindOf } from "@quarterdeck/hooks/contract/tool-kinds";
import { CLIENT_TOOLS } from "../dialects/index.ts";
import { CLIENT_NAMES } from "../dialects/schema.ts";
import { readPolicy } from "../policies/index.ts";
import type { Pack } from "./pack.ts";
import type { HeldTools } from "./schema.ts";

type Judge = (tool: string, kind: ToolKind) => boolean;

const known = new WeakMap<Pack, HeldTools[]>();

/** Empty for a pack that judges no calls. */
export function heldTools(pack: Pack): HeldTools[] {
  const found = known.get(pack) ?? heldBy(judgesOf(pack));
  known.set(pack, found);
  return found;
}

function heldBy(judges: readonly Judge[]): HeldTools[] {
  if (judges.length === 0) return [];
  return CLIENT_NAMES.map((client) => {
    const tools = Object.values(CLIENT_TOOLS[client]).flat();
    const isHeld = (tool: string) => judges.some((judge) => judge(tool, toolKindOf(tool)));
    return { client, held: tools.filter(isHeld), others: tools.filter((tool) => !isHeld(tool)) };
  });
}

function judgesOf({ source }: Pack): Judge[] {
  return listGuards(readPolicy(source).hooks ?? {}).flatMap(({ event, matcher, hook }): Judge[] => {
    const compiled = compileMatcher(matcher ?? "*");
    if (!compiled.ok || !judgesCalls(contractOf(event, NEWEST_PROFILE))) return [];
    const { rules } = hook;
    if (!rules) return [(tool) => compiled.matches(tool)];
    const asked = (tool: string, kind: ToolKind) => ({ name: tool, kind, mcp: mcpToolOf(tool), agent: "", tags: [] });
    return [(tool, kind) => compiled.matches(tool) && rules.some((rule) => looksAt(rule, asked(tool, kind)))];
  });
}
