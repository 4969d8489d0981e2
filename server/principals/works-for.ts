/** The people of an agent as its cached key holds them, with a refresh in the background. */
import type { KnownPeople, WorksFor } from "../access/principal-schema.ts";

/** Telemetry may name people all the time: their agents make one query at most this often. */
const REFRESH_MS_MIN = 500;

/** `load` looks the people up again; its failures leave what is known. */
export function createWorksFor(
  known: KnownPeople,
  load: () => Promise<KnownPeople>,
  now: () => number = () => performance.now(),
): WorksFor {
  let people = known;
  let isOutdated = false;
  let loadedMs = Number.NEGATIVE_INFINITY;
  return {
    get people() {
      return people;
    },
    outdate() {
      isOutdated = true;
    },
    refresh() {
      if (!isOutdated || now() - loadedMs < REFRESH_MS_MIN) return;
      isOutdated = false;
      loadedMs = now();
      void load().then(
        (found) => {
          people = found;
        },
        () => {
          isOutdated = true;
        },
      );
    },
  };
}
