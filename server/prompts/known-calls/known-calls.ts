/** Edits the known calls of a judge. */
import type { Administrator } from "../../access/actor.ts";
import { appendAudit } from "../../audit/record-audit.ts";
import { AppError } from "../../errors/app-error.ts";
import type { Bus } from "../../events/index.ts";
import { findMasking } from "../../masking/index.ts";
import type { Database } from "../../platform/db.ts";
import { uuidv7 } from "../../platform/ids.ts";
import { excerptIn } from "../recorded-calls.ts";
import * as prompts from "../repository.ts";
import { expectations } from "../revision-figures.ts";
import type { RecordedKey } from "../schema.ts";
import * as calls from "./call-rows.ts";
import {
  type AddKnownCalls,
  INPUT_CHARS_MAX,
  KNOWN_CALLS_MAX,
  type KnownCallById,
  type KnownCallsAdded,
  type KnownKind,
} from "./schema.ts";

interface World {
  readonly db: Database;
  readonly bus: Bus;
}

type Found = { readonly calls: readonly calls.NewKnownCall[]; readonly skipped: number };

/** Adds calls; equal ones are kept once. Errors: `prompt_not_found`, `invalid_input` above 200 calls. */
export async function addKnownCalls(
  { db, bus }: World,
  actor: Administrator,
  { promptId, calls: wanted, note }: AddKnownCalls,
): Promise<KnownCallsAdded> {
  const { workspaceId } = actor;
  const prompt = await prompts.find(db.prisma, workspaceId, promptId);
  if (!prompt) throw new AppError("prompt_not_found", promptId);
  const found = await findCalls(db, workspaceId, promptId, wanted, note);
  const added = await prompts.transaction(db.pool, async (client) => {
    await calls.lockSet(client, workspaceId, promptId);
    const inserted: calls.NewKnownCall[] = [];
    for (const call of found.calls)
      if (await calls.insert(client, workspaceId, promptId, call, actor.name)) inserted.push(call);
    if ((await calls.count(client, workspaceId, promptId)) > KNOWN_CALLS_MAX) throw tooMany();
    if (inserted.length === 0) return 0;
    const count = (kind: KnownKind) => inserted.filter((one) => one.kind === kind).length;
    await appendAudit(client, actor, {
      ...{ kind: "judge_known_calls_added", version: 1, by: actor.name, prompt: promptId, name: prompt.name },
      ...{ source: wanted.from, bad: count("bad"), good: count("good") },
    });
    return inserted.length;
  });
  bus.tell(workspaceId, ["prompts"]);
  return { added, skipped: found.skipped + found.calls.length - added };
}

const tooMany = () =>
  new AppError("invalid_input", undefined, {
    says: `A judge has at most ${KNOWN_CALLS_MAX} known calls. Remove some first.`,
  });

async function findCalls(
  db: Database,
  workspaceId: string,
  promptId: string,
  asked: AddKnownCalls["calls"],
  note: string,
): Promise<Found> {
  if (asked.from === "hand") {
    const { kind, event } = asked;
    const masking = await findMasking(db.pool, workspaceId);
    const input = masking.json(JSON.stringify(asked.input), "input", asked.input);
    return {
      calls: [newCall({ kind, event, tool_name: asked.input.tool_name ?? null, input, note }, "hand")],
      skipped: 0,
    };
  }
  const wanted = asked.from === "recorded" ? asked.keys : await findLabelled(db, workspaceId, promptId);
  const recorded = await calls.listRecorded(db.pool, workspaceId, wanted, INPUT_CHARS_MAX);
  const kinds = new Map(wanted.map(({ occurredAt, id, kind }) => [`${occurredAt.getTime()}.${id}`, kind]));
  const made = recorded.flatMap(({ key, ...row }) => {
    const kind = kinds.get(key);
    return kind === undefined ? [] : [newCall({ ...row, kind, note }, asked.from)];
  });
  return { calls: made, skipped: wanted.length - made.length };
}

/** The newest labelled calls that people do not dispute, as many as a set can have. */
async function findLabelled(db: Database, workspaceId: string, promptId: string) {
  const labelled: (RecordedKey & { readonly kind: KnownKind })[] = [];
  for (const [key, expected] of await expectations(db, workspaceId, promptId)) {
    const [ms = "", id = ""] = key.split(".");
    if (expected !== "disputed")
      labelled.push({ occurredAt: new Date(Number(ms)), id, kind: expected === "allow" ? "good" : "bad" });
  }
  return labelled.slice(0, KNOWN_CALLS_MAX);
}

type Parts = Omit<calls.NewKnownCall, "id" | "excerpt" | "source">;
const newCall = (parts: Parts, source: calls.NewKnownCall["source"]): calls.NewKnownCall => ({
  ...parts,
  ...{ id: uuidv7(), source, excerpt: excerptIn(parts.input) },
});

/** Removes a call, if it exists. Its answers no longer count. */
export async function removeKnownCall(
  { db, bus }: World,
  actor: Administrator,
  { promptId, callId }: KnownCallById,
): Promise<void> {
  const { workspaceId } = actor;
  const prompt = await prompts.find(db.prisma, workspaceId, promptId);
  if (!prompt) throw new AppError("prompt_not_found", promptId);
  await prompts.transaction(db.pool, async (client) => {
    const callKind = await calls.remove(client, workspaceId, promptId, callId);
    if (callKind === null) return;
    await appendAudit(client, actor, {
      ...{ kind: "judge_known_call_removed", version: 1, by: actor.name, prompt: promptId, name: prompt.name },
      ...{ call: callId, callKind },
    });
  });
  bus.tell(workspaceId, ["prompts"]);
}
