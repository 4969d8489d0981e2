/** Notices of entries of the chain. The names of people are not in them: they can be erased where they stand. */
import { z } from "zod";
import type { OpenRequest } from "../approvals/index.ts";
import { eventKeyText } from "../recording/event-key-schema.ts";
import { EVERYBODY, type Notice, notice } from "./notice.ts";

export interface EntryRow {
  readonly seq: number;
  readonly at: Date;
  readonly kind: string;
  readonly body: string;
  readonly actorId: string | null;
}

const numbered = z.object({ approval: z.string(), number: z.number() });
const exception = z.object({ exception: z.string(), number: z.number().nullable(), owner: z.string() });
const counts = z.looseObject({ calls: z.number() });
const share = z.object({ hits: z.number(), of: z.number() });
const body = {
  asked: z.object({ approval: z.string() }),
  several: z.object({ approvals: z.array(numbered) }),
  review: z.object({
    policy: z.string(),
    names: z.object({ objects: z.record(z.string(), z.string()).optional() }).optional(),
  }),
  withdrawn: z.object({
    ...{ policy: z.string(), revision: z.number(), passed: z.string(), inside: counts, others: counts },
    names: z.object({ objects: z.record(z.string(), z.string()).optional() }).optional(),
  }),
  change: z.object({ summary: z.string() }),
  halt: z.object({
    scope: z.enum(["workspace", "group", "agent", "session"]),
    about: z.string(),
    isQuarantine: z.boolean(),
    reason: z.string(),
  }),
  judge: z.object({
    ...{ prompt: z.string(), name: z.string(), state: z.string(), says: z.string(), isHalted: z.boolean() },
    beyond: z.array(z.enum(["recall", "false_alarms", "flips"])),
    ...{ recall: share, falseAlarms: share, flips: share },
  }),
  drill: z.object({
    ...{ agent: z.string(), name: z.string(), client: z.string(), drill: z.string() },
    ...{ calls: z.number(), blocked: z.number() },
  }),
  assigned: z.object({
    ...{ person: z.string().nullable(), count: z.number(), occurredAt: z.iso.datetime(), dispatch: z.string() },
  }),
  lapsed: z.object({ exceptions: z.array(exception) }),
};

type Open = ReadonlyMap<string, OpenRequest>;
type Make = (entry: EntryRow, parsed: unknown, open: Open) => readonly Notice[];

const MAKERS: Readonly<Record<string, Make>> = {
  approval_requested: (entry, parsed, open) =>
    aboutRequests([body.asked.parse(parsed).approval], open, (request) => ({
      key: `approval_requested/${request.id}`,
      at: entry.at,
      title: `QD-${request.number}: ${request.isWaiting ? "an agent waits for an answer" : "a call needs an answer"}`,
      only: request.askedPeople,
    })),
  approvals_reminded: (entry, parsed, open) =>
    aboutRequests(idsOf(parsed), open, (request) => ({
      key: `approvals_reminded/${request.id}`,
      at: entry.at,
      title: `QD-${request.number} is still waiting for an answer`,
      only: request.askedPeople,
    })),
  approvals_escalated: (entry, parsed, open) =>
    aboutRequests(idsOf(parsed), open, (request) => ({
      key: `approvals_escalated/${entry.seq}/${request.id}`,
      at: entry.at,
      title: `QD-${request.number} was not answered and escalated to you`,
      only: request.newestPeople,
    })),
  review_requested: (entry, parsed) => {
    const { policy, names } = body.review.parse(parsed);
    return [
      notice({
        ...{ key: `review/${entry.seq}`, kind: "reviews", at: entry.at, title: "A draft waits for a review" },
        ...{ says: names?.objects?.[`policy/${policy}`] ?? "", path: `/policies/${policy}` },
        audience: { ...EVERYBODY, except: ownOf(entry) },
      }),
    ];
  },
  binding_change_requested: (entry, parsed) => [
    notice({
      ...{ key: `review/${entry.seq}`, kind: "reviews", at: entry.at, path: "/policies/reviews" },
      ...{ title: "A change waits for a second person", says: body.change.parse(parsed).summary },
      audience: { ...EVERYBODY, except: ownOf(entry) },
    }),
  ],
  policy_canary_withdrawn: (entry, parsed) => {
    const { policy, revision, passed, inside, others, names } = body.withdrawn.parse(parsed);
    const shareOf = (side: { readonly calls: number }) =>
      `${Math.round((100 * Number(Object.entries(side).find(([name]) => name === passed)?.[1] ?? 0)) / Math.max(1, side.calls))} %`;
    return [
      notice({
        ...{ key: `canary/${entry.seq}`, kind: "alerts", at: entry.at, path: `/policies/${policy}`, isUrgent: true },
        title: `A canary was withdrawn: too many calls were ${passed}`,
        says: `${names?.objects?.[`policy/${policy}`] ?? "Policy"}, revision ${revision}: ${shareOf(inside)} of ${inside.calls} calls, ${shareOf(others)} elsewhere`,
      }),
    ];
  },
  judge_known_calls_run: (entry, parsed) => judgeNotices(entry, parsed),
  halted: (entry, parsed) => [haltNotice(entry, parsed, true)],
  halt_resumed: (entry, parsed) => [haltNotice(entry, parsed, false)],
  agent_drilled: (entry, parsed) => {
    const { agent, name, client, drill, calls, blocked } = body.drill.parse(parsed);
    const title =
      blocked === calls
        ? `A drill: ${calls === 1 ? "the call was" : `all ${calls} calls were`} blocked`
        : `A drill: ${calls - blocked} of ${calls} calls passed`;
    return [
      notice({
        ...{ key: `drill/${drill}`, kind: "drills", at: entry.at, title, says: `${name}, ${client}` },
        ...{ path: `/agents/${agent}` },
      }),
    ];
  },
  calls_assigned: (entry, parsed) => {
    const { person, count, occurredAt, dispatch } = body.assigned.parse(parsed);
    if (person === null) return [];
    const key = eventKeyText({ occurredAt: new Date(occurredAt), id: dispatch });
    return [
      notice({
        ...{ key: `calls/${entry.seq}`, kind: "calls", at: entry.at, path: `/activity?open=${key}` },
        title: count === 1 ? "A call is assigned to you" : `${count} calls are assigned to you`,
        says: count === 1 ? "Open it to read its comments." : "The first of them opens.",
        audience: { ...EVERYBODY, only: [person], except: ownOf(entry) },
      }),
    ];
  },
  exceptions_lapsed: (entry, parsed) =>
    body.lapsed.parse(parsed).exceptions.map(({ exception: id, number, owner }) =>
      notice({
        ...{ key: `exception/${id}`, kind: "exceptions", at: entry.at, path: "/approvals/exceptions" },
        title: `${number === null ? "An exception" : `EX-${number}`} expired and waits for a review`,
        says: "Decide whether it was right and whether its rule should change.",
        audience: { ...EVERYBODY, only: owner === "" ? null : [owner] },
      }),
    ),
};

