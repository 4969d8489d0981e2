/** The sentence on events that an agent's version of its client does not raise; empty when it raises all. */
export function laterEventsText(events: readonly { readonly event: string; readonly since: string }[]): string {
  if (events.length === 0) return "";
  const listed = events.map(({ event, since }) => `${event} (from ${since})`).join(", ");
  return ` This version does not send ${listed}. Hooks on ${events.length === 1 ? "this event" : "these events"} have no effect.`;
}
