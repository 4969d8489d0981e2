import { EventTitle } from "@/components/layout/event-title";

/** The title of an event of a call. A call is checked twice, so its two checks have names of their own. */
export function GateTitle({ event, lane, className }: { event: string; lane: string; className?: string }) {
  if (event !== "pre_tool_use") return <EventTitle event={event} {...(className ? { className } : {})} />;
  return (
    <span className={className} title={event}>
      {lane === "default" ? "Check" : "Early check"}
      <code className="ml-1.5 font-normal text-faint text-xs">{event}</code>
    </span>
  );
}
