/** The format of Quarterdeck: an event of the record as one object, with the names of the record. */
import { eventId } from "../digest.ts";
import type { RecordEvent } from "../record-event.ts";

export function recordObject({ workspaceId, position, kind, hash, at, recordedAt, agent, act }: RecordEvent) {
  return {
    id: eventId(position),
    workspace: workspaceId,
    kind,
    at,
    recordedAt,
    hash,
    ...(agent && { call: agent }),
    ...(act && { act }),
  };
}
