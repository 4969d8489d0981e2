import { Missing } from "@/components/ui/format/missing";
import type { AuditView } from "@/server/record/schema";

const NOTHING = "Not set before.";

/** Field by field, before and after. */
export function ChangesTable({ changes }: { changes: NonNullable<AuditView["changes"]> }) {
  return (
    <div className="overflow-x-auto rounded-md border bg-surface">
      <table className="w-full text-sm">
        <thead className="bg-sunken text-left text-muted">
          <tr>
            <th scope="col" className="px-3 py-1.5 font-medium">
              Field
            </th>
            <th scope="col" className="px-3 py-1.5 font-medium">
              Before
            </th>
            <th scope="col" className="px-3 py-1.5 font-medium">
              After
            </th>
          </tr>
        </thead>
        <tbody>
          {Object.entries(changes).map(([field, { before, after }]) => (
            <tr key={field} className="border-line border-t align-top">
              <th scope="row" className="px-3 py-1.5 text-left font-medium">
                {field}
              </th>
              <td className="break-all px-3 py-1.5 text-deny">
                <Value of={before} />
              </td>
              <td className="break-all px-3 py-1.5 text-allow">
                <Value of={after} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Value({ of }: { of: unknown }) {
  if (of === null || of === undefined) return <Missing reason={NOTHING} />;
  return <code>{typeof of === "string" ? of : JSON.stringify(of)}</code>;
}
