/** The cards of Home that each person chose, by workspace. */
import { z } from "zod";
import type { Administrator } from "../../access/actor.ts";
import type { Database } from "../../platform/db.ts";
import * as cards from "./repository.ts";
import { DEFAULT_CARDS, type HomeCard, type HomeCardsView, homeCard, type SaveHomeCards } from "./schema.ts";

/** A card that a later release stored is left out. */
const stored = z.array(z.unknown()).transform((all) => all.flatMap((one) => homeCard.safeParse(one).data ?? []));

/** A script has the default cards: it is no person who could have chosen others. */
export async function get(db: Database, { kind, workspaceId, id }: Administrator): Promise<HomeCardsView> {
  if (kind !== "person") return { cards: [...DEFAULT_CARDS], isDefault: true };
  const chosen = stored.safeParse(await cards.find(db.pool, workspaceId, id)).data;
  return chosen ? { cards: chosen, isDefault: isDefault(chosen) } : { cards: [...DEFAULT_CARDS], isDefault: true };
}

/** The default cards are not stored: a person who has them gets those of a later release. */
export async function save(db: Database, actor: Administrator, chosen: SaveHomeCards): Promise<void> {
  const { kind, workspaceId, id } = actor;
  if (kind !== "person") return;
  if (isDefault(chosen.cards)) await cards.remove(db.pool, workspaceId, id);
  else await cards.save(db.pool, workspaceId, id, chosen.cards);
}

const isDefault = (chosen: readonly HomeCard[]): boolean => chosen.join() === DEFAULT_CARDS.join();
