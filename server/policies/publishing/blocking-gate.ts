/**
 * The gate for findings that block a revision: vetoes that hit an overflow, time limits that no client waits for, and
 * programs that a gate lacks. Every path that puts a text in force passes it. An admin overrides it with a reason,
 * which is stored with the revision.
 */
import type { FindPrograms, HooksConfig, Profile } from "@quarterdeck/hooks";
import {
  type BlockingRule,
  GATE_PROGRAM_MISSING,
  isBlockingRule,
} from "@quarterdeck/hooks/contract/lint/blocking-rules";
import { problemAt } from "@quarterdeck/hooks/contract/problem";
import { readPolicyText } from "@quarterdeck/hooks/contract/text/policy-text";
import { z } from "zod";
import type { Administrator } from "../../access/actor.ts";
import { may, requireMay } from "../../access/permissions.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import { AppError } from "../../errors/app-error.ts";
import type { Database, Tx } from "../../platform/db.ts";
import { uuidv7 } from "../../platform/ids.ts";
import { boundClients } from "../assignments/bound-clients.ts";
import type { BindingTx } from "../binding/binding-tx.ts";
import { findRevision } from "../repository.ts";
import type { Override, OverrideView, PolicyProblem } from "../schema.ts";
import { checkInWorker } from "../text/read-in-worker.ts";
import { AVAILABLE } from "../text/source.ts";
import { readStoredPolicy } from "../text/stored-policy.ts";
import { requireTypedName } from "./case-gate.ts";
import * as overrides from "./override-repository.ts";
import { requireCommandsAllowed } from "./permitted-hooks.ts";
import { findProgramGaps } from "./program-gaps.ts";

export interface BlockingFinding extends PolicyProblem {
  readonly rule: BlockingRule;
}

export interface TextToCheck {
  /** An unknown one is a new policy, which will bind the workspace. */
  readonly policyId: string;
  readonly source: string;
  readonly hooks: HooksConfig;
  readonly profile: Profile;
}

const FINDINGS_MAX = 50;

/** The findings that block a text for the clients that its policy binds. Empty for a text with errors. */
export async function findBlocking(
  db: Database,
  actor: Administrator,
  text: TextToCheck,
  find: FindPrograms | undefined,
): Promise<BlockingFinding[]> {
  const clients = await boundClients(db, actor.workspaceId, text.policyId);
  const { findings } = await checkInWorker(actor.id, { source: text.source, clients });
  const linted = findings.flatMap(({ rule, path, message, line, column, endLine, endColumn }) =>
    isBlockingRule(rule) ? [{ rule, path, message, line, column, endLine, endColumn }] : [],
  );
  return [...linted, ...(find ? await missingPrograms(text, find) : [])].slice(0, FINDINGS_MAX);
}

async function missingPrograms(
  { hooks, profile, source }: TextToCheck,
  find: FindPrograms,
): Promise<BlockingFinding[]> {
  const gaps = await findProgramGaps(hooks, profile, find);
  const missing = gaps.filter(({ kind, isGate }) => kind === "missing" && isGate);
  if (missing.length === 0) return [];
  const { placed } = readPolicyText(source, AVAILABLE);
  return missing.map(({ place, says }) => ({
    ...placed(problemAt([...place, "command"], says)),
    rule: GATE_PROGRAM_MISSING,
  }));
}

/**
 * The findings that `override` covers. Errors: `policy_blocked` with every finding that blocks and its rule;
 * `forbidden` if only an admin may override.
 */
export function requireOverridden(
  actor: Administrator,
  findings: readonly BlockingFinding[],
  override: Override | undefined,
): readonly BlockingFinding[] {
  const open = findings.filter(({ rule }) => !override?.rules?.includes(rule));
  if (open.length > 0) throw blocked(actor, open);
  if (findings.length > 0) requireMay(actor, "policy:govern");
  return findings;
}

function blocked(actor: Administrator, open: readonly BlockingFinding[]): AppError {
  const [first] = open;
  const count = open.length === 1 ? "1 finding blocks" : `${open.length} findings block`;
  const next = may(actor, "policy:govern")
    ? "Fix the text. To override, name the rules, type the policy's name and enter a reason."
    : "Fix the text, or ask an admin to override it with a reason.";
  const where = first ? ` ${upperFirst(first.message).replace(/[.]?$/, ".")} (line ${first.line})` : "";
  return new AppError("policy_blocked", undefined, {
    says: `${count} this policy, so nothing took effect.${where} ${next}`,
    problems: open,
  });
}

const upperFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

interface PublishedText {
  readonly policyId: string;
  readonly number: number;
  readonly override?: Override | undefined;
}

/**
 * For a published revision: the findings that `override` covers, without those that an earlier override of the
 * revision covers. Errors: as of `requireOverridden`. None for a revision that does not exist.
 */
export async function requireRevisionOverridden(
  db: Database,
  actor: Administrator,
  { policyId, number, override }: PublishedText,
  find: FindPrograms | undefined,
): Promise<readonly BlockingFinding[]> {
  const { workspaceId } = actor;
  const row = await findRevision(db.prisma, workspaceId, policyId, number);
  if (!row) return [];
  requireCommandsAllowed(actor, row.hooks);
  const findings = await findBlocking(db, actor, { policyId, source: row.source, ...readStoredPolicy(row) }, find);
  if (findings.length === 0) return [];
  const earlier = await listOverrideViews(db.prisma, workspaceId, policyId, [number]);
  const covered = new Set(earlier.flatMap((one) => one.findings.map(keyOf)));
  const open = findings.filter((finding) => !covered.has(keyOf(finding)));
  return requireOverridden(actor, open, override);
}

const keyOf = ({ rule, path }: { readonly rule: string; readonly path: string }): string => `${rule} ${path}`;

/** Stores the override with the revision, and in the audit log. Does nothing without findings. */
export async function recordOverride(
  tx: BindingTx,
  actor: Administrator,
  revision: { readonly policyId: string; readonly name: string; readonly number: number },
  findings: readonly BlockingFinding[],
  override: Override | undefined,
): Promise<void> {
  if (findings.length === 0 || !override) return;
  const { policyId, name, number } = revision;
  requireTypedName(name, override);
  const { reason } = override;
  const kept = findings.map(({ rule, path, message }) => ({ rule, path, message }));
  const row = { id: uuidv7(), policyId, number, reason, madeBy: actor.name, findings: kept };
  await overrides.insertOverride(tx, actor.workspaceId, row);
  await recordAudit(tx, actor, {
    ...{ kind: "policy_findings_overridden", version: 1, by: actor.name },
    ...{ policy: policyId, revision: number, reason, findings: kept },
  });
}

const storedFindings = z.array(z.object({ rule: z.string(), path: z.string(), message: z.string() })).catch([]);

/** The overrides of some revisions of a policy, the newest first. */
export async function listOverrideViews(
  tx: Tx,
  workspaceId: string,
  policyId: string,
  numbers: readonly number[],
): Promise<OverrideView[]> {
  const rows = await overrides.listOverrides(tx, workspaceId, policyId, numbers);
  return rows.map(({ number, reason, madeBy, madeAt, findings }) => ({
    ...{ number, reason, by: madeBy, at: madeAt, findings: storedFindings.parse(findings) },
  }));
}
