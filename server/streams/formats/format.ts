/** The text of an event in a format: one line of JSON. Pure. */
import { eventId } from "../digest.ts";
import type { RecordEvent } from "../record-event.ts";
import type { EventKind, Position, StreamFormat } from "../schema.ts";
import { recordObject } from "./ndjson.ts";
import { ocsfObject } from "./ocsf.ts";

/** An event that is ready to be sent. */
export interface StreamLine {
  /** Unique within its installation, and the same whenever the event is sent. */
  readonly uid: string;
  readonly position: Position;
  readonly kind: EventKind;
  readonly hash: string;
  readonly at: string;
  readonly recordedAt: string;
  readonly isDenial: boolean;
  readonly object: Readonly<Record<string, unknown>>;
  /** The object as JSON. */
  readonly text: string;
}

export function lineOf(format: StreamFormat, event: RecordEvent): StreamLine {
  const { position, kind, hash, at, recordedAt, workspaceId, agent } = event;
  const object = format === "ocsf" ? ocsfObject(event) : recordObject(event);
  const verdict = kind === "final_decision" ? agent?.facts?.decision?.verdict : agent?.verdict;
  return {
    ...{ uid: `${workspaceId}:${eventId(position)}`, position, kind, hash, at, recordedAt },
    ...{ isDenial: verdict === "deny", object, text: JSON.stringify(object) },
  };
}
