/**
 * Announces new records to projectors. The first announcement leaves at once; further ones are gathered, because each wakes
 * every process, and a projector that found records looks again by itself.
 */
import type { Bus } from "../events/index.ts";

const PAUSE_MS = 100;

export function createLogAnnouncer(bus: Pick<Bus, "tell">): (workspaceIds: Iterable<string>) => void {
  const waiting = new Set<string>();
  let pause: NodeJS.Timeout | undefined;

  function send(): void {
    for (const workspaceId of waiting) bus.tell(workspaceId, ["log"]);
    waiting.clear();
    pause = setTimeout(() => {
      pause = undefined;
      if (waiting.size > 0) send();
    }, PAUSE_MS);
    // The projectors' poll finds records that were never announced.
    pause.unref();
  }

  return (workspaceIds) => {
    for (const workspaceId of workspaceIds) waiting.add(workspaceId);
    if (pause === undefined && waiting.size > 0) send();
  };
}
