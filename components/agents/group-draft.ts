import type { Wrongs } from "@/components/ui/form-texts";
import { formatCount, plural } from "@/components/ui/format/count";
import { matchesPattern, namePattern } from "@/server/agents/name-pattern-schema";
import { createGroup, type GroupView } from "@/server/agents/schema";

/** The agents of a group in its form: chosen one by one, or by a name pattern. */
export interface GroupDraft {
  readonly kind: "list" | "pattern";
  readonly members: ReadonlySet<string>;
  readonly pattern: string;
}

interface NamedAgent {
  readonly id: string;
  readonly name: string;
}

/** The part of `setGroupMembers` that a draft changes. */
export type MemberChange =
  | { readonly agentIds: string[]; readonly namePattern?: null }
  | { readonly namePattern: string | null };

export function draftOf(group: GroupView | null): GroupDraft {
  const pattern = group?.namePattern ?? null;
  return { kind: pattern === null ? "list" : "pattern", members: new Set(group?.agentIds), pattern: pattern ?? "" };
}

/** The fields of the form. */
export interface GroupForm extends Omit<GroupDraft, "members"> {
  readonly name: string;
  readonly members: readonly string[];
}

/** The group that the fields say, or the errors by field. */
export function readGroup(form: GroupForm): { input: GroupForm } | { wrongs: Wrongs } {
  const parsed = createGroup.safeParse({ name: form.name });
  const pattern = draftProblem({ ...form, members: new Set(form.members) });
  if (parsed.success && pattern === null) return { input: { ...form, name: parsed.data.name } };
  const name = parsed.error?.issues[0]?.message;
  return { wrongs: { ...(name === undefined ? {} : { name }), ...(pattern === null ? {} : { pattern }) } };
}

/** The reason why the draft cannot be saved, in words. */
export function draftProblem({ kind, pattern }: GroupDraft): string | null {
  if (kind === "list") return null;
  return namePattern.safeParse(pattern).error?.issues[0]?.message ?? null;
}

/** The agents that are in the group once the draft is saved; null while its pattern is invalid. */
export function membersOf<T extends NamedAgent>(draft: GroupDraft, agents: readonly T[]): T[] | null {
  if (draft.kind === "list") return agents.filter(({ id }) => draft.members.has(id));
  const parsed = namePattern.safeParse(draft.pattern);
  return parsed.success ? agents.filter(({ name }) => matchesPattern(parsed.data, name)) : null;
}

/** The change from the stored group to the draft; null without a difference. */
export function memberChange(group: GroupView | null, { kind, members, pattern }: GroupDraft): MemberChange | null {
  const before = group?.namePattern ?? null;
  if (kind === "pattern") return pattern.trim() === before ? null : { namePattern: pattern.trim() };
  const had = group?.agentIds ?? [];
  const isSame = had.length === members.size && had.every((id) => members.has(id));
  // A pattern that is cleared leaves its agents, so they need not be listed.
  if (before !== null) return isSame ? { namePattern: null } : { agentIds: [...members], namePattern: null };
  return isSame ? null : { agentIds: [...members] };
}

/** Names that are spelled out; the rest are counted. */
const SPELLED = 5;

/** `Matches 7 of 50 agents: a, b, c, d, e and 2 more.` */
export function matchSentence(names: readonly string[], total: number): string {
  const count = `Matches ${formatCount(names.length)} of ${plural(total, "agent")}`;
  if (names.length === 0) return `${count}.`;
  const more = names.length - SPELLED;
  return `${count}: ${names.slice(0, SPELLED).join(", ")}${more > 0 ? ` and ${formatCount(more)} more` : ""}.`;
}
