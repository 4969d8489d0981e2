import { eventTitle } from "@quarterdeck/hooks/contract/event-titles";

export interface EventTitleProps {
  event: string;
  /** `both` shows the wire name after the title, `title` shows it only in the tooltip. */
  look?: "both" | "title";
  className?: string;
}

/** The title of a hook event with its wire name. */
export function EventTitle({ event, look = "both", className }: EventTitleProps) {
  const title = eventTitle(event);
  if (title === event) return <code className={className}>{event}</code>;
  return (
    <span className={className} title={event}>
      {title}
      {look === "both" ? <code className="ml-1.5 font-normal text-faint text-xs">{event}</code> : null}
    </span>
  );
}

/** An event as an option of a select: its title, and the wire name on the right. */
export const eventOption = <Event extends string>(event: Event) => ({
  value: event,
  label: eventTitle(event),
  aside: <code>{event}</code>,
});
