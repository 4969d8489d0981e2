/**
 * Finds dispatches that belong to no batch, or that lie outside the time of their batch, in one window of `occurred_at`
 * after the other. A window is a limited number of the workspace's rows, so that each statement is short. Its cursor is
 * part of an export's page: it names a row of that workspace, and reveals nothing about rows of others.
 */
import { inWorkspace } from "../../platform/scope.ts";
import type { Reader } from "../repository.ts";
import { batchOf } from "./chain-ranges.ts";
import * as strays from "./stray-scan-repository.ts";

export type StrayCursor = strays.StrayCursor;
export const STRAYS_BEGIN: StrayCursor = { at: "-infinity", id: "00000000-0000-0000-0000-000000000000" };

export interface StrayWindow {
  readonly strays: readonly strays.FoundRow[];
  /** Null at the end. */
  readonly next: StrayCursor | null;
}

const DAY_MS = 86_400_000;

/** `hasUnproven`: rows from before batches may be there. */
export function findStrays(
  db: Reader,
  workspaceId: string,
  { after, rows, hasUnproven }: { readonly after: StrayCursor; readonly rows: number; readonly hasUnproven: boolean },
): Promise<StrayWindow> {
  return inWorkspace(workspaceId, async () => {
    const { groups, last, count } = await strays.listWindow(db, workspaceId, after, rows);
    const next = last !== null && count >= rows ? last : null;
    const named = new Map(groups.flatMap((group) => (group.batch === null ? [] : [[group.batch, group] as const])));
    for (const { batch, earliest, latest } of await knownBatches(db, workspaceId, [...named.keys()])) {
      const group = named.get(batch);
      if (group && earliest <= group.earliest && group.latest <= latest) named.delete(batch);
    }
    const hasNameless = !hasUnproven && groups.some(({ batch }) => batch === null);
    if (last === null || (named.size === 0 && !hasNameless)) return { strays: [], next };
    const spans = new Map(
      (await knownBatches(db, workspaceId, [...named.keys()])).map((one) => [one.batch, one] as const),
    );
    const suspects = await strays.listRows(db, workspaceId, { after, last, batches: [...named.keys()], hasNameless });
    const isStray = ({ batch, at }: strays.FoundRow) => {
      const span = spans.get(batch ?? "");
      return !span || at < span.earliest || at > span.latest;
    };
    return { strays: suspects.filter(isStray), next };
  });
}

async function knownBatches(db: Reader, workspaceId: string, batches: readonly string[]): Promise<strays.BatchTimes[]> {
  if (batches.length === 0) return [];
  // Ids hold their time of creation, so nearly all batches are found in its month.
  const made = batches.map(madeAt).filter((ms) => ms !== null);
  const near = made.length === 0 ? null : ([Math.min(...made) - DAY_MS, Math.max(...made) + DAY_MS] as const);
  const found = near === null ? [] : await strays.listBatches(db, workspaceId, batches, near);
  const rest = without(batches, found);
  if (rest.length > 0) found.push(...(await strays.listBatches(db, workspaceId, rest, null)));
  for (const entry of await strays.listEntriesOf(db, workspaceId, without(batches, found))) {
    const batch = batchOf(entry);
    if (batch !== null && batch.id === entry.batch && batch.span !== null)
      found.push({ batch: batch.id, earliest: micros(batch.span[0]), latest: micros(batch.span[1]) });
  }
  return found;
}

function without(batches: readonly string[], found: readonly strays.BatchTimes[]): string[] {
  const known = new Set(found.map(({ batch }) => batch));
  return batches.filter((batch) => !known.has(batch));
}

const micros = (iso: string): string => iso.replace("Z", "000Z");

/** The instant in a UUIDv7 of this century; null in any other. */
function madeAt(id: string): number | null {
  if (id[14] !== "7") return null;
  const ms = Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
  return ms < Date.UTC(2100) ? ms : null;
}
