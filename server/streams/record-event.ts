/** An event of the record as a stream carries it, before it has a format. */
import { maskText, redactText } from "@quarterdeck/hooks";
import type { DispatchFacts } from "./dispatch-facts.ts";
import type { EventKind, MaskingLevel, Position } from "./schema.ts";

/** Characters of a text of a call that an event carries. */
export const TEXT_MAX = 16_384;
/** Characters that are read of it: masked before it is cut, so that half of a secret is masked too. */
export const TEXT_READ_MAX = 65_536;

/** A dispatch of an agent. */
export interface AgentPart {
  readonly id: string;
  readonly agentId: string;
  readonly agentName: string;
  readonly session: string;
  readonly event: string;
  readonly lane: string;
  readonly origin: string;
  readonly tool: string | null;
  readonly toolUseId: string | null;
  readonly toolError: boolean | null;
  readonly verdict: string;
  readonly revision: string;
  readonly durationUs: number;
  readonly facts: DispatchFacts | null;
  /** Null without one, and where the level of masking leaves out texts. */
  readonly reason: string | null;
  /** The input of the call as JSON text, which may be cut; null as `reason`. */
  readonly input: string | null;
  readonly isInputCut: boolean;
  readonly isErased: boolean;
}

/** An administrative entry. */
export interface ActPart {
  readonly entry: string;
  readonly target: string | null;
  /** Null: the server itself. For a person, the id: names can be erased here, and not where a stream goes. */
  readonly actor: { readonly kind: string; readonly id: string } | null;
  readonly ip: string | null;
  readonly userAgent: string | null;
  /** Null where the level of masking leaves out texts. */
  readonly body: Readonly<Record<string, unknown>> | null;
}

export interface RecordEvent {
  readonly workspaceId: string;
  readonly position: Position;
  readonly kind: EventKind;
  /** The leaf of the dispatch, or the hash of the entry, in the chain. */
  readonly hash: string;
  /** When it happened, and when it was recorded: ISO with milliseconds. */
  readonly at: string;
  readonly recordedAt: string;
  readonly agent: AgentPart | null;
  readonly act: ActPart | null;
}

export interface StoredTexts {
  readonly input: string | null;
  readonly inputLength: number;
  readonly reason: string | null;
}

/** The texts of a call at a level of masking. */
export function textsAt(level: MaskingLevel, { input, inputLength, reason }: StoredTexts) {
  if (level === "facts") return { input: null, isInputCut: false, reason: null };
  const isWhole = input !== null && input.length === inputLength;
  const masked = input === null || level === "stored" ? input : isWhole ? maskText(input) : redactText(input);
  const isInputCut = input !== null && (!isWhole || (masked?.length ?? 0) > TEXT_MAX);
  return {
    input: masked === null ? null : masked.slice(0, TEXT_MAX),
    isInputCut,
    reason: reason === null || level === "stored" ? reason : redactText(reason).slice(0, TEXT_MAX),
  };
}
