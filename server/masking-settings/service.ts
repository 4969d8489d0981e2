/**
 * The masking of a workspace as its owners govern it. A change that only adds applies at once. A change that takes a part away needs
 * a second person, or the emergency path with a reason. Each is an audit entry, which names rules and holds no pattern.
 */
import { type MaskingSetting, maskingSetting } from "@quarterdeck/hooks/contract/masking-setting";
import type { Administrator } from "../access/actor.ts";
import { requireMay } from "../access/permissions.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { AppError } from "../errors/app-error.ts";
import { announcedTransaction, type Bus } from "../events/index.ts";
import { readMasking, storedMaskings } from "../masking/index.ts";
import type { Database, Tx } from "../platform/db.ts";
import { sha256 } from "../platform/secrets.ts";
import { selectBy } from "../platform/select.ts";
import { CHANGE, type Independence, independenceBy, independenceIn, reasonAgainstDeciding } from "../reviews/index.ts";
import { fieldText, lossesOf } from "./losses.ts";
import { listHiddenWords } from "./policy-words.ts";
import { requireNone, requireUsable } from "./problems.ts";
import { type DecideMasking, HIT_DAYS, type MaskingView, type SavedMasking, type SaveMasking } from "./schema.ts";

const DAY_MS = 86_400_000;

export async function getMasking({ pool }: Pick<Database, "pool">, actor: Administrator): Promise<MaskingView> {
  const { workspaceId } = actor;
  const since = new Date(Date.now() - HIT_DAYS * DAY_MS);
  const [row, hits] = await Promise.all([
    storedMaskings.find(pool, workspaceId),
    storedMaskings.sumHits(pool, workspaceId, since),
  ]);
  const { setting, problem } = readMasking(row?.setting ?? null);
  const asked = row === null ? null : askedOf(row);
  const independence = asked && (await independenceBy(selectBy(pool), workspaceId));
  return {
    setting,
    version: row?.version ?? 0,
    setBy: row?.setBy ?? null,
    setAt: row?.setAt ?? null,
    problem,
    hits: [...hits],
    asked: asked &&
      independence && {
        setting: asked.setting,
        loses: [...lossesOf(setting, asked.setting)],
        byName: asked.byName,
        at: asked.at,
        isMine: asked.byId === actor.id,
        whyNot: whyNotDecide(actor, asked, independence),
      },
  };
}

interface Asked {
  readonly setting: MaskingSetting;
  readonly byId: string;
  readonly byName: string;
  readonly at: Date;
}

/** A waiting change that this release can read. */
function askedOf({ asked, askedBy, askedName, askedAt }: storedMaskings.MaskingRow): Asked | null {
  const setting = maskingSetting.safeParse(asked);
  if (!setting.success || askedBy === null || askedAt === null) return null;
  return { setting: setting.data, byId: askedBy, byName: askedName ?? "", at: askedAt };
}

const whyNotDecide = (actor: Administrator, { byId, at }: Asked, independence: Independence): string | null =>
  reasonAgainstDeciding(actor, { authorId: byId, editors: [], at }, independence, CHANGE);

/**
 * Saves the setting, or keeps a weaker one for a second person. Errors: `invalid_input`; `masking_moved_on`; `forbidden` and
 * `second_person_needed` on the emergency path.
 */
export async function saveMasking(
  context: { readonly db: Database; readonly bus: Bus },
  actor: Administrator,
  { setting, version, reason }: SaveMasking,
): Promise<SavedMasking> {
  requireUsable(setting);
  const { workspaceId } = actor;
  requireNone(await listHiddenWords(context.db, workspaceId, setting));
  return announcedTransaction(context, workspaceId, ["masking", "audit"], async (tx) => {
    const row = await storedMaskings.findForUpdate(tx, workspaceId);
    if ((row?.version ?? 0) !== version) throw new AppError("masking_moved_on");
    const loses = row === null ? [] : lossesIn(row.setting, setting);
    if (loses.length === 0 || reason !== null) {
      if (reason !== null) requireEmergency(actor);
      await putInForce(tx, actor, { setting, version, loses, reason, asked: null });
      return { state: "saved" };
    }
    await storedMaskings.ask(tx, workspaceId, { setting, by: actor });
    await recordAudit(tx, actor, {
      ...{ kind: "masking_change_asked", version: 1, by: actor.name, loses: [...loses], isWithdrawn: false },
    });
    return { state: "asked" };
  });
}

