import { type HelpTopic, helpHref, TOPICS } from "@/components/layout/help/help-table";

/** A link to the documentation next to a field or in a message. It opens a new tab, so that a form keeps its values. */
export function TopicLink({ topic }: { topic: HelpTopic }) {
  const { about, to } = TOPICS[topic];
  return (
    <a className="link" href={helpHref(to)} target="_blank" rel="noreferrer">
      About {about}
    </a>
  );
}
