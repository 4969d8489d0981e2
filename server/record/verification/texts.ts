/** The text that an act put in force, next to the text that it replaced. */
import { z } from "zod";
import type { ChainedEntry } from "../../audit/chain.ts";
import type { Database } from "../../platform/db.ts";
import { sha256 } from "../../platform/secrets.ts";
import * as policies from "../../policies/index.ts";
import type { EntryDetail } from "../schema.ts";

const published = z.object({
  kind: z.literal("policy_published"),
  policy: z.uuid(),
  revision: z.number(),
  sha256: z.string(),
});
const rolledBack = z.object({
  kind: z.literal("policy_rolled_back"),
  policy: z.uuid(),
  from: z.number(),
  to: z.number(),
});
const act = z.discriminatedUnion("kind", [published, rolledBack]);

/** Null when the entry is about no text, or when the text is gone. */
export async function textsOf(db: Database, workspaceId: string, entry: ChainedEntry): Promise<EntryDetail["texts"]> {
  const found = act.safeParse(parsed(entry.body)).data;
  if (!found) return null;
  const [from, to] = found.kind === "policy_published" ? [found.revision - 1, found.revision] : [found.from, found.to];
  const sourceOf = (number: number) =>
    number === 0
      ? Promise.resolve("")
      : policies.revision(db, workspaceId, found.policy, number).then(
          ({ source }) => source,
          () => null,
        );
  const [before, after] = await Promise.all([sourceOf(from), sourceOf(to)]);
  if (after === null) return null;
  const isSame = found.kind !== "policy_published" || sha256(after).toString("hex") === found.sha256;
  const trouble = isSame ? null : "The stored text of this revision is not the one that was published.";
  return { label: `Revision ${from} → ${to}`, before: before ?? "", after, trouble };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
