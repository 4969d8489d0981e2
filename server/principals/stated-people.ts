/**
 * The people whom clients' telemetry states. The console's process reads telemetry, so no gate waits for these
 * statements.
 */
import { LRUCache } from "lru-cache";
import type { AgentActor } from "../access/actor.ts";
import type { Bus } from "../events/index.ts";
import type { MaskingInForce } from "../masking/index.ts";
import type { Database } from "../platform/db.ts";
import * as principals from "./repository.ts";
import { resolveStated, type StatedPerson } from "./resolve.ts";
import { PRINCIPAL_LIMITS } from "./schema.ts";
import { sessionKey } from "./session-key.ts";

const KNOWN_MAX = 5_000;
/** A second limit: a person who was erased is a new one after this time at the latest. */
const KNOWN_MS = 30_000;

/** A call that telemetry reports, with the person whom it states. */
export interface StatedCall {
  readonly sessionId: string;
  readonly person: StatedPerson | null;
}

export interface StatedPeople {
  /** The id of the person of each call, in the order given. Notes the person of each session. Errors: the database's. */
  resolve(actor: AgentActor, calls: readonly StatedCall[]): Promise<(string | null)[]>;
}

export interface StatedPeopleWorld {
  readonly db: Pick<Database, "prisma">;
  readonly masking: Pick<MaskingInForce, "of">;
  readonly bus: Pick<Bus, "tell">;
}

export function createStatedPeople({ db, masking, bus }: StatedPeopleWorld): StatedPeople {
  const known = new LRUCache<string, string>({ max: KNOWN_MAX, ttl: KNOWN_MS });

  async function idOf(workspaceId: string, person: StatedPerson): Promise<string | null> {
    const key = JSON.stringify([workspaceId, person.email, person.clientAccount]);
    const cached = known.get(key);
    if (cached !== undefined) return cached;
    const { text: mask } = await masking.of(workspaceId);
    const keepsEmail = person.email === null || mask(person.email) === person.email;
    const id = await db.prisma.$transaction((tx) => resolveStated(tx, workspaceId, person, keepsEmail));
    if (id !== null) known.set(key, id);
    return id;
  }

  return {
    async resolve({ workspaceId, id: agentId }, calls) {
      const ids = new Map<string, string | null>();
      const sessions = new Map<string, string>();
      const found: (string | null)[] = [];
      for (const { sessionId, person } of calls) {
        const key = JSON.stringify(person);
        if (person !== null && !ids.has(key) && ids.size < PRINCIPAL_LIMITS.perExport)
          ids.set(key, await idOf(workspaceId, person));
        const principalId = ids.get(key) ?? null;
        found.push(principalId);
        if (principalId !== null) sessions.set(sessionKey(sessionId), principalId);
      }
      let isNews = false;
      for (const [sessionId, principalId] of sessions) {
        const noted = { agentId, sessionId, principalId };
        isNews = (await principals.saveSessionPrincipal(db.prisma, workspaceId, noted)) || isNews;
      }
      if (isNews) bus.tell(workspaceId, ["principals"]);
      return found;
    },
  };
}
