import { plural } from "@/components/ui/format/count";
import { Notice } from "@/components/ui/notice";

export interface GroupEffectProps {
  /** The names of the policies that are applied to the group. */
  policies: readonly string[];
  /** The number of agents that join. */
  added: number;
  /** The number of agents that leave. */
  gone: number;
}

/** The policies that start or stop applying to agents when a group is saved. Renders nothing without a change. */
export function GroupEffect({ policies, added, gone }: GroupEffectProps) {
  if (policies.length === 0 || added + gone === 0) return null;
  const applied = [...new Set(policies)].join(", ");
  return (
    <Notice kind={gone > 0 ? "danger" : "info"}>
      {added > 0 ? (
        <p>
          {applied} will apply to {plural(added, "agent")}.
        </p>
      ) : null}
      {gone > 0 ? (
        <p>
          {applied} will no longer apply to {plural(gone, "agent")} through this group.
        </p>
      ) : null}
    </Notice>
  );
}
