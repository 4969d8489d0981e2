/** The events of a hooks block that enrols an agent. */
import { contractOf, type EventName, eventNames, type Profile } from "@quarterdeck/hooks/contract/events";

/** Every event of the profile except control events: an agent without `routing` that has one does not load. */
export const enrolledEvents = (profile: Profile): readonly EventName[] =>
  eventNames(profile).filter((event) => !contractOf(event, profile).control);
