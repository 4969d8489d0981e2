import { ABILITY_LABELS, AbilityMark } from "@/components/agents/clients/ability-mark";
import { CodeWords } from "@/components/ui/code/code-words";
import { Missing } from "@/components/ui/format/missing";
import { Link } from "@/components/ui/link";
import { Section } from "@/components/ui/section";
import { type AbilityName, abilityName, type ClientColumn } from "@/server/dialects/matrix-schema";

const ABILITIES: readonly AbilityName[] = abilityName.options;

/** One client: its events, its gaps, the fate of a call whose hook fails, and its blind spots. */
export function ClientSection({ client }: { client: ClientColumn }) {
  const { name, title, enforcedFrom, evidence, blindSpots } = client;
  const known = evidence === "client" ? "tested with the client" : "read in the client's source";
  return (
    <Section
      id={name}
      title={title}
      aside={`from version ${enforcedFrom}, ${known}`}
      actions={
        <Link className="link text-sm" href={`/agents?q=client:${name}`}>
          Agents of {title}
        </Link>
      }
      className="scroll-mt-4"
    >
      <EventTable client={client} />
      <Gaps client={client} />
      <Failures client={client} />
      <h3 className="mt-1 font-medium text-sm">Blind spots</h3>
      <TextList texts={blindSpots} />
    </Section>
  );
}

function EventTable({ client: { title, events } }: { client: ClientColumn }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section aria-label={`Events of ${title}`} tabIndex={0} className="relative overflow-x-auto rounded-md border">
      <table className="w-full text-sm">
        <thead className="bg-sunken">
          <tr>
            {["Event", "Policy event", ...ABILITIES.map((ability) => ABILITY_LABELS[ability]), "Context"].map(
              (head) => (
                <th key={head} scope="col" className="px-3 py-1.5 text-left font-medium whitespace-nowrap">
                  {head}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {events.map((event) => (
            <tr key={event.name}>
              <th scope="row" className="px-3 py-1 text-left font-normal">
                <code>{event.name}</code>
              </th>
              <td className="px-3 py-1">
                {event.native === null ? (
                  <Missing reason="No policy hook runs on this client event. The event is only recorded." />
                ) : (
                  <code>{event.native}</code>
                )}
              </td>
              {ABILITIES.map((ability) => (
                <td key={ability} className="px-3 py-1 whitespace-nowrap">
                  <AbilityMark cell={event.cells[ability]} />
                </td>
              ))}
              <td className="px-3 py-1">
                {event.addsContext ? (
                  "yes"
                ) : (
                  <Missing reason="Context that a hook adds does not reach the model on this event." />
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Gaps({ client: { events } }: { client: ClientColumn }) {
  const gaps = events.flatMap((event) =>
    ABILITIES.flatMap((ability) => {
      const cell = event.cells[ability];
      return typeof cell === "object" ? [`${event.name}, ${ABILITY_LABELS[ability].toLowerCase()}: ${cell.gap}`] : [];
    }),
  );
  if (gaps.length === 0) return null;
  return (
    <>
      <h3 className="mt-1 font-medium text-sm">Gaps</h3>
      <TextList texts={gaps} />
    </>
  );
}

function Failures({ client: { onTimeout, onErrorStatus, onUnknownKey } }: { client: ClientColumn }) {
  return (
    <>
      <h3 className="mt-1 font-medium text-sm">If a hook fails that can block a call</h3>
      <TextList
        texts={[
          `If the hook times out, the call is ${onTimeout.plain} by default, ${onTimeout.enrolled} when enrolled.`,
          `If the hook returns an error status, the call is ${onErrorStatus.plain} by default, ${onErrorStatus.enrolled} when enrolled.`,
          `Answer contains an unknown key: ${onUnknownKey}.`,
        ]}
      />
    </>
  );
}

function TextList({ texts }: { texts: readonly string[] }) {
  return (
    <ul className="flex max-w-prose list-disc flex-col gap-1 pl-5 text-sm">
      {texts.map((text) => (
        <li key={text}>
          <CodeWords text={text} />
        </li>
      ))}
    </ul>
  );
}