/** The losses against the stored setting. A setting that cannot be read is unknown, so any other may be weaker. */
function lossesIn(stored: unknown, setting: MaskingSetting): readonly string[] {
  const before = readMasking(stored);
  return before.problem === null ? lossesOf(before.setting, setting) : ["the setting that cannot be read"];
}

function requireEmergency(actor: Administrator): void {
  requireMay(actor, "policy:emergency");
  if (actor.kind !== "person")
    throw new AppError("second_person_needed", undefined, {
      says: "Only a person can use the emergency path, not a script or a service account.",
    });
}

/** A second person's decision on the waiting change. Errors: `masking_moved_on`; `second_person_needed`. */
export async function decideMasking(
  context: { readonly db: Database; readonly bus: Bus },
  actor: Administrator,
  { askedAt, outcome }: DecideMasking,
): Promise<void> {
  const { workspaceId } = actor;
  await announcedTransaction(context, workspaceId, ["masking", "audit"], async (tx) => {
    const { row, asked } = await requireAsked(tx, workspaceId, askedAt);
    const reason = whyNotDecide(actor, asked, await independenceIn(tx, workspaceId));
    if (reason !== null) throw new AppError("second_person_needed", undefined, { says: reason });
    const { setting, byId, byName } = asked;
    const loses = lossesIn(row.setting, setting);
    if (outcome === "approved") {
      // A rule of another release may refuse what it accepted.
      requireUsable(setting);
      const by = { id: byId, name: byName };
      await putInForce(tx, actor, { setting, version: row.version, loses, reason: null, asked: by });
      return;
    }
    await storedMaskings.dropAsked(tx, workspaceId);
    await recordAudit(tx, actor, { kind: "masking_change_declined", version: 1, by: actor.name, loses: [...loses] });
  });
}

/** Withdraws the waiting change. Errors: `masking_moved_on`; `second_person_needed` for another person's. */
export async function withdrawMasking(
  context: { readonly db: Database; readonly bus: Bus },
  actor: Administrator,
  { askedAt }: Pick<DecideMasking, "askedAt">,
): Promise<void> {
  const { workspaceId } = actor;
  await announcedTransaction(context, workspaceId, ["masking", "audit"], async (tx) => {
    const { row, asked } = await requireAsked(tx, workspaceId, askedAt);
    if (asked.byId !== actor.id)
      throw new AppError("second_person_needed", undefined, {
        says: "Only the person who requested the change can withdraw it.",
      });
    await storedMaskings.dropAsked(tx, workspaceId);
    const loses = [...lossesIn(row.setting, asked.setting)];
    await recordAudit(tx, actor, {
      kind: "masking_change_asked",
      version: 1,
      by: actor.name,
      loses,
      isWithdrawn: true,
    });
  });
}

async function requireAsked(tx: Tx, workspaceId: string, askedAt: Date) {
  const row = await storedMaskings.findForUpdate(tx, workspaceId);
  const asked = row === null ? null : askedOf(row);
  if (row === null || asked === null || asked.at.getTime() !== askedAt.getTime())
    throw new AppError("masking_moved_on");
  return { row, asked };
}

interface InForce {
  readonly setting: MaskingSetting;
  /** The version that it replaces. */
  readonly version: number;
  readonly loses: readonly string[];
  readonly reason: string | null;
  readonly asked: { readonly id: string; readonly name: string } | null;
}

async function putInForce(tx: Tx, actor: Administrator, { setting, version, loses, ...how }: InForce): Promise<void> {
  const isSaved = await storedMaskings.save(tx, actor.workspaceId, { setting, version, by: actor.name });
  if (!isSaved) throw new AppError("masking_moved_on");
  await recordAudit(tx, actor, {
    ...{ kind: "masking_set", version: 1, by: actor.name, loses: [...loses], ...how },
    // A pattern may be the very word that it hides.
    patterns: setting.patterns.map(({ name, pattern }) => ({ name, sha256: sha256(pattern).toString("hex") })),
    fields: setting.fields.map(fieldText),
    detectors: [...setting.detectors, ...setting.nationalIds.map((country) => `id_${country}`)],
  });
}
