/** The example call of an exception, and the calls that such an exception covers. */
import type { Administrator } from "../access/actor.ts";
import { parseJson } from "../access/json-text.ts";
import { requireMay } from "../access/permissions.ts";
import { requestToJudge } from "../approvals/index.ts";
import { AppError } from "../errors/app-error.ts";
import type { Database, Pool } from "../platform/db.ts";
import { deniedCall } from "./denied-call.ts";
import { type CallPattern, commandWordsOf } from "./match.ts";
import { isOpenPrefix, minPrefixWords } from "./prefix-programs.ts";
import * as exceptions from "./repository.ts";
import {
  COMMAND_WORDS_MAX,
  COMMAND_WORDS_MIN,
  type ExceptionExample,
  type ExceptionLifts,
  type ExceptionReach,
} from "./schema.ts";

/** The example call of an exception: one that people were asked about, or one that rules denied. */
export interface ExampleCall extends Pick<Awaited<ReturnType<typeof requestToJudge>>, ExampleField> {
  /** The number of its request, QD-<number>. */
  readonly number: number | null;
  readonly lifts: ExceptionLifts;
}
type ExampleField =
  | "agentId"
  | "agentName"
  | "sessionId"
  | "toolName"
  | "input"
  | "isWhole"
  | "inputSha256"
  | "peopleNeeded"
  | "askedBy"
  | "askedAt";

/** Errors: `approval_not_found`, `approval_own_agent`, `exception_refused`, `forbidden`. */
export async function exampleOf(
  db: Pick<Database, "pool" | "prisma">,
  reader: Administrator,
  { requestId, dispatch }: ExceptionExample,
): Promise<ExampleCall> {
  if (dispatch !== undefined) {
    // A denied call was never put to an approver, so the permission to answer is not enough.
    requireMay(reader, "policy:publish");
    return deniedCall(db, reader, dispatch);
  }
  const request = await requestToJudge(db, reader, requestId ?? "");
  if (request.state === "denied") throw new AppError("exception_refused", undefined, { says: DENIED_BY_PERSON });
  return { ...request, lifts: "question" };
}

const DENIED_BY_PERSON = "A person denied this call, so an exception is not possible.";

interface Pattern extends CallPattern {
  readonly groupId: string | null;
  readonly about: string;
}

/** Errors: `invalid_input`. */
export async function patternOf(
  pool: Pool,
  workspaceId: string,
  request: ExampleCall,
  { scope, groupId, commandWords }: ExceptionReach,
): Promise<Pattern> {
  const invalid = (pointer: string, says: string) => new AppError("invalid_input", undefined, { says, pointer });
  const { agentId, agentName, sessionId, toolName } = request;
  const words = commandOf(request);
  if (commandWords !== undefined && (words === null || commandWords > words.length))
    throw invalid("/commandWords", "The call is not a single shell command with that number of words.");
  if (commandWords !== undefined && !isOpenPrefix(words?.slice(0, commandWords) ?? []))
    throw invalid(
      "/commandWords",
      "An exception by the first words of a command is possible only for programs that do not run other programs. Create it for exactly this input.",
    );
  if (scope === "session" && sessionId === "") throw invalid("/scope", "This call has no session.");
  const group =
    scope === "group"
      ? (await exceptions.listGroups(pool, workspaceId, agentId)).find(({ id }) => id === groupId)
      : undefined;
  if (scope === "group" && group === undefined) throw invalid("/groupId", "The agent is not in this group.");
  const isOfAgent = scope === "agent" || scope === "session";
  return {
    scope,
    toolName,
    groupId: group?.id ?? null,
    agentId: isOfAgent ? agentId : null,
    sessionId: scope === "session" ? sessionId : null,
    about: { workspace: "", group: group?.name ?? "", agent: agentName, session: sessionId }[scope],
    members: group ? await exceptions.listMembers(pool, workspaceId, group.id) : [],
    inputSha256: commandWords === undefined ? request.inputSha256 : null,
    command: commandWords === undefined ? null : (words?.slice(0, commandWords) ?? null),
  };
}

/**
 * The command that an exception can match by its first words, with their minimum number; nulls when it can match the
 * input only.
 */
export function offeredCommand(call: ExampleCall) {
  const command = commandOf(call);
  const commandWordsMin = command && minPrefixWords(command, COMMAND_WORDS_MIN);
  return { command: commandWordsMin === null ? null : command, commandWordsMin };
}

/** The words of the request's command, if an exception can match by its beginning. */
function commandOf({ input, isWhole }: ExampleCall): string[] | null {
  const words = isWhole ? commandWordsOf(jsonOf(input)) : null;
  return words === null || words.length < COMMAND_WORDS_MIN || words.length > COMMAND_WORDS_MAX ? null : [...words];
}

/** Null for text that is not JSON, or is too large to parse. */
export function jsonOf(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return null;
  }
}
