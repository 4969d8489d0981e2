import { ABILITY_LABELS, AbilityMark } from "@/components/agents/clients/ability-mark";
import type { ClientMatrixView, MatrixRow } from "@/server/dialects/matrix-schema";

const HEAD = "border-b bg-sunken px-3 py-1.5 text-left font-medium whitespace-nowrap";
const FIRST = "sticky left-0 z-1 border-r bg-surface px-3 py-1.5 text-left font-normal";

/** Events and wishes down, clients across. On a phone it scrolls sideways under its first column. */
export function ClientMatrix({ matrix: { rows, clients } }: { matrix: ClientMatrixView }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section aria-label="Client matrix" tabIndex={0} className="relative overflow-x-auto rounded-md border">
      <table className="w-full border-separate border-spacing-0 text-sm">
        <thead>
          <tr>
            <th scope="col" className={`${HEAD} sticky left-0 z-2 border-r`}>
              Event
            </th>
            {clients.map(({ name, title }) => (
              <th key={name} scope="col" className={HEAD}>
                <a className="link" href={`#${name}`}>
                  {title}
                </a>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={`${row.native} ${row.ability}`} row={row} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Row({ row: { native, ability, cells } }: { row: MatrixRow }) {
  return (
    <tr className="[&:not(:last-child)>*]:border-b">
      <th scope="row" className={FIRST}>
        <span className="flex flex-col">
          <span>{ABILITY_LABELS[ability]}</span>
          <code className="text-muted text-xs">{native}</code>
        </span>
      </th>
      {cells.map(({ client, cell, isPartly }) => (
        <td key={client} className="px-3 py-1.5 whitespace-nowrap">
          <AbilityMark cell={cell} isPartly={isPartly} />
        </td>
      ))}
    </tr>
  );
}
