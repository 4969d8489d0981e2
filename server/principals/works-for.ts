/** The people of an agent as its cached key holds them, with a refresh in the background. */
import type { KnownPeople, WorksFor } from "../access/principal-schema.ts";

/** A session without a person makes one query at most this often. */
const REFRESH_MS_MIN = 500;

/** `load` looks the people up again; its failures leave what is known. */
export function createWorksFor(
  known: KnownPeople,
  load: () => Promise<KnownPeople>,
  now: () => number = () => performance.now(),
): WorksFor {
  let people = known;
  let loadedMs = Number.NEGATIVE_INFINITY;
  return {
    get people() {
      return people;
    },
    refresh() {
      if (now() - loadedMs < REFRESH_MS_MIN) return;
      loadedMs = now();
      void load().then(
        (found) => {
          people = found;
        },
        () => undefined,
      );
    },
  };
}
