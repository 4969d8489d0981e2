import { clientTitle } from "@/server/dialects/schema";
import type { HeldTools } from "@/server/packs/schema";

/** The tools of each client that a pack judges, and the tools that it ignores. */
export function HeldToolsTable({ tools, label }: { tools: readonly HeldTools[]; label: string }) {
  return (
    <table aria-label={label} className="w-full text-left text-sm">
      <thead className="text-muted">
        <tr>
          <th className="py-1 pr-3 font-normal">Client</th>
          <th className="py-1 pr-3 font-normal">Judges</th>
          <th className="py-1 font-normal">Not checked</th>
        </tr>
      </thead>
      <tbody>
        {tools.map(({ client, held, others }) => (
          <tr key={client} className="border-t align-top">
            <th scope="row" className="py-1 pr-3 font-normal">
              {clientTitle(client)}
            </th>
            <td className="break-words py-1 pr-3">{held.join(", ") || "no tool"}</td>
            <td className="break-words py-1">{others.join(", ") || "no tool"}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
