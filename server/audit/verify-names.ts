/**
 * Verifies the names of people: every stored part against its digest in its entry. A missing part was erased, and is
 * counted.
 */
import { z } from "zod";
import type { ChainedEntry } from "./chain.ts";
import type { Findings } from "./findings.ts";
import { type NamePart, nameDigest, namesIn } from "./person-names.ts";

const count = z.number().int().nonnegative();
/** Names of people: as recorded, and erased. */
export const nameCount = z.strictObject({ held: count, erased: count });
export type NameCount = z.infer<typeof nameCount>;

export function createNameCheck(altered: Findings, saved: NameCount = { held: 0, erased: 0 }) {
  let { held, erased } = saved;
  return {
    entry({ seq, kind, body }: ChainedEntry, parts: readonly NamePart[]): void {
      const people = namesIn(body)?.people ?? {};
      const add = (says: string) => altered.add({ seq, kind, says });
      const given = new Set<string>();
      for (const part of parts) {
        const digest = Object.hasOwn(people, part.person) ? people[part.person] : undefined;
        if (given.has(part.person)) add(`the name of the person ${part.person} is there twice`);
        else if (digest === undefined)
          add(`has no digest of the name of the person ${part.person} that lies beside it`);
        else if (nameDigest(part) !== digest) add(`the name of the person ${part.person} is not what was recorded`);
        else held += 1;
        given.add(part.person);
      }
      erased += Object.keys(people).filter((person) => !given.has(person)).length;
    },
    count: (): NameCount => ({ held, erased }),
  };
}
