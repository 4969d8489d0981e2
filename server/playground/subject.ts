/**
 * The hooks of a playground run: those of a text, of a revision or in force, alone or with everything that binds an
 * agent.
 */
import { createHash } from "node:crypto";
import { type HookOrigin, type HooksConfig, type PlanSource, PROFILES, type Profile } from "@quarterdeck/hooks";
import { AppError } from "../errors/app-error.ts";
import type { Database } from "../platform/db.ts";
import { effectiveSet, get, planSourceOf, readText, revision } from "../policies/index.ts";
import type { PlaygroundSubject } from "./schema.ts";

export interface Subject {
  readonly name: string;
  readonly hooks: HooksConfig;
  readonly profile: Profile;
  readonly origin: HookOrigin;
  readonly sha256: string;
}

/**
 * The text and its name.
 *
 * Errors: `policy_not_found`, `revision_not_found`; `policy_invalid` with every problem of the text.
 */
export async function subjectOf(
  db: Database,
  workspaceId: string,
  policyId: string | undefined,
  asked: PlaygroundSubject,
  asker: string = workspaceId,
): Promise<Subject> {
  const policy = policyId === undefined ? null : await get(db, workspaceId, policyId);
  if (!policy && asked.kind !== "text") throw new AppError("policy_not_found", "no policy to take a revision of");
  const name = policy?.name ?? "this text";
  if (asked.kind === "text") return read(asker, name, asked.source, {});
  const number = asked.kind === "live" ? (policy?.liveRevision ?? 0) : asked.number;
  if (number === 0) throw new AppError("revision_not_found", policyId, { says: `No revision of ${name} is in force.` });
  const { source } = await revision(db, workspaceId, policyId ?? "", number);
  return read(asker, name, source, { revision: number });
}

async function read(
  asker: string,
  policy: string,
  source: string,
  more: { readonly revision?: number },
): Promise<Subject> {
  const { profile, hooks, problems } = await readText(asker, source);
  if (!hooks) {
    const first = problems[0];
    const says = first ? `The text has problems: ${first.message} (line ${first.line})` : undefined;
    throw new AppError("policy_invalid", undefined, { ...(says && { says }), problems });
  }
  const sha256 = createHash("sha256").update(source).digest("hex");
  return { name: policy, hooks, profile, origin: { policy, ...more }, sha256 };
}

export interface Surrounded {
  readonly sources: readonly PlanSource[];
  readonly profile: Profile;
  readonly notes: readonly string[];
}

/** The subject by itself. */
export const withoutOthers = ({ origin, hooks, profile }: Subject): Surrounded => ({
  sources: [{ origin, hooks }],
  profile,
  notes: [],
});

/** The subject in its place among everything that binds the agent; at the end when it does not bind it. */
export async function amongOthers(
  db: Database,
  workspaceId: string,
  policyId: string | undefined,
  subject: Subject,
  agentId: string,
): Promise<Surrounded> {
  const set = await effectiveSet(db, workspaceId, agentId);
  const own: PlanSource = { origin: subject.origin, hooks: subject.hooks, profile: subject.profile };
  const others = set.members.map((member): PlanSource & { isSubject: boolean } =>
    member.policyId === policyId
      ? { ...own, isSubject: true }
      : { ...planSourceOf(member), origin: { policy: member.name, revision: member.number }, isSubject: false },
  );
  const isMember = others.some((one) => one.isSubject);
  const newest = Math.max(PROFILES.indexOf(set.profile), PROFILES.indexOf(subject.profile));
  const sources = others.map(({ isSubject: _, ...source }) => source);
  return {
    sources: isMember ? sources : [...sources, own],
    profile: set.members.length === 0 ? subject.profile : (PROFILES[newest] ?? subject.profile),
    notes: isMember ? [] : [`${subject.name} does not bind this agent today; it was run after everything that does.`],
  };
}
