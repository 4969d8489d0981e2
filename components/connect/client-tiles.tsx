import { Check } from "lucide-react";
import { PermittedButton } from "@/components/access/permitted-button";
import { cn } from "@/components/ui/cn";
import { CONNECTED_CLIENTS, type ConnectedClient } from "@/server/agents/connect-schema";
import { clientTitle } from "@/server/dialects/schema";

export const connectedClientTitle = (client: ConnectedClient): string =>
  client === "http" ? "Plain HTTP" : clientTitle(client);

interface ClientTilesProps {
  chosen: ConnectedClient | null;
  onChoose: (client: ConnectedClient) => void;
  busy: boolean;
}

/** Every client that can be connected; the chosen one is marked by more than its colour. */
export function ClientTiles({ chosen, onChoose, busy }: ClientTilesProps) {
  return (
    <ul aria-label="Clients" className="grid grid-cols-2 gap-2 sm:grid-cols-4">
      {CONNECTED_CLIENTS.map((client) => (
        <li key={client}>
          <PermittedButton
            to="agent:write"
            aria-pressed={client === chosen}
            disabled={busy}
            onClick={() => onChoose(client)}
            place="w-full"
            className={cn("h-11! justify-start px-3! text-left", client === chosen && "border-accent-line bg-selected")}
          >
            {client === chosen ? <Check aria-hidden /> : null}
            <span className="min-w-0 whitespace-normal leading-tight">{connectedClientTitle(client)}</span>
          </PermittedButton>
        </li>
      ))}
    </ul>
  );
}
