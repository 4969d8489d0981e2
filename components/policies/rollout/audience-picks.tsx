import { counted } from "@/components/policies/labels";
import { type Picked, PickList } from "@/components/policies/rollout/pick-list";
import type { AudienceChoices } from "@/server/policies/assignments/assignment-schema";

interface AudiencePicksProps {
  label: string;
  /** The word for one of them. */
  sought: string;
  rows: AudienceChoices["people"];
  picked: Picked;
  onPick: (picked: Picked) => void;
}

/** People, services or groups of the sign-on provider, with the number of agents that work for each; nothing without any. */
export function AudiencePicks({ label, sought, rows, picked, onPick }: AudiencePicksProps) {
  if (rows.length === 0) return null;
  const shown = rows.map(({ id, name, agentIds }) => ({ id, name, aside: counted(agentIds.length, "agent") }));
  return <PickList label={label} sought={sought} rows={shown} picked={picked} onPick={onPick} />;
}