export const ENTRY_KINDS: readonly string[] = Object.keys(MAKERS);

/** The requests that entries are about. An unreadable entry has none; it is logged when its notice is made. */
export const requestIdsOf = (entries: readonly EntryRow[]): readonly string[] =>
  entries.flatMap((entry) => {
    try {
      return requestIdsIn(entry);
    } catch {
      return [];
    }
  });

function requestIdsIn({ kind, body: text }: EntryRow): readonly string[] {
  if (kind === "approval_requested") return [body.asked.parse(JSON.parse(text)).approval];
  return kind === "approvals_reminded" || kind === "approvals_escalated" ? idsOf(JSON.parse(text)) : [];
}

/** Makes the notices of an entry; requests that are no longer open get none. */
export const noticesOfEntry = (entry: EntryRow, open: Open): readonly Notice[] =>
  MAKERS[entry.kind]?.(entry, JSON.parse(entry.body), open) ?? [];

const idsOf = (parsed: unknown): string[] => body.several.parse(parsed).approvals.map(({ approval }) => approval);
const ownOf = ({ actorId }: EntryRow): readonly string[] => (actorId === null ? [] : [actorId]);

type Words = Pick<Notice, "key" | "at" | "title"> & { readonly only: readonly string[] | null };

function aboutRequests(ids: readonly string[], open: Open, wordsOf: (request: OpenRequest) => Words): Notice[] {
  return ids.flatMap((id) => {
    const request = open.get(id);
    if (request === undefined) return [];
    const { agentName, toolName, riskClass, number, card, owners } = request;
    const { only, ...words } = wordsOf(request);
    return [
      notice({
        ...{
          ...words,
          kind: "approvals",
          group: `${entryKind(words.key)} ${card}`,
          path: `/approvals#QD-${number}`,
          requestIds: [id],
        },
        says: `${agentName} wants to use ${toolName}; risk ${riskClass}.`,
        audience: { ...EVERYBODY, only, except: owners },
      }),
    ];
  });
}

const entryKind = (key: string) => key.split("/")[0];

const SUBJECTS = { workspace: "The workspace", group: "A group", agent: "An agent", session: "A session" } as const;

function haltNotice(entry: EntryRow, parsed: unknown, isHalt: boolean): Notice {
  const { scope, about, isQuarantine, reason } = body.halt.parse(parsed);
  const state = isHalt ? (isQuarantine ? "is in quarantine" : "is halted") : "is resumed";
  // The agent chooses a session's id, so it may be any text.
  const named = scope === "workspace" || scope === "session" || about === "" ? "" : `${about}: `;
  return notice({
    ...{ key: `halt/${entry.seq}`, kind: "halts", at: entry.at, path: "/audit/halts", isUrgent: isHalt },
    ...{ title: `${SUBJECTS[scope]} ${state}`, says: `${named}${reason}` },
  });
}

/** A run within the limits makes no notice. */
function judgeNotices(entry: EntryRow, parsed: unknown): readonly Notice[] {
  const { prompt, name, state, says, isHalted, beyond, ...shares } = body.judge.parse(parsed);
  const of = ({ hits, of: all }: z.infer<typeof share>) => `${hits} of ${all}`;
  const words = {
    recall: `recall ${of(shares.recall)}`,
    false_alarms: `false alarms ${of(shares.falseAlarms)}`,
    flips: `flips ${of(shares.flips)}`,
  };
  if (state !== "not_run" && beyond.length === 0) return [];
  const title =
    state === "not_run"
      ? "The known calls of a judge were not run"
      : isHalted
        ? "A judge passed a limit on its known calls and is halted"
        : "A judge passed a limit on its known calls";
  return [
    notice({
      ...{ key: `known-calls/${entry.seq}`, kind: "alerts", at: entry.at, title, isUrgent: isHalted },
      ...{ path: `/policies/prompts/${prompt}?view=known` },
      says: `${name}: ${state === "not_run" ? says : beyond.map((limit) => words[limit]).join(", ")}`,
    }),
  ];
}
